import type { Lane, LaneConflict } from "@gantry/protocol";
import { CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import { client } from "../../store/client.ts";
import { useQuery } from "../../ui/load/use-query.ts";

const icons = {
  clean: <CircleCheck size={13} aria-label="Clean" className="mt-0.5 shrink-0 text-good" />,
  conflict: <TriangleAlert size={13} aria-label="Conflict" className="mt-0.5 shrink-0 text-bad" />,
  unknown: <CircleHelp size={13} aria-label="Not known" className="mt-0.5 shrink-0 text-faint" />,
} as const;

/** How a lane can be joined with its base and with every other lane, as things are now. */
export function Conflicts({ lane }: { lane: Lane }) {
  const { value, error } = useQuery(`${lane.id} ${lane.head} ${lane.changes}`, () =>
    client.call("laneConflicts", { params: { id: lane.id } }),
  );
  if (error !== undefined) return <p className="text-soft">Whether it can be joined is not known: {String(error)}</p>;
  if (!value) return <p className="text-faint">Trying how it can be joined …</p>;
  return (
    <ul aria-label="Conflicts" className="flex flex-col gap-0.5">
      {value.conflicts.map((conflict) => (
        <li key={conflict.with} className="flex gap-2">
          {icons[conflict.state]}
          <span className="min-w-0 grow">
            <b className="font-medium">{conflict.name}</b> <span className="text-soft">{wordsOf(conflict)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function wordsOf({ state, files, shared, reason }: LaneConflict): string {
  if (state === "unknown") return reason ?? "not known";
  if (state === "conflict") return `conflicts in ${files.join(", ")}`;
  return shared.length > 0 ? `joins, though both changed ${shared.join(", ")}` : "joins without trouble";
}
