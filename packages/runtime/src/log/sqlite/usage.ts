import type { UsageRow } from "@gantry/protocol";
import type { UsageKey } from "../port.ts";
import type { Database } from "./database.ts";

type Sums = {
  turns: number;
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  reasoning: number;
  usd_agent: number;
  usd_list: number;
};
type Keys = Partial<Record<UsageKey, string | null>>;

const SUMS = ["input", "output", "cache_read", "cache_write", "reasoning", "usd_agent", "usd_list"]
  .map((column) => `coalesce(sum(${column}), 0) AS ${column}`)
  .join(", ");

/** Tokens and cost, summed for each combination of `by`, the most expensive first. */
export function usage(db: Database, by: readonly UsageKey[]): { rows: UsageRow[]; total: UsageRow } {
  const keys = [...new Set(by)].sort();
  const from = `${SUMS}, count(*) AS turns FROM usage`;
  const total = toRow(db.get<Sums & Keys>(`SELECT ${from}`)!);
  if (keys.length === 0) return { rows: [], total };
  const list = keys.join(", ");
  const order = "sum(usd_agent + usd_list) DESC, sum(input + output) DESC";
  const rows = db.all<Sums & Keys>(`SELECT ${list}, ${from} GROUP BY ${list} ORDER BY ${order}, ${list}`);
  return { rows: rows.map(toRow), total };
}

function toRow(row: Sums & Keys): UsageRow {
  return {
    agent: row.agent ?? undefined,
    model: row.model ?? undefined,
    day: row.day ?? undefined,
    session: row.session ?? undefined,
    turns: row.turns,
    usage: {
      input: row.input,
      output: row.output,
      cacheRead: row.cache_read,
      cacheWrite: row.cache_write,
      reasoning: row.reasoning,
    },
    cost: { usd: row.usd_agent + row.usd_list, agent: row.usd_agent, list: row.usd_list },
  };
}
