import { noUsage, type UsageRow } from "@gantry/protocol";
import type { Expense, UsageKey } from "../port.ts";
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

/** No log stands behind it: the row itself is the fact, and no rebuilding of a session touches it. */
export function book(db: Database, { account, at, agent, model, usage: tokens, cost }: Expense): void {
  const { input, output, cacheRead, cacheWrite, reasoning } = { ...noUsage, ...tokens };
  const usd = (source: "agent" | "list") => (cost?.source === source ? cost.usd : 0);
  db.run(
    `INSERT INTO usage (session, seq, agent, model, day, input, output, cache_read, cache_write, reasoning, usd_agent, usd_list)
     SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM usage WHERE session = ?1`,
    account,
    agent,
    model ?? null,
    at.slice(0, 10),
    input,
    output,
    cacheRead,
    cacheWrite,
    reasoning,
    usd("agent"),
    usd("list"),
  );
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
