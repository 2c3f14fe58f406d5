export { fetchJson } from "./fetch-json.ts";

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GantryError } from "@gantry/protocol";
import type { Target } from "./transport.ts";

/** The file `daemon.json` that a daemon writes into its home folder when it is ready. */
export type DaemonFile = { pid: number; port: number; url: string; version: string; startedAt: string };

/**
 * Finds the daemon of a home folder by `daemon.json` and `token`. Throws `unavailable` when the files are missing. A
 * found daemon may have ended since; only a request shows whether it still runs.
 */
export function discover(home: string): Target & { daemon: DaemonFile } {
  const daemon = parse(read(join(home, "daemon.json")));
  const token = read(join(home, "token"))?.trim();
  if (daemon && token) return { url: daemon.url, token, daemon };
  throw new GantryError("unavailable", `No daemon runs for ${home}.`, { remedy: "`gantry serve` starts one." });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** `undefined` also for a file that is only partly written. */
function parse(text: string | undefined): DaemonFile | undefined {
  try {
    const value = JSON.parse(text ?? "");
    return typeof value?.url === "string" && typeof value.pid === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}
