import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { GantryError } from "@gantry/protocol";

/** The content of `daemon.json`, which clients read to find the daemon. */
export type DaemonFile = { pid: number; port: number; url: string; version: string; startedAt: string };

/** Another daemon owns the home folder. */
export class DaemonHeldError extends GantryError {
  readonly holder: DaemonFile | undefined;

  constructor(home: string, holder: DaemonFile | undefined) {
    const owner = holder ? `process ${holder.pid} at ${holder.url}, since ${holder.startedAt}` : "another process";
    super("unavailable", `A daemon already runs on ${home}: ${owner}.`, {
      remedy: "Use it, stop it with `gantry stop`, or set GANTRY_HOME to another folder.",
    });
    this.name = "DaemonHeldError";
    this.holder = holder;
  }
}

/** Creates the home folder, accessible to its owner alone. Throws `unavailable` when that fails. */
export function openHome(home: string): void {
  try {
    for (const folder of [home, join(home, "logs"), join(home, "uploads"), join(home, "agents")]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    chmodSync(home, 0o700);
  } catch (error) {
    throw new GantryError("unavailable", `The folder ${home} cannot be used: ${(error as Error).message}`, {
      remedy: "Make it writable, or set GANTRY_HOME to another folder.",
    });
  }
}

/**
 * Locks the home folder for this process. It is a lock of the operating system on an open file, so it ends with the
 * process, however that ends. Throws `DaemonHeldError`.
 */
export function lockHome(home: string): () => void {
  const lock = new DatabaseSync(join(home, "lock.db"));
  try {
    lock.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch {
    lock.close();
    throw new DaemonHeldError(home, readDaemonFile(home));
  }
  return () => lock.close();
}

/** The API token, created on first use, readable by the owner alone. */
export function readToken(home: string): string {
  const path = join(home, "token");
  try {
    const token = readFileSync(path, "utf8").trim();
    if (token.length >= 32) {
      chmodSync(path, 0o600);
      return token;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const token = randomBytes(32).toString("base64url");
  replace(path, `${token}\n`);
  return token;
}

export function readDaemonFile(home: string): DaemonFile | undefined {
  try {
    return JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as DaemonFile;
  } catch {
    return undefined;
  }
}

export function writeDaemonFile(home: string, file: DaemonFile): void {
  replace(join(home, "daemon.json"), `${JSON.stringify(file)}\n`);
}

export function removeDaemonFile(home: string): void {
  rmSync(join(home, "daemon.json"), { force: true });
}

/** Writes atomically: a concurrent reader gets the old or the new file. */
function replace(path: string, text: string): void {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, path);
}
