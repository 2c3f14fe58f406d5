import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { hideTokens } from "./framing/redact.ts";

const LIMIT = 5 * 1024 * 1024;

/**
 * The daemon's log for diagnosis: `logs/daemon.log`, rotated to `daemon.1.log`. Redacts tokens. Never throws; a line that
 * cannot be written is dropped.
 */
export function openDaemonLog(home: string): (text: string) => void {
  const path = join(home, "logs", "daemon.log");
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return (text) => {
    const line = hideTokens(`${new Date().toISOString()} ${text}\n`);
    try {
      if (size > LIMIT) {
        renameSync(path, join(home, "logs", "daemon.1.log"));
        size = 0;
      }
      appendFileSync(path, line, { mode: 0o600 });
      size += line.length;
    } catch {
      // The store reports a full disk.
    }
  };
}
