import { constants, copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/** Larger databases are read without their write-ahead log. */
const LARGEST_COPY = 2 * 1024 * 1024 * 1024;
const TRIES = 5;

/** An open database; `close` removes temporary files. */
export type Opened = { db: DatabaseSync; close(): void };

/**
 * Opens another program's database without touching its folder. SQLite writes next to a database with a write-ahead log
 * even when reading, so such a database is copied first.
 */
export function openReadOnly(path: string): Opened {
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

/** A stamp that changes with every write to the database. */
export function stampOf(path: string): { stamp: string; wal: boolean; size: number } {
  const [file, log] = [path, `${path}-wal`].map((one) => statSync(one, { throwIfNoEntry: false }));
  const stamp = [file, log].map((one) => `${one?.mtimeMs} ${one?.size}`).join(" ");
  return { stamp, wal: (log?.size ?? 0) > 0, size: (file?.size ?? 0) + (log?.size ?? 0) };
}

/** A consistent copy of both files, retried if the program wrote in between. */
function copyOf(path: string, folder: string): string {
  const copy = join(folder, "copy.db");
  for (let tries = 1; ; tries++) {
    const before = stampOf(path).stamp;
    for (const end of ["", "-wal"]) copyFileSync(`${path}${end}`, `${copy}${end}`, constants.COPYFILE_FICLONE);
    if (stampOf(path).stamp === before) return copy;
    if (tries === TRIES) throw new Error("its program writes without a pause");
  }
}
