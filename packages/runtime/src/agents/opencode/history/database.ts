import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { PastHead } from "../../contract.ts";
import { isoTime } from "../../history/teller.ts";
import { compact, type Fields, parsed, words } from "../../json-lines/reading/fields.ts";
import type { PastMessage } from "./reader.ts";

/** Conversations that a person began; those of subagents belong to them. */
const HEADS = `
SELECT s.id, s.directory, s.title, s.time_created AS created, s.time_updated AS updated,
  (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages
FROM session s WHERE s.parent_id IS NULL ORDER BY s.time_updated DESC`;
const MESSAGES = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id";
const PARTS = "SELECT id, data FROM part WHERE message_id = ? ORDER BY id";
const SIZE = "SELECT coalesce(sum(length(data)), 0) AS bytes FROM part WHERE session_id = ?";

type Row = Record<string, string | number | null>;

export function databaseHeads(path: string): PastHead[] {
  return reading(path, (db) =>
    (db.prepare(HEADS).all() as Row[]).map((row) => {
      const id = String(row.id);
      const { bytes } = db.prepare(SIZE).get(id) as { bytes: number };
      return compact({
        id,
        path,
        cwd: words(row.directory),
        title: words(row.title),
        startedAt: isoTime(row.created),
        updatedAt: isoTime(row.updated) ?? new Date(0).toISOString(),
        messages: Number(row.messages),
        bytes,
      });
    }),
  );
}

/** Message by message, so that no more than one is in memory. */
export async function* databaseMessages({ id, path }: PastHead): AsyncGenerator<PastMessage> {
  const messages = reading(path, (db) => db.prepare(MESSAGES).all(id) as Row[]);
  for (const row of messages) {
    const parts = reading(path, (db) => db.prepare(PARTS).all(String(row.id)) as Row[]);
    yield { info: entryOf(row), parts: parts.map(entryOf) };
  }
}

function entryOf(row: Row): Fields {
  return { id: row.id, ...parsed(String(row.data)) };
}

/**
 * Opens the database in a way that leaves its folder as it is: SQLite would put helper files beside one that has been
 * written to, and they are there only while its own program runs.
 */
function reading<Result>(path: string, read: (db: DatabaseSync) => Result): Result {
  const [wal, shared] = [`${path}-wal`, `${path}-shm`].map((file) => existsSync(file));
  if (wal && !shared) return readingCopy(path, read);
  const place = wal ? path : new URL(`${pathToFileURL(path)}?immutable=1`);
  return using(new DatabaseSync(place, { readOnly: true, timeout: 2000 }), read);
}

function readingCopy<Result>(path: string, read: (db: DatabaseSync) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "gantry-history-"));
  try {
    for (const end of ["", "-wal"]) copyFileSync(`${path}${end}`, join(folder, `copy.db${end}`));
    return using(new DatabaseSync(join(folder, "copy.db"), { readOnly: true }), read);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function using<Result>(db: DatabaseSync, read: (db: DatabaseSync) => Result): Result {
  try {
    return read(db);
  } finally {
    db.close();
  }
}
