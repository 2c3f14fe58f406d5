import { Workflow } from "lucide-react";
import { Badge } from "../../ui/display/badge.tsx";
import { formatCount } from "../../ui/display/format.ts";
import { ExactText } from "../../ui/text/exact-text.tsx";
import type { SubagentRow } from "../rows/row.ts";
import { RowLine } from "./row-line.tsx";

/** A subagent. Its messages and tool calls are child rows. */
export function SubagentItem({ row, open, childCount }: { row: SubagentRow; open: boolean; childCount: number }) {
  const { status, summary, usage, type, model } = row;
  const running = status === undefined && row.events.length > 0;
  const tokens = (usage?.input ?? 0) + (usage?.output ?? 0);
  return (
    <div className="my-0.5">
      <RowLine
        rowKey={row.key}
        icon={<Workflow size={13} className={running ? "breathe" : undefined} />}
        open={childCount > 0 || summary ? open : undefined}
        end={
          <>
            {childCount > 0 && (
              <span>
                {childCount} {childCount === 1 ? "entry" : "entries"}
              </span>
            )}
            {tokens > 0 && <span>{formatCount(tokens)} tokens</span>}
            {status === "error" && <Badge tone="bad">Failed</Badge>}
            {status === "interrupted" && <Badge>Interrupted</Badge>}
          </>
        }
      >
        <span className="text-faint">{[type ?? "Subagent", model].filter(Boolean).join(" · ")} · </span>
        <span className="text-ink">
          <ExactText text={row.title} />
        </span>
      </RowLine>
      {!open && summary && (
        <p className="ml-6 truncate text-soft" dir="auto">
          {summary.slice(0, 300)}
        </p>
      )}
    </div>
  );
}
