import { type Envelope, noUsage, type SessionView, type UsageRow } from "@gantry/protocol";
import type { Expense, UsageFilter, UsageKey } from "../port.ts";
import type { Database } from "./database.ts";

/** Lanes, turns and times of what was used, and whether its cost is known. */
export function addUsageDetails(db: Database): void {
  db.exec(`
    ALTER TABLE usage ADD COLUMN at TEXT NOT NULL DEFAULT '';
    ALTER TABLE usage ADD COLUMN lane TEXT;
    ALTER TABLE usage ADD COLUMN turn TEXT;
    ALTER TABLE usage ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
    UPDATE usage SET lane = (SELECT view ->> '$.lane' FROM sessions WHERE id = usage.session),
      at = day || 'T12:00:00.000Z';
    UPDATE usage SET at = body ->> '$.at', turn = body ->> '$.turn',
      unpriced = (body -> '$.data.usage') IS NOT NULL AND (body -> '$.data.cost') IS NULL
      FROM events WHERE events.session = usage.session AND events.seq = usage.seq AND type = 'turn.ended';
    CREATE INDEX usage_by_time ON usage (at);
  `);
  for (const { at } of db.all<{ at: string }>("SELECT DISTINCT at FROM usage"))
    db.run("UPDATE usage SET day = ? WHERE at = ?", localDay(new Date(at)), at);
}

/** The time to the first output, also of the turns whose log still exists. */
export function addTimeToFirstOutput(db: Database): void {
  db.exec(`
    ALTER TABLE usage ADD COLUMN ttft_ms INTEGER;
    UPDATE usage SET ttft_ms = body ->> '$.data.ttftMs'
      FROM events WHERE events.session = usage.session AND events.seq = usage.seq AND type = 'turn.ended';
  `);
}

