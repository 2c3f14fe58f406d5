import { type AgentRow, type Conversation, GantryError } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { lastPlace } from "../../store/outgoing/last-choices.ts";
import { newId } from "../../store/outgoing/outbox.ts";
import { useStart } from "../../store/outgoing/use-start.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Ago } from "../../ui/display/ago.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { useQuery } from "../../ui/load/use-query.ts";

/** Conversations in the agent's own history. Listing them starts the agent, so it happens only on request. */
export function Conversations({ row }: { row: AgentRow }) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Conversations">
      {open ? <ConversationList row={row} /> : <Button onClick={() => setOpen(true)}>Show saved conversations</Button>}
    </section>
  );
}

function ConversationList({ row }: { row: AgentRow }) {
  const { value, error, loading, reload } = useQuery(row.id, () => client.agents.conversations(row.id));
  if (loading && !value) return <p className="text-faint">Loading conversations from {row.name}…</p>;
  if (error instanceof GantryError && error.code === "unsupported") return <p className="text-soft">{error.message}</p>;
  if (!value) return <LoadError error={error} onRetry={reload} />;
  if (value.conversations.length === 0) return <p className="text-soft">{row.name} has no saved conversations.</p>;
  return (
    <>
      <h3 className="pb-1.5 text-xs font-semibold text-soft">Saved conversations</h3>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {value.conversations.map((conversation) => (
          <ConversationLine key={conversation.id} row={row} conversation={conversation} />
        ))}
      </ul>
      {!value.complete && <p className="pt-1 text-xs text-faint">Older conversations are not listed.</p>}
    </>
  );
}

function ConversationLine({ row, conversation }: { row: AgentRow; conversation: Conversation }) {
  const { id, title, cwd, updatedAt, where, follow } = conversation;
  const { starting, start } = useStart(() =>
    client.sessions.create({
      id: newId("session"),
      agent: row.id,
      resume: id,
      cwd: cwd ?? lastPlace.get().cwd,
      title,
      prompt: follow,
    }),
  );
  return (
    <li className="flex items-center gap-3 py-1 pr-1 pl-3">
      <span className="min-w-0 grow truncate">{title ?? <code className="font-mono text-xs">{id}</code>}</span>
      {where && <span className="shrink-0 text-xs text-soft">{where}</span>}
      {cwd && <span className="max-w-64 truncate font-mono text-xs text-faint">{cwd}</span>}
      {updatedAt && <Ago at={updatedAt} className="shrink-0 text-xs text-faint" />}
      <Button look="quiet" disabled={starting} onClick={start}>
        {follow ? "Follow" : "Continue"}
      </Button>
    </li>
  );
}
