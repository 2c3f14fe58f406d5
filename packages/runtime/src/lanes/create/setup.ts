import { spawn } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import type { LaneSetup } from "@gantry/protocol";
import { MARKER, startToken } from "../../process/identity.ts";
import { reap, stop } from "../../process/stop.ts";

export type SetupRun = {
  /** Marks the started processes, so that the next daemon finds them. */
  id: string;
  command: string;
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  /** Receives the output. */
  log: string;
  now: () => string;
  /** Ends the command early. */
  signal?: AbortSignal;
};

const GRACE_MS = 2000;
const SHOWN_BYTES = 64 * 1024;
/** A command that prints more is ended, so that it does not fill the disk. */
const LOG_BYTES = 64 * 1024 * 1024;
const LOOK_MS = 100;

/**
 * Runs a set-up command in a separate process group and resolves with its outcome. Never throws for a failing command.
 * Ends processes that an earlier run with the same id left running.
 */
export async function runSetup(run: SetupRun): Promise<LaneSetup> {
  await reap({ id: run.id, pgid: 0 });
  const startedAt = run.now();
  const outcome = await attempt(run);
  return { command: run.command, startedAt, endedAt: run.now(), ...outcome };
}

async function attempt({
  id,
  command,
  cwd,
  env,
  timeoutMs,
  log,
  signal,
}: SetupRun): Promise<Pick<LaneSetup, "state" | "exitCode">> {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  rmSync(log, { force: true });
  const out = openSync(log, "a", 0o600);
  try {
    const child = spawn("/bin/sh", ["-c", command], {
      cwd,
      env: { ...env, [MARKER]: id },
      detached: true,
      stdio: ["ignore", out, out],
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(127));
      child.once("exit", (code) => resolve(code));
    });
    const { pid } = child;
    if (pid === undefined) return { state: "failed", exitCode: 127 };
    const target = { id, pid, pgid: pid, startedAt: startToken(pid) ?? "ended" };
    let late = false;
    const end = () => void stop(target, { graceMs: GRACE_MS });
    const timer = setTimeout(() => {
      late = true;
      end();
    }, timeoutMs);
    const looking = setInterval(() => isTooLong(log) && end(), LOOK_MS);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
    const exitCode = await ended;
    signal?.removeEventListener("abort", end);
    clearTimeout(timer);
    clearInterval(looking);
    if (isTooLong(log)) {
      shorten(log, out);
      return { state: "failed" };
    }
    if (late) return { state: "timeout" };
    return exitCode === 0 ? { state: "ok", exitCode } : { state: "failed", ...(exitCode === null ? {} : { exitCode }) };
  } finally {
    closeSync(out);
  }
}

function isTooLong(log: string): boolean {
  return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES;
}

/** Truncates a finished log to its end, which is all that is shown, and appends the reason. */
function shorten(log: string, out: number): void {
  const { log: end } = setupOutput(log);
  ftruncateSync(out, 0);
  appendFileSync(out, `${end}\nEnded by Gantry: it printed more than ${LOG_BYTES / 1024 / 1024} MB.\n`);
}

/** The end of the output so far. */
export function setupOutput(log: string): { log: string; bytes: number } {
  if (!existsSync(log)) return { log: "", bytes: 0 };
  const bytes = statSync(log).size;
  const tail = Buffer.alloc(Math.min(bytes, SHOWN_BYTES));
  const file = openSync(log, "r");
  try {
    const read = readSync(file, tail, 0, tail.length, bytes - tail.length);
    return { log: tail.subarray(0, read).toString("utf8"), bytes };
  } finally {
    closeSync(file);
  }
}

export function removeSetupOutput(log: string): void {
  rmSync(log, { force: true });
}