/** The usage of a turn, booked on the agent and model that the session had when it ended, and on the local day. */
export function bookUsage(db: Database, event: Envelope<"turn.ended">, view: SessionView): void {
  const { usage, cost, ttftMs } = event.data;
  const { input, output, cacheRead, cacheWrite, reasoning } = { ...noUsage, ...usage };
  const usd = (source: "agent" | "list") => (cost?.source === source ? cost.usd : 0);
  db.run(
    `INSERT INTO usage (session, seq, agent, model, day, input, output, cache_read, cache_write, reasoning, usd_agent,
       usd_list, at, lane, turn, unpriced, ttft_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.session,
    event.seq,
    view.agent,
    event.data.servedModel ?? view.servedModel ?? view.model ?? null,
    localDay(new Date(event.at)),
    input,
    output,
    cacheRead,
    cacheWrite,
    reasoning,
    usd("agent"),
    usd("list"),
    event.at,
    view.lane ?? null,
    event.turn ?? null,
    usage && !cost ? 1 : 0,
    ttftMs ?? null,
  );
}

type Sums = {
  turns: number;
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  reasoning: number;
  usd_agent: number;
  usd_list: number;
  unpriced: number;
};
type Keys = Partial<Record<UsageKey, string | null>>;

const SUMS = ["input", "output", "cache_read", "cache_write", "reasoning", "usd_agent", "usd_list", "unpriced"]
  .map((column) => `coalesce(sum(${column}), 0) AS ${column}`)
  .join(", ");

/** Tokens, cost and the median time to the first output for each combination of `by`, the most expensive first. */
export function usage(
  db: Database,
  by: readonly UsageKey[],
  filter: UsageFilter = {},
): { rows: UsageRow[]; total: UsageRow } {
  const keys = [...new Set(by)].sort();
  const { where, values } = conditions(filter);
  const from = `${SUMS}, count(*) AS turns FROM usage${where}`;
  const total = toRow(db.get<Sums & Keys>(`SELECT ${from}`, ...values)!, medians(db, [], filter));
  if (keys.length === 0) return { rows: [], total };
  const list = keys.join(", ");
  const order = "sum(usd_agent + usd_list) DESC, sum(input + output) DESC";
  const rows = db.all<Sums & Keys>(`SELECT ${list}, ${from} GROUP BY ${list} ORDER BY ${order}, ${list}`, ...values);
  const times = medians(db, keys, filter);
  return { rows: rows.map((row) => toRow(row, times)), total };
}

/** The median time to the first output for each combination of `keys`, by `idOf`. Turns without output do not count. */
function medians(db: Database, keys: readonly UsageKey[], filter: UsageFilter): Map<string, UsageRow["ttftMs"]> {
  const { where, values } = conditions(filter, ["ttft_ms IS NOT NULL"]);
  const list = keys.map((key) => `${key}, `).join("");
  const over = keys.length === 0 ? "" : `PARTITION BY ${keys.join(", ")}`;
  const rows = db.all<Keys & { median: number; turns: number }>(
    `SELECT ${list}turns, CAST(round(avg(ttft_ms)) AS INTEGER) AS median FROM (
       SELECT ${list}ttft_ms, count(*) OVER (${over}) AS turns, row_number() OVER (${over} ORDER BY ttft_ms) AS place
       FROM usage${where})
     WHERE place IN ((turns + 1) / 2, (turns + 2) / 2) GROUP BY ${list}turns`,
    ...values,
  );
  return new Map(rows.map(({ median, turns, ...key }) => [idOf(key), { median, turns }]));
}

function idOf(row: Keys): string {
  return JSON.stringify([row.agent, row.model, row.day, row.session, row.lane, row.turn]);
}

/**
 * Detaches the usage of a session from its log, which is about to be deleted. A later session with the same id starts its
 * log at 1 again, so the rows move below zero, each deletion below the last.
 */
export function closeUsage(db: Database, session: string): void {
  db.run(
    `UPDATE usage SET seq = -seq + (SELECT min(0, min(seq)) FROM usage WHERE session = ?1)
     WHERE session = ?1 AND seq > 0`,
    session,
  );
}

/** No log stands behind it: the row itself is the fact, and no rebuilding of a session touches it. */
export function book(db: Database, { account, at, agent, model, usage: tokens, cost }: Expense): void {
  const { input, output, cacheRead, cacheWrite, reasoning } = { ...noUsage, ...tokens };
  const usd = (source: "agent" | "list") => (cost?.source === source ? cost.usd : 0);
  db.run(
    `INSERT INTO usage (session, seq, agent, model, day, input, output, cache_read, cache_write, reasoning, usd_agent,
       usd_list, at, unpriced)
     SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 FROM usage WHERE session = ?1`,
    account,
    agent,
    model ?? null,
    localDay(new Date(at)),
    input,
    output,
    cacheRead,
    cacheWrite,
    reasoning,
    usd("agent"),
    usd("list"),
    at,
    tokens && !cost ? 1 : 0,
  );
}

function conditions(
  { since, until, session, lane }: UsageFilter,
  always: readonly string[] = [],
): { where: string; values: string[] } {
  const all: [string, string | undefined][] = [
    ["at >= ?", since],
    ["at < ?", until],
    ["session = ?", session],
    ["lane = ?", lane],
  ];
  const given = all.filter((one): one is [string, string] => one[1] !== undefined);
  const parts = [...always, ...given.map(([condition]) => condition)];
  const where = parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`;
  return { where, values: given.map(([, value]) => value) };
}

function toRow(row: Sums & Keys, times: ReadonlyMap<string, UsageRow["ttftMs"]>): UsageRow {
  return {
    agent: row.agent ?? undefined,
    model: row.model ?? undefined,
    day: row.day ?? undefined,
    session: row.session ?? undefined,
    lane: row.lane ?? undefined,
    turn: row.turn ?? undefined,
    turns: row.turns,
    usage: {
      input: row.input,
      output: row.output,
      cacheRead: row.cache_read,
      cacheWrite: row.cache_write,
      reasoning: row.reasoning,
    },
    cost: { usd: row.usd_agent + row.usd_list, agent: row.usd_agent, list: row.usd_list },
    unpriced: row.unpriced,
    ttftMs: times.get(idOf(row)),
  };
}

/** The day at this machine's place, as people there write it in their diaries. */
function localDay(at: Date): string {
  if (Number.isNaN(at.getTime())) return "";
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
