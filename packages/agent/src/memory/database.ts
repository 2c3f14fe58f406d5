import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS threads (
  id TEXT PRIMARY KEY, scope TEXT NOT NULL, file TEXT NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS stage1_outputs (
  thread_id TEXT PRIMARY KEY, scope TEXT NOT NULL, updated_at INTEGER NOT NULL, raw_memory TEXT NOT NULL,
  summary TEXT NOT NULL, generated_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS jobs (
  kind TEXT NOT NULL, key TEXT NOT NULL, scope TEXT NOT NULL, wanted INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT -1,
  owner TEXT, lease_until INTEGER NOT NULL DEFAULT 0, retry_at INTEGER NOT NULL DEFAULT 0, error TEXT,
  PRIMARY KEY (kind, key));
`;

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

export type JobKind = "extract" | "consolidate";
export type Claim = { kind: JobKind; key: string; owner: string; wanted: number };
export type Extraction = { raw: string; summary: string };

/**
 * The jobs of all processes. A job is pending while `wanted` is greater than `done`. A process that runs a job holds a
 * lease on it. Only the lease holder can finish the job, and its result is stored in the same transaction. So a job that
 * changed hands leaves one result.
 */
export class MemoryDatabase {
  private readonly db: DatabaseSync;
  private readonly now: () => number;

  private constructor(db: DatabaseSync, now: () => number) {
    this.db = db;
    this.now = now;
  }

  /** A file that is not a database is moved aside: everything in it can be extracted again. */
  static async open(file: string, now: () => number): Promise<MemoryDatabase> {
    const { DatabaseSync } = await import("node:sqlite");
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const open = (): DatabaseSync => {
      const db = new DatabaseSync(file, { timeout: 30_000 });
      try {
        db.exec("PRAGMA journal_mode = WAL");
        db.exec(SCHEMA);
        return db;
      } catch (error) {
        db.close();
        throw error;
      }
    };
    try {
      return new MemoryDatabase(open(), now);
    } catch (error) {
      if (![CORRUPT, NOT_A_DATABASE].includes((error as { errcode?: number }).errcode ?? 0)) throw error;
      renameSync(file, `${file}.${Date.now()}.broken`);
      return new MemoryDatabase(open(), now);
    }
  }

  close(): void {
    this.db.close();
  }

  /** Requests an extraction of an idle session if it changed since the last one. */
  want(thread: { id: string; scope: string; file: string; updatedAt: number }): void {
    const { id, scope, file, updatedAt } = thread;
    this.run(
      "INSERT INTO threads VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET file = excluded.file, updated_at = excluded.updated_at",
      [id, scope, file, updatedAt],
    );
    this.wantJob("extract", id, scope, updatedAt);
  }

  /** Requests a consolidation. */
  wantConsolidation(scope: string): void {
    this.transaction(() => {
      const job = this.queryRow("SELECT wanted FROM jobs WHERE kind = 'consolidate' AND key = ?", [scope]);
      this.wantJob("consolidate", scope, scope, Number(job?.wanted ?? 0) + 1);
      this.run("UPDATE jobs SET retry_at = 0 WHERE kind = 'consolidate' AND key = ?", [scope]);
    });
  }

  /** Leases the most recent pending job that no process holds; `undefined` when there is none. */
  claim(kind: JobKind, scope: string, leaseMs: number): Claim | undefined {
    return this.transaction(() => {
      const now = this.now();
      const job = this.queryRow(
        `SELECT key, wanted FROM jobs WHERE kind = ? AND scope = ? AND wanted > done AND retry_at <= ?
         AND (owner IS NULL OR lease_until <= ?) ORDER BY wanted DESC LIMIT 1`,
        [kind, scope, now, now],
      );
      if (!job) return undefined;
      const owner = randomUUID();
      const key = String(job.key);
      this.run("UPDATE jobs SET owner = ?, lease_until = ? WHERE kind = ? AND key = ?", [
        owner,
        now + leaseMs,
        kind,
        key,
      ]);
      return { kind, key, owner, wanted: Number(job.wanted) };
    });
  }

  /** Returns false when another process holds the job now. */
  renew({ kind, key, owner }: Claim, leaseMs: number): boolean {
    const lease = this.now() + leaseMs;
    return (
      this.run("UPDATE jobs SET lease_until = ? WHERE kind = ? AND key = ? AND owner = ?", [
        lease,
        kind,
        key,
        owner,
      ]) === 1
    );
  }

  /** Calls `store` and completes the job in one transaction, if the caller still holds it. Returns whether it did. */
  finish(claim: Claim, store: () => void): boolean {
    return this.transaction(() => {
      const { kind, key, owner, wanted } = claim;
      const done = this.run(
        "UPDATE jobs SET done = ?, owner = NULL, lease_until = 0, error = NULL WHERE kind = ? AND key = ? AND owner = ?",
        [wanted, kind, key, owner],
      );
      if (done !== 1) return false;
      store();
      return true;
    });
  }

  fail({ kind, key, owner }: Claim, error: string, delayMs: number): void {
    this.run(
      "UPDATE jobs SET owner = NULL, lease_until = 0, retry_at = ?, error = ? WHERE kind = ? AND key = ? AND owner = ?",
      [this.now() + delayMs, error, kind, key, owner],
    );
  }

  thread(id: string): { file: string } | undefined {
    const row = this.queryRow("SELECT file FROM threads WHERE id = ?", [id]);
    return row && { file: String(row.file) };
  }

  /** Called within `finish`. An extraction that found nothing deletes the older result. */
  keep(id: string, scope: string, updatedAt: number, extraction: Extraction | undefined): void {
    const before = this.run("DELETE FROM stage1_outputs WHERE thread_id = ?", [id]);
    if (extraction) {
      const { raw, summary } = extraction;
      this.run("INSERT INTO stage1_outputs VALUES (?, ?, ?, ?, ?, ?)", [
        id,
        scope,
        updatedAt,
        raw,
        summary,
        this.now(),
      ]);
    }
    if (!extraction && before === 0) return;
    const job = this.queryRow("SELECT wanted FROM jobs WHERE kind = 'consolidate' AND key = ?", [scope]);
    this.wantJob("consolidate", scope, scope, Number(job?.wanted ?? 0) + 1);
  }

  extractions(scope: string, limit: number): (Extraction & { id: string })[] {
    const rows = this.db
      .prepare("SELECT * FROM stage1_outputs WHERE scope = ? ORDER BY updated_at DESC, thread_id LIMIT ?")
      .all(scope, limit);
    return rows.map((row) => ({
      id: String(row.thread_id),
      raw: String(row.raw_memory),
      summary: String(row.summary),
    }));
  }

  clear(scope: string): void {
    this.transaction(() => {
      for (const table of ["threads", "stage1_outputs", "jobs"])
        this.run(`DELETE FROM ${table} WHERE scope = ?`, [scope]);
    });
  }

  private wantJob(kind: JobKind, key: string, scope: string, wanted: number): void {
    // A session that changed is retried at once, even if its last extraction failed.
    this.run(
      `INSERT INTO jobs (kind, key, scope, wanted) VALUES (?, ?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET
       retry_at = CASE WHEN excluded.wanted > wanted THEN 0 ELSE retry_at END, wanted = max(wanted, excluded.wanted)`,
      [kind, key, scope, wanted],
    );
  }

  private run(sql: string, values: SQLInputValue[]): number {
    return Number(this.db.prepare(sql).run(...values).changes);
  }

  private queryRow(sql: string, values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.db.prepare(sql).get(...values);
  }

  private transaction<Result>(work: () => Result): Result {
    this.db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.db.exec("COMMIT");
      return result;
    } catch (error) {
      this.db.exec("ROLLBACK");
      throw error;
    }
  }
}
