import type { IdentityRow } from "@gantry/protocol";
import { Pencil, Plus, UserRound } from "lucide-react";
import { useState } from "react";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { StateDot } from "../ui/display/state-dot.tsx";
import { View } from "../ui/layout/view.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { IdentityDialog } from "./identity-dialog.tsx";
import { SendToIdentity } from "./send-to-identity.tsx";

/** Long-lived agents with a name, a persona and a memory. */
export default function Identities() {
  const { value, error, reload } = useQuery("identities", client.identities.list);
  const [editing, setEditing] = useState<{ name?: string }>();
  const add = (
    <Button look="primary" icon={<Plus size={14} />} onClick={() => setEditing({})}>
      New identity
    </Button>
  );
  return (
    <View title="Identities" actions={add}>
      {error !== undefined && <LoadError error={error} onRetry={reload} />}
      {value?.identities.length === 0 && value.broken.length === 0 && (
        <Empty title="No identities yet" icon={<UserRound size={28} strokeWidth={1.5} />}>
          <p>
            An identity is a permanent session with a persona and a memory in plain files. Both are sent again after
            every compaction and handoff. Identities do not appear on the board.
          </p>
        </Empty>
      )}
      <ul className="flex flex-col gap-3">
        {value?.identities.map((identity) => (
          <IdentityCard
            key={identity.name}
            identity={identity}
            onEdit={() => setEditing({ name: identity.name })}
            onSent={reload}
          />
        ))}
      </ul>
      {value?.broken.map(({ name, path, problems }) => (
        <div key={name} role="alert" className="mt-3 rounded-lg border border-bad/40 bg-bad-wash px-4 py-3">
          <p className="font-medium text-bad">
            {name}: <code className="font-mono text-xs">{path}</code> is not valid
          </p>
          {problems.map(({ line, message }) => (
            <p key={`${line} ${message}`}>
              Line {line}: {message}
            </p>
          ))}
        </div>
      ))}
      {editing && <IdentityDialog name={editing.name} onClose={() => setEditing(undefined)} onSaved={reload} />}
    </View>
  );
}

type IdentityCardProps = { identity: IdentityRow; onEdit: () => void; onSent: () => void };

function IdentityCard({ identity, onEdit, onSent }: IdentityCardProps) {
  const { name, title, description, role, agent, model, memory, session } = identity;
  const rows = useCell(agents);
  const view = useSession(session ?? "");
  return (
    <li aria-label={title ?? name} className="rounded-lg border border-line px-4 py-3">
      <div className="flex items-center gap-2">
        {view ? <StateDot session={view} /> : <UserRound size={14} aria-hidden="true" className="text-faint" />}
        <h2 className="font-semibold">{title ?? name}</h2>
        {role === "lead" && <Badge tone="accent">Lead</Badge>}
        <span className="min-w-0 grow truncate text-xs text-faint">
          {[agentName(rows, agent), model, memory.length === 1 ? "1 memory file" : `${memory.length} memory files`]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {session && (
          <SessionLink id={session} className="text-accent hover:underline">
            Open
          </SessionLink>
        )}
        <Button look="quiet" label={`Edit ${name}`} icon={<Pencil size={14} />} onClick={onEdit} />
      </div>
      {description && <p className="mt-1 text-soft">{description}</p>}
      <SendToIdentity name={name} onSent={onSent} />
    </li>
  );
}
