import { Forward } from "lucide-react";
import { agentName, agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { Badge } from "../../ui/display/badge.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import type { HandoffRow } from "../rows/row.ts";
import { RowLine } from "./row-line.tsx";

const strategies = { fork: "with the conversation", resume: "conversation resumed", brief: "with a brief" } as const;

/** A handoff: the agents, the brief and its sources. */
export function HandoffItem({ row, open }: { row: HandoffRow; open: boolean }) {
  const rows = useCell(agents);
  const { from, to, strategy, brief, receipts = [], by } = row.handoff;
  const hasMore = Boolean(brief) || receipts.length > 0;
  return (
    <div className="my-2 rounded-lg border border-line px-3 py-1.5">
      <RowLine
        rowKey={row.key}
        icon={<Forward size={13} className={row.outcome ? undefined : "breathe"} />}
        open={hasMore ? open : undefined}
        end={
          row.outcome && row.outcome !== "completed" ? <Badge tone="bad">{row.outcome}</Badge> : strategies[strategy]
        }
      >
        Handed off from <b className="font-medium text-ink">{agentName(rows, from)}</b> to{" "}
        <b className="font-medium text-ink">{agentName(rows, to)}</b>
        {by && " by its lead"}
      </RowLine>
      {open && brief && (
        <div className="mt-1.5 ml-6">
          <Markdown text={brief.slice(0, 60_000)} />
        </div>
      )}
      {open && receipts.length > 0 && (
        <ul aria-label="Sources" className="mt-1.5 ml-6 flex flex-col gap-0.5">
          {receipts.map(({ line, seq }) => (
            <li key={`${seq} ${line}`} className="flex gap-2">
              <a href={`#${seq}`} className="shrink-0 font-mono text-xs text-accent hover:underline">
                #{seq}
              </a>
              <span className="truncate text-soft">{line}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
