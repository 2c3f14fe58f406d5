import type { SearchHit, SearchKind } from "@gantry/protocol";
import type { SearchFilter } from "../../port.ts";
import type { Database } from "../database.ts";

const SNIPPET_TOKENS = 16;

const kindTypes: Record<Exclude<SearchKind, "other">, readonly string[]> = {
  user: ["message.user", "message.delivery"],
  agent: ["message.done"],
  tool: ["tool.started", "tool.ended"],
};
const NAMED_TYPES = Object.values(kindTypes).flat();

/**
 * Full-text search. Every term must occur; the last one may be a prefix. The newest events are those that were stored last,
 * which the index finds without reading all matches; within the result they are sorted by their time.
 */
export function search(db: Database, q: string, limit: number, filter: SearchFilter = {}): SearchHit[] {
  const match = matchOf(q);
  if (!match) return [];
  const { where, values } = conditions(filter);
  const isRanked = filter.order === "relevance";
  const rows = db
    .all<SearchHit>(
      `SELECT e.session, s.title, e.seq, e.body ->> '$.at' AS at, e.type, snippet(search, 0, '[', ']', '…', ${SNIPPET_TOKENS}) AS snippet
       FROM search JOIN events e ON e.id = search.rowid JOIN sessions s ON s.id = e.session
       WHERE search MATCH ? AND s.deleted = 0${where}
       ORDER BY ${isRanked ? "rank" : "search.rowid DESC"} LIMIT ?`,
      match,
      ...values,
      limit,
    )
    .map((row) => ({ ...row }));
  return isRanked ? rows : rows.sort((a, b) => compareTimes(b.at, a.at));
}

function compareTimes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function conditions({ session, agent, folder, kind, since, until }: SearchFilter): { where: string; values: string[] } {
  const below = folder?.replace(/\/+$/, "");
  const types = kind === undefined ? [] : kind === "other" ? NAMED_TYPES : kindTypes[kind];
  const marks = types.map(() => "?").join(", ");
  const all: [string, readonly string[] | undefined][] = [
    ["e.session = ?", session === undefined ? undefined : [session]],
    ["s.agent = ?", agent === undefined ? undefined : [agent]],
    [
      "(s.cwd = ? OR substr(s.cwd, 1, length(?)) = ?)",
      below === undefined ? undefined : [below, `${below}/`, `${below}/`],
    ],
    [`e.type ${kind === "other" ? "NOT " : ""}IN (${marks})`, kind === undefined ? undefined : types],
    ["e.body ->> '$.at' >= ?", since === undefined ? undefined : [since]],
    ["e.body ->> '$.at' < ?", until === undefined ? undefined : [until]],
  ];
  const given = all.filter((one): one is [string, readonly string[]] => one[1] !== undefined);
  return {
    where: given.map(([condition]) => ` AND ${condition}`).join(""),
    values: given.flatMap(([, values]) => values),
  };
}

/**
 * An FTS query for the terms of `q` without operators: each term is a quoted string, in which only the
 * quote is special. Terms without a letter or digit would match nothing and are dropped.
 */
export function matchOf(q: string): string | undefined {
  const terms = q
    .replaceAll("\0", " ")
    .toWellFormed()
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (terms.length === 0) return undefined;
  return `${terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" ")} *`;
}
