import type { PastConversation } from "@gantry/protocol";
import { FileUp, History } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/client.ts";
import { takeSession } from "../store/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { TextField } from "../ui/controls/field.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { formatBytes } from "../ui/display/format.ts";
import { LoadError } from "../ui/display/load-error.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { View } from "../ui/layout/view.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { matchingConversations } from "./matching.ts";

const SHOWN = 200;

/** Conversations that agents had without Gantry, and files that another Gantry wrote: to be gone on with here. */
export default function ImportPage() {
  const { value, error, reload } = useQuery("imports", () => client.call("listImports", { query: {} }));
  const [words, setWords] = useState("");
  const found = useMemo(() => matchingConversations(value?.conversations ?? [], words), [value, words]);
  return (
    <View title="Import" actions={<FileButton />}>
      {error !== undefined && <LoadError error={error} onRetry={reload} />}
      {!value && error === undefined && <p className="text-faint">Looking through the agents' folders …</p>}
      {value?.problems.map(({ agent, message }) => (
        <p key={agent} className="mb-2 text-need">
          {message}
        </p>
      ))}
      {value && value.conversations.length === 0 && (
        <Empty title="No conversations on this machine" icon={<History size={28} strokeWidth={1.5} />}>
          <p>What you have said to an agent in its own terminal program shows up here, to be gone on with in Gantry.</p>
        </Empty>
      )}
      {value && value.conversations.length > 0 && (
        <>
          <TextField
            label="Find a conversation"
            placeholder="Find a conversation by its words, its folder or its agent"
            value={words}
            onChange={setWords}
            className="mb-3 w-full"
          />
          <ul className="divide-y divide-line rounded-lg border border-line">
            {found.slice(0, SHOWN).map((conversation) => (
              <ConversationRow key={`${conversation.agent} ${conversation.id}`} conversation={conversation} />
            ))}
          </ul>
          {found.length > SHOWN && (
            <p className="mt-2 text-soft">{found.length - SHOWN} more. Write what to look for.</p>
          )}
        </>
      )}
    </View>
  );
}

function ConversationRow({ conversation }: { conversation: PastConversation }) {
  const rows = useCell(agents);
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const { agent, id, title, cwd, updatedAt, messages, imported } = conversation;
  const take = async () => {
    setBusy(true);
    try {
      const session = await client.call("importConversation", { body: { agent, conversation: id } });
      takeSession(session);
      go(`/s/${session.id}`);
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <li className="flex items-center gap-3 px-3 py-1.5">
      <span className="min-w-0 grow">
        <span className="block truncate">{title ?? id}</span>
        <span className="block truncate text-xs text-faint">
          {agentName(rows, agent)} · {messages === undefined ? formatBytes(conversation.bytes) : `${messages} messages`}
          {cwd && <code className="font-mono"> · {cwd}</code>}
        </span>
      </span>
      <Ago at={updatedAt} className="shrink-0 text-xs text-faint" />
      {imported ? (
        <SessionLink id={imported} className="shrink-0 px-2.5 text-accent hover:underline">
          Open
        </SessionLink>
      ) : (
        <Button disabled={busy} onClick={() => void take()}>
          {busy ? "Reading …" : "Import"}
        </Button>
      )}
    </li>
  );
}

function FileButton() {
  const input = useRef<HTMLInputElement>(null);
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    try {
      const session = await client.imports.file(file);
      takeSession(session);
      go(`/s/${session.id}`);
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="A file that Gantry exported"
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <Button icon={<FileUp size={14} />} disabled={busy} onClick={() => input.current?.click()}>
        {busy ? "Reading …" : "From a file"}
      </Button>
    </>
  );
}
