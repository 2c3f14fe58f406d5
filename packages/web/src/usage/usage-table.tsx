import type { UsageRow } from "@gantry/protocol";
import type { ReactNode } from "react";
import { formatCount, formatDollars, formatDuration } from "../ui/display/format.ts";

type UsageTableProps = { caption: string; rows: readonly UsageRow[]; name: (row: UsageRow) => ReactNode };

const CELL = "px-3 py-1.5 text-right tabular-nums @max-[42rem]:px-1.5";
/** Left out where there is little room. */
const MINOR = `${CELL} @max-[42rem]:hidden`;

const heads = [
  ["Turns", CELL],
  ["Input", CELL],
  ["Cached", MINOR],
  ["Output", CELL],
  ["First output", MINOR],
  ["Cost", CELL],
] as const;

/** Tokens and cost per name. Costs estimated from list prices are marked. */
export function UsageTable({ caption, rows, name }: UsageTableProps) {
  return (
    <div className="@container">
      <table className="w-full table-fixed border-collapse text-sm">
        <caption className="pb-1.5 text-left text-sm font-semibold">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-faint">
            <th scope="col" className="py-1.5 text-left font-medium">
              Name
            </th>
            {heads.map(([head, look]) => (
              <th key={head} scope="col" className={`${look} w-24 font-medium last:pr-0 @max-[42rem]:w-15`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.agent ?? row.model ?? row.lane ?? row.session} className="border-b border-line last:border-0">
              <th scope="row" className="max-w-80 truncate py-1.5 text-left font-normal">
                {name(row)}
              </th>
              <td className={CELL}>{row.turns}</td>
              <td className={CELL} title={String(row.usage.input)}>
                {formatCount(row.usage.input)}
              </td>
              <td className={`${MINOR} text-faint`} title={String(row.usage.cacheRead)}>
                {formatCount(row.usage.cacheRead)}
              </td>
              <td className={CELL} title={String(row.usage.output)}>
                {formatCount(row.usage.output)}
              </td>
              <td className={MINOR} title={row.ttftMs && `Median of the turns with output: ${row.ttftMs.turns}`}>
                {row.ttftMs ? formatDuration(row.ttftMs.median) : "–"}
              </td>
              <td className={`${CELL} pr-0`}>
                <Cost row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The known cost. Without any, turns of unknown cost make it unknown, not zero. */
export function formatCost({ cost, unpriced = 0 }: Pick<UsageRow, "cost" | "unpriced">): string {
  return cost.usd === 0 && unpriced > 0 ? "Unknown" : formatDollars(cost.usd);
}

function Cost({ row }: { row: UsageRow }) {
  const { cost, unpriced = 0 } = row;
  const parts = [
    cost.list > 0 &&
      `${formatDollars(cost.agent)} reported by agents, ${formatDollars(cost.list)} estimated from list prices`,
    unpriced > 0 && `The cost of ${unpriced === 1 ? "1 turn" : `${unpriced} turns`} is unknown`,
  ].filter(Boolean);
  return (
    <span title={parts.join(". ") || undefined} className={cost.usd === 0 && unpriced > 0 ? "text-faint" : undefined}>
      {formatCost(row)}
      {cost.list > 0 && <span className="text-faint"> est.</span>}
      {unpriced > 0 && cost.usd > 0 && <span className="text-need"> + ?</span>}
    </span>
  );
}
