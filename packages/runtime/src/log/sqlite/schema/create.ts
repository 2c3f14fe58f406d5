import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createPrivate } from "../../../home.ts";
import { Database } from "../database.ts";
import { migrations } from "./migrations.ts";
import { SCHEMA } from "./schema.ts";

/** Whether neither the database nor the write-ahead log of a lost one exists, which SQLite would apply to a new database. */
export function isMissing(path: string): boolean {
  return !existsSync(path) && !existsSync(`${path}-wal`);
}

/**
 * Makes a new database at the newest version, completely or not at all: it gets its name when it is on the disk. SQLite alone
 * would wait for the disk six times. Throws errors of SQLite and of the file system.
 */
export function createDatabase(path: string): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  createPrivate(draft);
  const db = new Database(path, new DatabaseSync(draft));
  try {
    // A crash loses only the draft, so it needs no journal.
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
      ${SCHEMA} PRAGMA user_version = ${migrations.length}; COMMIT`);
  } finally {
    db.close();
  }
  const file = openSync(draft, "r+");
  try {
    // SQLite's file format: 2 in the bytes 18 and 19 is a database with a write-ahead log.
    writeSync(file, Buffer.from([2, 2]), 0, 2, 18);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
