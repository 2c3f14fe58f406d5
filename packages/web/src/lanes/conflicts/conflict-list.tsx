import type { Lane, LaneConflict } from "@gantry/protocol";
import { CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import { client } from "../../store/connection/client.ts";
import { useQuery } from "../../ui/load/use-query.ts";

const icons = {
  clean: <CircleCheck size={13} aria-label="Clean" className="mt-0.5 shrink-0 text-good" />,
  conflict: <TriangleAlert size={13} aria-label="Conflict" className="mt-0.5 shrink-0 text-bad" />,
  unknown: <CircleHelp size={13} aria-label="Unknown" className="mt-0.5 shrink-0 text-faint" />,
} as const;

/** Whether a lane merges with its base and with every other lane in their current state. */
export function ConflictList({ lane }: { lane: Lane }) {
  const { value, error } = useQuery(`${lane.id} ${lane.head} ${lane.changes}`, () =>
    client.call("laneConflicts", { params: { id: lane.id } }),
  );
  if (error !== undefined) return <p className="text-soft">The conflict check failed: {String(error)}</p>;
  if (!value) return <p className="text-faint">Checking for conflicts…</p>;
  return (
    <ul aria-label="Conflicts" className="flex flex-col gap-0.5">
      {value.conflicts.map((conflict) => (
        <li key={conflict.with} className="flex gap-2">
          {icons[conflict.state]}
          <span className="min-w-0 grow">
            <b className="font-medium">{conflict.name}</b> <span className="text-soft">{conflictText(conflict)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function conflictText({ state, files, shared, reason }: LaneConflict): string {
  if (state === "unknown") return reason ?? "unknown";
  if (state === "conflict") return `Conflicts in ${files.join(", ")}`;
  return shared.length > 0 ? `Merges cleanly; both changed ${shared.join(", ")}` : "Merges cleanly";
}
