import { existsSync, statSync } from "node:fs";
import { GantryError } from "@gantry/protocol";

/** What git said as it refused, as an error for people. */
export function gitFailure(args: readonly string[], { err, why }: { err: string; why: string }): GantryError {
  const lock = heldLock(err);
  if (lock) return lockFailure(lock);
  const said = lastWords(err);
  const message = said ? `git ${commandOf(args)} was refused: ${said}` : `git ${commandOf(args)} ${why}.`;
  return new GantryError("git_failed", message, { details: { args, why, said: err.trim().slice(-4000) } });
}

export function cannotRun(error: NodeJS.ErrnoException, cwd: string): GantryError {
  if (error.code === "ENOENT" && !existsSync(cwd)) {
    return new GantryError("lane_gone", `The folder ${cwd} is not there.`);
  }
  return new GantryError("unavailable", `git cannot be started: ${error.message}.`, {
    remedy: "Install git 2.36 or newer and see that it is on the daemon's PATH.",
  });
}

/** The lock file that was in git's way. */
export function heldLock(err: string): string | undefined {
  return (
    /Unable to create '([^']+\.lock)': File exists/.exec(err)?.[1] ??
    /cannot lock ref .*Unable to create '([^']+)'/.exec(err)?.[1]
  );
}

function lockFailure(lock: string): GantryError {
  const since = sinceWhen(lock);
  const when = since ? ` since ${since.toISOString()}` : "";
  return new GantryError("git_locked", `Another git holds ${lock}${when}, or was killed and left it behind.`, {
    remedy: `Wait for it. If no git runs in this repository any more, remove the file: rm '${lock}'`,
    details: { lock, ...(since ? { since: since.toISOString() } : {}) },
  });
}

function sinceWhen(path: string): Date | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime;
}

/** Its last complaint, without the word before it and without advice. */
function lastWords(err: string): string {
  const lines = err
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const fatal = lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? "";
  return fatal.replace(/^(fatal|error): /, "");
}

/** `worktree add` and not its flags and paths. */
function commandOf(args: readonly string[]): string {
  const words: string[] = [];
  for (let i = 0; i < args.length && words.length < 2; i++) {
    const word = args[i] ?? "";
    if (word === "-c") i++;
    else if (/^[a-z-]+$/.test(word) && !word.startsWith("-")) words.push(word);
    else break;
  }
  return words.join(" ");
}
