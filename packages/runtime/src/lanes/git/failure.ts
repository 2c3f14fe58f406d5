import { existsSync, statSync } from "node:fs";
import { GantryError } from "@gantry/protocol";

/** Turns git's error output into an error for the user. */
export function gitFailure(args: readonly string[], { err, why }: { err: string; why: string }): GantryError {
  const lock = heldLock(err);
  if (lock) return lockFailure(lock);
  const reason = lastError(err);
  const message = reason ? `git ${commandOf(args)} failed: ${reason}` : `git ${commandOf(args)} ${why}.`;
  return new GantryError("git_failed", message, { details: { args, why, said: err.trim().slice(-4000) } }); // prose-ignore: fixed API field
}

export function cannotRun(error: NodeJS.ErrnoException, cwd: string): GantryError {
  if (error.code === "ENOENT" && !existsSync(cwd)) {
    return new GantryError("lane_gone", `The folder ${cwd} does not exist.`);
  }
  return new GantryError("unavailable", `git cannot be started: ${error.message}.`, {
    remedy: "Install git 2.36 or newer and make sure that it is on the daemon's PATH.",
  });
}

/** The lock file that stopped git. */
export function heldLock(err: string): string | undefined {
  return (
    /Unable to create '([^']+\.lock)': File exists/.exec(err)?.[1] ??
    /cannot lock ref .*Unable to create '([^']+)'/.exec(err)?.[1]
  );
}

function lockFailure(lock: string): GantryError {
  const since = sinceWhen(lock);
  const when = since ? ` since ${since.toISOString()}` : "";
  return new GantryError("git_locked", `Another git process holds ${lock}${when}, or was killed and left it behind.`, {
    remedy: `Wait until it ends. If no git process runs in this repository, remove the file: rm '${lock}'`,
    details: { lock, ...(since ? { since: since.toISOString() } : {}) },
  });
}

function sinceWhen(path: string): Date | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime;
}

/** The last error line, without its prefix and without hints. */
function lastError(err: string): string {
  const lines = err
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const fatal = lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? "";
  return fatal.replace(/^(fatal|error): /, "");
}

/** The subcommand, such as `worktree add`, without flags and paths. */
function commandOf(args: readonly string[]): string {
  const parts: string[] = [];
  for (let i = 0; i < args.length && parts.length < 2; i++) {
    const part = args[i] ?? "";
    if (part === "-c") i++;
    else if (/^[a-z-]+$/.test(part) && !part.startsWith("-")) parts.push(part);
    else break;
  }
  return parts.join(" ");
}
