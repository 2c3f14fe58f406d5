import { Workflow } from "lucide-react";
import { Badge } from "../../ui/display/badge.tsx";
import { formatCount } from "../../ui/display/format.ts";
import { Exact } from "../output/exact.tsx";
import type { SubagentRow } from "../rows/row.ts";
import { Line } from "./line.tsx";

/** Work that the agent gave to another: its line, and under it, as rows of their own, what that one said and did. */
export function SubagentItem({ row, open, under }: { row: SubagentRow; open: boolean; under: number }) {
  const { status, summary, usage, type, model } = row;
  const running = status === undefined && row.events.length > 0;
  const tokens = (usage?.input ?? 0) + (usage?.output ?? 0);
  return (
    <div className="my-0.5">
      <Line
        rowKey={row.key}
        icon={<Workflow size={13} className={running ? "breathe" : undefined} />}
        open={under > 0 || summary ? open : undefined}
        end={
          <>
            {under > 0 && <span>{under} inside</span>}
            {tokens > 0 && <span>{formatCount(tokens)} tokens</span>}
            {status === "error" && <Badge tone="bad">failed</Badge>}
            {status === "interrupted" && <Badge>interrupted</Badge>}
          </>
        }
      >
        <span className="text-faint">{[type ?? "Subagent", model].filter(Boolean).join(" · ")} · </span>
        <span className="text-ink">
          <Exact text={row.title} />
        </span>
      </Line>
      {!open && summary && (
        <p className="ml-6 truncate text-soft" dir="auto">
          {summary.slice(0, 300)}
        </p>
      )}
    </div>
  );
}
