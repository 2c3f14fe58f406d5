import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readlink } from "node:fs/promises";
import { sep } from "node:path";
import type { BriefResult } from "../contract.ts";

export type BriefOptions = {
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  /** Receives stdout as it arrives. */
  onStdout?: (text: string) => void;
};

const OUTPUT_LIMIT = 1024 * 1024;
const STOP_GRACE_MS = 500;
/** Grace period for output after the exit, because a descendant may hold the pipes open. */
const DRAIN_MS = 200;
const grouped = process.platform !== "win32";

/**
 * A short-lived process in a dedicated process group. The whole group is stopped when the timeout passes or when stdout
 * exceeds one megabyte. Nothing here throws. `result` never rejects and resolves once the whole group is gone.
 */
export class BriefProcess {
  readonly result: Promise<BriefResult>;
  readonly #options: BriefOptions;
  readonly #resolve: (result: BriefResult) => void;
  readonly #timers: NodeJS.Timeout[] = [];
  #child: ChildProcess | undefined;
  #outcome: BriefResult = { code: null, stdout: "", stderr: "", timedOut: false };
  #stopped = false;
  #settled = false;

  constructor(command: readonly string[], options: BriefOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<BriefResult>();
    this.result = promise;
    this.#resolve = resolve;
    this.#start(command);
  }

  /** Writes to stdin; a no-op after the exit. */
  write(text: string): void {
    if (this.#child?.stdin?.writable) this.#child.stdin.write(text);
  }

  /** Closes stdin. */
  end(): void {
    this.#child?.stdin?.end();
  }

  /** Sends SIGTERM to the group, then SIGKILL after half a second. */
  stop(): void {
    if (this.#settled || this.#stopped) return;
    this.#stopped = true;
    this.#kill("SIGTERM");
    this.#runAfter(STOP_GRACE_MS, () => this.#kill("SIGKILL"));
  }

  #start([program = "", ...args]: readonly string[]): void {
    const { cwd, env, timeoutMs } = this.#options;
    try {
      this.#child = spawn(program, args, { cwd, env, detached: grouped, windowsHide: true });
    } catch (error) {
      this.#settle({ failed: (error as Error).message });
      return;
    }
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on("error", () => {});
    stdout?.setEncoding("utf8").on("data", (text: string) => this.#receive(text));
    stderr?.setEncoding("utf8").on("data", (text: string) => this.#append("stderr", text));
    this.#child.on("error", (error) => this.#settle({ failed: error.message }));
    this.#child.on("close", () => this.#settle());
    this.#child.on("exit", (code) => {
      this.#outcome.code = this.#stopped ? null : code;
      this.#runAfter(DRAIN_MS, () => this.#settle());
    });
    this.#runAfter(timeoutMs, () => {
      this.#outcome.timedOut = true;
      this.stop();
    });
  }

  #receive(text: string): void {
    this.#append("stdout", text);
    this.#options.onStdout?.(text);
    if (this.#outcome.stdout.length < OUTPUT_LIMIT) return;
    this.#child?.stdout?.destroy();
    this.stop();
  }

  #append(stream: "stdout" | "stderr", text: string): void {
    const room = OUTPUT_LIMIT - this.#outcome[stream].length;
    if (room > 0) this.#outcome[stream] += text.slice(0, room);
  }

  #settle(more: Partial<BriefResult> = {}): void {
    if (this.#settled) return;
    this.#settled = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#kill("SIGKILL");
    for (const stream of [this.#child?.stdin, this.#child?.stdout, this.#child?.stderr]) stream?.destroy();
    this.#resolve({ ...this.#outcome, ...more });
  }

  #kill(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (grouped) process.kill(-pid, signal);
      else this.#child?.kill(signal);
    } catch {
      // The group is gone already.
    }
  }

  #runAfter(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms));
  }
}

/**
 * Kills every process whose working folder is `folder` or below it: descendants that left the process group. Linux
 * only, a no-op elsewhere. Never rejects.
 */
export async function killOrphansIn(folder: string): Promise<void> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  await Promise.all(pids.map((pid) => killIfIn(folder, pid)));
}

async function killIfIn(folder: string, pid: string): Promise<void> {
  try {
    const cwd = await readlink(`/proc/${pid}/cwd`);
    if (cwd === folder || cwd.startsWith(folder + sep)) process.kill(Number(pid), "SIGKILL");
  } catch {
    // The process belongs to another user or has ended.
  }
}
