import { CircleCheck, CircleDashed, CircleDot, ListChecks } from "lucide-react";
import { classes } from "../../ui/classes.ts";
import type { PlanRow } from "../rows/row.ts";
import { RowLine } from "./row-line.tsx";

const marks = {
  completed: [<CircleCheck key="completed" size={14} className="text-good" />, "Done"],
  in_progress: [<CircleDot key="in_progress" size={14} className="text-accent" />, "In progress"],
  pending: [<CircleDashed key="pending" size={14} className="text-faint" />, "To do"],
} as const;

/** The agent's plan with the status of each step. */
export function PlanItem({ row, open }: { row: PlanRow; open: boolean }) {
  const { entries, explanation } = row.plan;
  const done = entries.filter((entry) => entry.status === "completed").length;
  return (
    <div className="my-1">
      <RowLine rowKey={row.key} icon={<ListChecks size={13} />} open={open} end={`${done} of ${entries.length}`}>
        <span className="text-ink">Plan</span> {explanation && <span className="text-faint">{explanation}</span>}
      </RowLine>
      {open && (
        <ol className="mt-0.5 mb-1 ml-6 flex flex-col gap-0.5">
          {entries.map(({ text, status }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan have no ids.
            <li key={index} className="flex items-start gap-2">
              <span className="mt-0.5 shrink-0" role="img" aria-label={marks[status][1]}>
                {marks[status][0]}
              </span>
              <span
                className={classes(status === "completed" && "text-faint", status === "in_progress" && "font-medium")}
                dir="auto"
              >
                {text}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
