import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Model } from "../model.ts";

export const CACHE_VERSION = 3;
/** How long what a provider said counts. */
export const FRESH_MS = 2 * 3_600_000;
/** How soon it is asked again when it did not answer. */
export const RETRY_MS = 5 * 60_000;

export type CachedModels = {
  updatedAt: number;
  /** The provider itself has said it; otherwise it did not answer, and these are what was known before. */
  authoritative: boolean;
  /** Of the bundled models that were joined in, and of what was asked. */
  fingerprint: string;
  models: Model[];
};

/** What providers have said, kept over runs and shared by processes. A file that cannot be used is as good as none. */
export type ModelCache = {
  read(provider: string): CachedModels | undefined;
  write(provider: string, row: CachedModels): void;
  close(): void;
};

export function openModelCache(file: string): ModelCache {
  let database: DatabaseSync | undefined;
  let broken = false;
  const open = (make: boolean): DatabaseSync | undefined => {
    if (database || broken || (!make && !existsSync(file))) return database;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const opened = new DatabaseSync(file);
      opened.exec(`PRAGMA busy_timeout = 3000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE TABLE IF NOT EXISTS model_cache (
          provider_id TEXT PRIMARY KEY, version INTEGER NOT NULL, updated_at INTEGER NOT NULL,
          authoritative INTEGER NOT NULL, static_fingerprint TEXT NOT NULL, models TEXT NOT NULL)`);
      database = opened;
    } catch {
      broken = true;
    }
    return database;
  };
  return {
    read(provider) {
      try {
        const row = open(false)
          ?.prepare("SELECT * FROM model_cache WHERE provider_id = ? AND version = ?")
          .get(provider, CACHE_VERSION);
        return row && parse(row);
      } catch {
        return undefined;
      }
    },
    write(provider, { updatedAt, authoritative, fingerprint, models }) {
      try {
        open(true)
          ?.prepare("INSERT OR REPLACE INTO model_cache VALUES (?, ?, ?, ?, ?, ?)")
          .run(provider, CACHE_VERSION, updatedAt, authoritative ? 1 : 0, fingerprint, JSON.stringify(models));
      } catch {
        // The next one who asks asks the provider again.
      }
    },
    close() {
      database?.close();
      database = undefined;
      broken = true;
    },
  };
}

function parse(row: Record<string, unknown>): CachedModels | undefined {
  const models: unknown = JSON.parse(String(row.models));
  if (!Array.isArray(models)) return undefined;
  return {
    updatedAt: Number(row.updated_at),
    authoritative: row.authoritative === 1,
    fingerprint: String(row.static_fingerprint),
    models: models as Model[],
  };
}

/** Does it still count, so that nobody has to be asked? A time in the future is a clock that was wrong. */
export function isFresh(row: CachedModels, now: number): boolean {
  const age = now - row.updatedAt;
  return age >= 0 && age < (row.authoritative ? FRESH_MS : RETRY_MS);
}
