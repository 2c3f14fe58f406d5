import { constants, copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/** Larger ones are read without what their program has not put in its place yet. */
const LARGEST_COPY = 2 * 1024 * 1024 * 1024;
const TRIES = 5;

/** A database that is being read; `close` leaves nothing behind. */
export type Opened = { db: DatabaseSync; close(): void };

/**
 * Opens another program's database in a way that leaves its folder as it is. SQLite writes beside one that has a
 * write-ahead log, even where it only reads; such a one is read from a copy.
 */
export function openQuietly(path: string): Opened {
  const { wal, size } = stampOf(path);
  if (!wal || size > LARGEST_COPY) {
    const db = new DatabaseSync(new URL(`${pathToFileURL(path)}?immutable=1`), { readOnly: true });
    return { db, close: () => db.close() };
  }
  const folder = mkdtempSync(join(tmpdir(), "gantry-history-"));
  const forget = () => rmSync(folder, { recursive: true, force: true });
  try {
    const db = new DatabaseSync(copyOf(path, folder));
    return {
      db,
      close: () => {
        db.close();
        forget();
      },
    };
  } catch (error) {
    forget();
    throw error;
  }
}

/** What changes with every write to the database. */
export function stampOf(path: string): { stamp: string; wal: boolean; size: number } {
  const [file, log] = [path, `${path}-wal`].map((one) => statSync(one, { throwIfNoEntry: false }));
  const stamp = [file, log].map((one) => `${one?.mtimeMs} ${one?.size}`).join(" ");
  return { stamp, wal: (log?.size ?? 0) > 0, size: (file?.size ?? 0) + (log?.size ?? 0) };
}

/** The two files as they were at one time: copied again when their program wrote meanwhile. */
function copyOf(path: string, folder: string): string {
  const copy = join(folder, "copy.db");
  for (let tries = 1; ; tries++) {
    const before = stampOf(path).stamp;
    for (const end of ["", "-wal"]) copyFileSync(`${path}${end}`, `${copy}${end}`, constants.COPYFILE_FICLONE);
    if (stampOf(path).stamp === before) return copy;
    if (tries === TRIES) throw new Error("its program writes without a pause");
  }
}
