import type { SearchHit } from "@gantry/protocol";
import type { Database } from "../database.ts";

const SNIPPET_TOKENS = 16;

/** Full-text search. Every word must occur; the last one may be unfinished. The best hits come first. */
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
 * A query in SQLite's language that means the words of `q` and nothing else: each is a quoted string, in which only the
 * quote is special. Words without a letter or digit would match nothing and are left out.
 */
export function matchOf(q: string): string | undefined {
  const words = q
    .replaceAll("\0", " ")
    .toWellFormed()
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return undefined;
  return `${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" ")} *`;
}
