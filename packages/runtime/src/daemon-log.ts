import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { hideTokens } from "./framing/lines.ts";

const LIMIT = 5 * 1024 * 1024;

/**
 * Lines for people who look for what went wrong: `logs/daemon.log`, the one before it in `daemon.1.log`. Whatever is
 * given as a secret is blotted out. A log that cannot be written is no reason to stop.
 */
export function openDaemonLog(home: string, secrets: readonly string[]): (text: string) => void {
  const path = join(home, "logs", "daemon.log");
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return (text) => {
    let line = `${new Date().toISOString()} ${text}\n`;
    for (const secret of secrets) line = line.replaceAll(secret, "[secret]");
    line = hideTokens(line);
    try {
      if (size > LIMIT) {
        renameSync(path, join(home, "logs", "daemon.1.log"));
        size = 0;
      }
      appendFileSync(path, line, { mode: 0o600 });
      size += line.length;
    } catch {
      // A full disk is told elsewhere.
    }
  };
}
