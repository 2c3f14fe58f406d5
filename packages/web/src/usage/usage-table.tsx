import type { UsageRow } from "@gantry/protocol";
import type { ReactNode } from "react";
import { formatCount, formatDollars, formatDuration } from "../ui/display/format.ts";

type UsageTableProps = { caption: string; rows: readonly UsageRow[]; name: (row: UsageRow) => ReactNode };

const CELL = "px-3 py-1.5 text-right tabular-nums";

/** Tokens and cost per name. Costs estimated from list prices are marked. */
export function UsageTable({ caption, rows, name }: UsageTableProps) {
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <caption className="pb-1.5 text-left text-sm font-semibold">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-xs text-faint">
          <th scope="col" className="py-1.5 text-left font-medium">
            Name
          </th>
          {["Turns", "Input", "Cached", "Output", "First output", "Cost"].map((head) => (
            <th key={head} scope="col" className={`${CELL} w-24 font-medium last:pr-0`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.agent ?? row.model ?? row.session} className="border-b border-line last:border-0">
            <th scope="row" className="max-w-80 truncate py-1.5 text-left font-normal">
              {name(row)}
            </th>
            <td className={CELL}>{row.turns}</td>
            <td className={CELL} title={String(row.usage.input)}>
              {formatCount(row.usage.input)}
            </td>
            <td className={`${CELL} text-faint`} title={String(row.usage.cacheRead)}>
              {formatCount(row.usage.cacheRead)}
            </td>
            <td className={CELL} title={String(row.usage.output)}>
              {formatCount(row.usage.output)}
            </td>
            <td className={CELL} title={row.ttftMs && `Median of the turns with output: ${row.ttftMs.turns}`}>
              {row.ttftMs ? formatDuration(row.ttftMs.median) : "–"}
            </td>
            <td className={`${CELL} pr-0`}>
              <Cost cost={row.cost} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cost({ cost }: { cost: UsageRow["cost"] }) {
  if (cost.list === 0) return <>{formatDollars(cost.usd)}</>;
  const title = `${formatDollars(cost.agent)} reported by agents, ${formatDollars(cost.list)} estimated from list prices`;
  return (
    <span title={title}>
      {formatDollars(cost.usd)} <span className="text-faint">est.</span>
    </span>
  );
}
