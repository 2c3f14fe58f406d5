import { sessionStatus, statusText } from "@gantry/protocol";
import { useState } from "react";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { useAllSessions } from "../store/sessions/hooks.ts";
import { TextField } from "../ui/controls/field.tsx";
import { StateDot } from "../ui/display/state-dot.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";

const MAX_SHOWN = 50;

type AddTileDialogProps = { ids: readonly string[]; onAdd: (id: string) => void; onClose: () => void };

/** Finds a session by its title, folder or agent and opens it as a tile. */
export function AddTileDialog({ ids, onAdd, onClose }: AddTileDialogProps) {
  const [query, setQuery] = useState("");
  const rows = useCell(agents);
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = useAllSessions()
    .filter(({ id, archived }) => !archived && !ids.includes(id))
    .filter(({ title, cwd, agent }) => {
      const text = `${title} ${cwd} ${agentName(rows, agent)}`.toLowerCase();
      return terms.every((term) => text.includes(term));
    })
    .slice(0, MAX_SHOWN);
  return (
    <Dialog title="Add session" onClose={onClose}>
      <TextField
        label="Find a session"
        placeholder="Title, folder or agent"
        autoFocus
        value={query}
        onChange={setQuery}
        onKeyDown={(event) => {
          if (event.key === "Enter" && found[0]) onAdd(found[0].id);
        }}
        className="w-full"
      />
      <ul aria-label="Sessions" className="mt-3 flex flex-col">
        {found.map((session) => (
          <li key={session.id}>
            <button
              type="button"
              onClick={() => onAdd(session.id)}
              className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left pointer-coarse:min-h-11 hover:bg-hover focus-visible:bg-hover"
            >
              <StateDot session={session} />
              <span className="min-w-0 grow truncate">{session.title}</span>
              <span className="shrink-0 text-xs text-faint">
                {agentName(rows, session.agent)} · {statusText(sessionStatus(session))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="mt-3 text-soft">No other session matches.</p>}
    </Dialog>
  );
}
