import type { Database } from "../database.ts";
import { addTurnIndex, replaceTurnIndex } from "../events.ts";
import { addRecords } from "../records.ts";
import { addTimeToFirstOutput, addUsageDetails } from "../usage.ts";
import { addActivity } from "./activity.ts";
import { addLastLines } from "./last-lines.ts";
import { addSummaries } from "./summaries.ts";
import { VERSION_1 } from "./version-1.ts";

/** One step of the schema. Runs inside the transaction that also raises the version; never changed once released. */
export type Migration = (db: Database) => void;

/** The version of a database is the number of steps that it has taken. */
export const migrations: readonly Migration[] = [
  (db) => db.exec(VERSION_1),
  addLastLines,
  addRecords,
  addSummaries,
  addTurnIndex,
  addUsageDetails,
  renameMarkColumns,
  addTimeToFirstOutput,
  addActivity,
  replaceTurnIndex,
];

/** Brings the database to the newest version, one transaction a step, so that a crash leaves it at a whole version. */
export function migrate(db: Database, steps: readonly Migration[] = migrations): void {
  for (const [index, step] of [...steps.entries()].slice(versionOf(db))) {
    db.transaction(() => {
      step(db);
      db.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}

export function versionOf(db: Database): number {
  return db.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

/** The columns hold a decoder's mark; a checkpoint is a snapshot of files. */
function renameMarkColumns(db: Database): void {
  db.exec("ALTER TABLE spools RENAME COLUMN checkpoint TO mark");
  db.exec("ALTER TABLE spools RENAME COLUMN checkpoint_offset TO mark_offset");
}
