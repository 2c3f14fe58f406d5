import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { chmod, lstat, readdir } from "node:fs/promises";
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

/**
 * Creates the home folder, accessible to its owner alone, and tightens the files directly in it. Throws `unavailable` when
 * the folder cannot be written.
 */
export function openHome(home: string): void {
  try {
    for (const folder of [home, ...FOLDERS.map((name) => join(home, name))])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    tightenEntries(home);
    // A read-only file system allows all of the above if nothing had to be changed.
    const probe = join(home, `.write-test.${process.pid}`);
    writeFileSync(probe, Buffer.alloc(4096), { mode: 0o600 });
    rmSync(probe);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new GantryError("unavailable", `The folder ${home} cannot be used: ${REASONS[code ?? ""] ?? message}.`, {
      remedy:
        code === "ENOSPC"
          ? "Free some disk space, then try again."
          : "Make it a folder of yours that can be written, or set GANTRY_HOME to another one.",
    });
  }
}

const FOLDERS = ["logs", "uploads", "agents", "spool", "blobs"];

const REASONS: Record<string, string> = {
  EEXIST: "it is a file, not a folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  ELOOP: "its path is a loop of symbolic links",
  EROFS: "the file system is read-only",
  EACCES: "you may not write there",
  EPERM: "it belongs to another user",
  ENOSPC: "the disk is full",
};

function tightenEntries(home: string): void {
  for (const entry of readdirSync(home, { withFileTypes: true })) {
    const path = join(home, entry.name);
    const mode = entry.isSymbolicLink() ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0);
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  }
}

/**
 * Removes the permissions of other users from every file below the home folder, except in lanes, which are the user's work
 * trees. Earlier versions created some files with the umask of the shell. Follows no links. Never rejects.
 */
export async function tightenHome(home: string): Promise<void> {
  const pending = [home];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink() || path === join(home, "lanes")) continue;
      if (entry.isDirectory()) pending.push(path);
      const mode = await lstat(path).then(
        (stat) => stat.mode,
        () => 0,
      );
      if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700).catch(() => undefined);
    }
  }
}

/**
 * Locks the home folder for this process. It is a lock of the operating system on an open file, so it ends with the
 * process, however that ends. Throws `DaemonHeldError`.
 */
export function lockHome(home: string): () => void {
  const path = join(home, "lock.db");
  createPrivate(path);
  const lock = new DatabaseSync(path);
  try {
    // A command that asks for the holder reads for a moment.
    lock.exec("PRAGMA busy_timeout = 200; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch {
    lock.close();
    throw new DaemonHeldError(home, readDaemonFile(home));
  }
  return () => lock.close();
}

/**
 * Creates an empty file that only the owner can use, unless it exists. SQLite gives its journals the permissions of the
 * database. Never opens an existing file: closing it would release the locks that this process has on it.
 */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
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
  const token = readRandomBytes(32).toString("base64url");
  replace(path, `${token}\n`);
  return token;
}

/** The kernel's random source, read directly: loading node:crypto takes a tenth of the whole start. */
function readRandomBytes(count: number): Buffer {
  const source = openSync("/dev/urandom", "r");
  try {
    const bytes = Buffer.alloc(count);
    if (readSync(source, bytes) !== count) throw new Error("The kernel returned too few random bytes.");
    return bytes;
  } finally {
    closeSync(source);
  }
}

export function readDaemonFile(home: string): DaemonFile | undefined {
  try {
    return JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as DaemonFile;
  } catch {
    return undefined;
  }
}

const CHECK_MS = 1000;

/**
 * Writes `daemon.json` and writes it again whenever it is missing or differs, until the returned function is called, which
 * removes it. Without the file no command would find a daemon that is alive.
 */
export function publishDaemonFile(home: string, file: DaemonFile, log: (line: string) => void): () => void {
  const path = join(home, "daemon.json");
  const text = `${JSON.stringify(file)}\n`;
  let written = "";
  const write = () => {
    replace(path, text);
    written = stampOf(path);
  };
  write();
  const timer = setInterval(() => {
    try {
      if (stampOf(path) === written) return;
      write();
      log("daemon.json was missing or changed; written again");
    } catch {
      // The disk is full or read-only: the next check tries again.
    }
  }, CHECK_MS).unref();
  return () => {
    clearInterval(timer);
    removeDaemonFile(home);
  };
}

export function removeDaemonFile(home: string): void {
  rmSync(join(home, "daemon.json"), { recursive: true, force: true });
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join() : "";
}

/** Writes atomically: a concurrent reader gets the old or the new file. */
function replace(path: string, text: string): void {
  const next = `${path}.${process.pid}`;
  // Someone may have put a folder in its place.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true });
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, path);
}
