import { spawn } from "node:child_process";
import { totalmem } from "node:os";
import { cannotRun, gitFailure } from "./failure.ts";

/** `out` is decoded as UTF-8; `bytes` is the raw output. */
export type GitAnswer = { code: number; bytes: Buffer; out: string; err: string; cut: boolean };

export type RunOptions = {
  env: Record<string, string | undefined>;
  /** Written to standard input. */
  input: string | Buffer | undefined;
  /** Limit of the output in bytes. */
  most: number;
  timeoutMs: number;
  /** Limit of the heap of each process. Mapped pack files do not count. */
  heapKb: number | "unlimited";
};

/** A hostile repository can make git read for ever: an attributes file may be a link to `/dev/zero`. */
export const MOST_HEAP_KB = Math.floor(Math.min(4 * 1024 ** 3, totalmem() / 2) / 1024);
const NOT_FOUND = 127;
/** `ulimit -d` has no effect on macOS. */
const SCRIPT = 'ulimit -d "$0" 2>/dev/null; exec git "$@"';

/**
 * Runs git in a process group and resolves when it has ended, whatever its exit code. The group is killed at the deadline,
 * because git starts further processes that do the work. Rejects with GantryError if git cannot run or was killed.
 */
export function runGit(cwd: string, args: readonly string[], options: RunOptions): Promise<GitAnswer> {
  const { input, most, timeoutMs, heapKb } = options;
  const env = Object.fromEntries(Object.entries(options.env).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", SCRIPT, String(heapKb), ...args], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    const out: Buffer[] = [];
    let [size, err, cut, late] = [0, "", false, false];
    const timer = setTimeout(() => {
      late = true;
      killGroup(child.pid, "SIGKILL");
    }, timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      if (size < most) out.push(chunk.subarray(0, most - size));
      size += chunk.length;
      if (size <= most) return;
      cut = true;
      killGroup(child.pid, "SIGTERM");
    });
    child.stderr.on("data", (chunk: Buffer) => (err = (err + chunk).slice(-20_000)));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(cannotRun(error, cwd));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (late) return reject(gitFailure(args, { err, why: `did not end within ${timeoutMs / 1000} s` }));
      if (signal && !cut) return reject(gitFailure(args, { err, why: `was ended by ${signal}` }));
      if (code === NOT_FOUND && /not found/.test(err))
        return reject(cannotRun(new Error("it is not on the PATH"), cwd));
      const bytes = Buffer.concat(out);
      resolve({ code: cut ? 0 : (code ?? 1), bytes, out: bytes.toString("utf8"), err, cut });
    });
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
