import type { PastConversation } from "@gantry/protocol";
import { FileUp, History } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { useStart } from "../store/outgoing/use-start.ts";
import { Button } from "../ui/controls/button.tsx";
import { TextField } from "../ui/controls/field.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { formatBytes } from "../ui/display/format.ts";
import { LoadError } from "../ui/display/load-error.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { View } from "../ui/layout/view.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { findConversations } from "./find-conversations.ts";

const MAX_ROWS = 200;

/** Imports conversations from the agents' own histories and files exported by another Gantry. */
export default function ImportPage() {
  const { value, error, reload } = useQuery("imports", () => client.call("listImports", { query: {} }));
  const [query, setQuery] = useState("");
  const found = useMemo(() => findConversations(value?.conversations ?? [], query), [value, query]);
  return (
    <View title="Import a conversation" actions={<FileButton />}>
      {error !== undefined && <LoadError error={error} onRetry={reload} />}
      {!value && error === undefined && <p className="text-faint">Looking for conversations…</p>}
      {value?.problems.map(({ agent, message }) => (
        <p key={agent} className="mb-2 text-need">
          {message}
        </p>
      ))}
      {value && value.conversations.length === 0 && (
        <Empty title="No conversations found" icon={<History size={28} strokeWidth={1.5} />}>
          <p>
            Conversations from the agents' own terminal programs appear here, so that you can continue them in Gantry.
          </p>
        </Empty>
      )}
      {value && value.conversations.length > 0 && (
        <>
          <TextField
            label="Filter conversations"
            placeholder="Filter by title, folder or agent"
            value={query}
            onChange={setQuery}
            className="mb-3 w-full"
          />
          <ul className="divide-y divide-line rounded-lg border border-line">
            {found.slice(0, MAX_ROWS).map((conversation) => (
              <ConversationRow key={`${conversation.agent} ${conversation.id}`} conversation={conversation} />
            ))}
          </ul>
          {found.length > MAX_ROWS && (
            <p className="mt-2 text-soft">{found.length - MAX_ROWS} more. Filter to find them.</p>
          )}
        </>
      )}
    </View>
  );
}

function ConversationRow({ conversation }: { conversation: PastConversation }) {
  const rows = useCell(agents);
  const { agent, id, title, cwd, updatedAt, messages, imported } = conversation;
  const { starting, start } = useStart(() => client.call("importConversation", { body: { agent, conversation: id } }));
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
        <Button disabled={starting} onClick={start}>
          {starting ? "Importing…" : "Import"}
        </Button>
      )}
    </li>
  );
}

function FileButton() {
  const input = useRef<HTMLInputElement>(null);
  const { starting, start } = useStart((file: File) => client.imports.file(file));
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Exported file"
        onChange={({ target: { files } }) => files?.[0] && start(files[0])}
      />
      <Button icon={<FileUp size={14} />} disabled={starting} onClick={() => input.current?.click()}>
        {starting ? "Importing…" : "Import a file"}
      </Button>
    </>
  );
}
