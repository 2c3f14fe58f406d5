import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A line of the audit log. Answers are recorded only as hashes. */
export type AuditEntry = { event: string; dedupe_key: string } & Record<string, unknown>;

/** The audit log of an unattended run. Each line is synced to disk before `record` returns. */
export interface Audit {
  readonly file: string;
  /** Written once for each `dedupe_key`. */
  record(entry: AuditEntry): void;
  close(): void;
}

export function openAudit(folder: string, runId: string): Audit {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${runId}.jsonl`);
  const handle = openSync(file, "a", 0o600);
  const seen = new Set<string>();
  let open = true;
  return {
    file,
    record(entry) {
      if (!open || seen.has(entry.dedupe_key)) return;
      seen.add(entry.dedupe_key);
      writeSync(handle, `${JSON.stringify({ at: new Date().toISOString(), run_id: runId, ...entry })}\n`);
      fsyncSync(handle);
    },
    close() {
      if (open) closeSync(handle);
      open = false;
    },
  };
}
