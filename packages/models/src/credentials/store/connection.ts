import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { CredentialError, type CredentialRow } from "../stored-credential.ts";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS auth_credentials (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('api_key', 'oauth')),
  identity TEXT NOT NULL,
  data TEXT NOT NULL,
  disabled_cause TEXT,
  resting_until INTEGER NOT NULL DEFAULT 0,
  strikes INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (provider, type, identity)
) STRICT;
CREATE TABLE IF NOT EXISTS auth_leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
`;
const COLUMNS =
  "id, provider, type, identity, disabled_cause AS disabledCause, resting_until AS restingUntil, strikes, created_at AS createdAt, updated_at AS updatedAt";

/** The database, opened on first use. `rows` is cached until this or another process changes the database. */
export interface Connection {
  readonly file: string;
  rows(): readonly CredentialRow[];
  data(id: number): string | undefined;
  /** Returns the number of changed rows. Throws a `CredentialError`. */
  write(sql: string, ...values: (string | number)[]): number;
  problem(): string | undefined;
  close(): void;
}

export function makeConnection(folder: string): Connection {
  const file = join(folder, "agent.db");
  let database: DatabaseSync | undefined;
  let broken: string | undefined;
  let cache: { version: unknown; rows: CredentialRow[] } | undefined;
  const attempt = <Value>(otherwise: Value, read: (db: DatabaseSync) => Value): Value => {
    if (broken !== undefined || !(database || existsSync(file))) return otherwise;
    try {
      database ??= connect(file);
      return read(database);
    } catch (error) {
      broken = `${file} cannot be read: ${(error as Error).message}`;
      return otherwise;
    }
  };
  return {
    file,
    rows: () =>
      attempt([], (db) => {
        const version = db.prepare("PRAGMA data_version").get()?.data_version;
        if (!cache || cache.version !== version) cache = { version, rows: readRows(db) };
        return cache.rows;
      }),
    data: (id) =>
      attempt(undefined, (db) => {
        const data = db.prepare("SELECT data FROM auth_credentials WHERE id = ?").get(id)?.data;
        return typeof data === "string" ? data : undefined;
      }),
    write(sql, ...values) {
      try {
        makePrivate(folder, file);
        database ??= connect(file);
        broken = undefined;
        cache = undefined;
        return Number(database.prepare(sql).run(...values).changes);
      } catch (error) {
        throw new CredentialError(`${file} cannot be written: ${(error as Error).message}`);
      }
    },
    problem: () => broken,
    close() {
      database?.close();
      database = undefined;
    },
  };
}

function makePrivate(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (existsSync(file)) chmodSync(file, 0o600);
}

function connect(file: string): DatabaseSync {
  // Loaded lazily: most commands never read a credential.
  const sqlite = createRequire(import.meta.url)("node:sqlite") as typeof import("node:sqlite");
  const mask = process.umask(0o077);
  const database = new sqlite.DatabaseSync(file);
  try {
    database.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    database.close();
    throw error;
  } finally {
    process.umask(mask);
  }
}

function readRows(database: DatabaseSync): CredentialRow[] {
  return database
    .prepare(`SELECT ${COLUMNS} FROM auth_credentials ORDER BY id`)
    .all()
    .map(({ disabledCause, ...row }) => ({
      ...(row as Omit<CredentialRow, "disabledCause">),
      ...(typeof disabledCause === "string" ? { disabledCause } : {}),
    }));
}
