import type { SearchHit } from "@gantry/protocol";
import type { Database } from "../database.ts";

const SNIPPET_TOKENS = 16;

/** Full-text search. Every term must occur; the last one may be a prefix. Sorted by relevance. */
export function search(db: Database, q: string, limit: number, session?: string): SearchHit[] {
  const match = matchOf(q);
  if (!match) return [];
  return db
    .all<SearchHit>(
      `SELECT e.session, s.title, e.seq, e.body ->> '$.at' AS at, e.type, snippet(search, 0, '[', ']', '…', ${SNIPPET_TOKENS}) AS snippet
       FROM search JOIN events e ON e.id = search.rowid JOIN sessions s ON s.id = e.session
       WHERE search MATCH ?1 AND s.deleted = 0 AND (?2 IS NULL OR e.session = ?2)
       ORDER BY rank LIMIT ?3`,
      match,
      session ?? null,
      limit,
    )
    .map((row) => ({ ...row }));
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
