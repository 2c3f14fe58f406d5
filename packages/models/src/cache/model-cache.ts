import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Model } from "../model.ts";

export const CACHE_VERSION = 3;
/** How long a provider's list is valid. */
export const FRESH_MS = 2 * 3_600_000;
/** When to query a provider again that did not answer. */
export const RETRY_MS = 5 * 60_000;

export type CachedModels = {
  updatedAt: number;
  /** False: the provider did not answer, and these are the models that were known before. */
  authoritative: boolean;
  /** Of the bundled models that were merged in, and of the query. */
  fingerprint: string;
  models: Model[];
};

/** Caches providers' model lists across runs and processes. An unusable file counts as an empty cache. */
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
        // Not cached: the next run queries the provider again.
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

/** Whether the row is valid without querying the provider. A time in the future comes from a wrong clock. */
export function isFresh(row: CachedModels, now: number): boolean {
  const age = now - row.updatedAt;
  return age >= 0 && age < (row.authoritative ? FRESH_MS : RETRY_MS);
}

const fingerprints = new WeakMap<readonly Model[], string>();

/** Identifies a catalogue's models of one provider. Computed once per array, which must not change. */
export function fingerprint(models: readonly Model[]): string {
  const cached = fingerprints.get(models);
  if (cached !== undefined) return cached;
  const computed = createHash("sha256").update(JSON.stringify(models)).digest("base64url").slice(0, 16);
  fingerprints.set(models, computed);
  return computed;
}
