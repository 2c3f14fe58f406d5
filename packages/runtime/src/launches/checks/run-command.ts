import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { type Identity, startToken } from "../../process/identity.ts";

export type CommandEnd = { state: "passed" | "failed" | "timeout" | "interrupted"; exitCode?: number };

export type Running = {
  /** Identifies its process group after a crash. */
  identity: Identity;
  ended: Promise<CommandEnd>;
  /** Ends the whole group. */
  stop(): void;
};

/** Runs a command of the user in a shell and a separate process group. Its output goes to a file. */
export function runCommand(options: {
  command: string;
  cwd: string;
  env: Record<string, string>;
  log: string;
  timeoutMs: number;
}): Running {
  const { command, cwd, env, log, timeoutMs } = options;
  const file = openSync(log, "w", 0o600);
  const child = spawn("/bin/sh", ["-c", command], { cwd, env, detached: true, stdio: ["ignore", file, file] });
  closeSync(file);
  const pid = child.pid ?? 0;
  let why: "timeout" | "interrupted" | undefined;
  const end = (reason: "timeout" | "interrupted") => {
    why ??= reason;
    killGroup(pid);
  };
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once("error", () => resolve({ state: "failed" }));
    child.once("exit", (code) => {
      clearTimeout(timer);
      // Its background processes belong to it.
      killGroup(pid);
      resolve({ state: why ?? (code === 0 ? "passed" : "failed"), ...(code === null ? {} : { exitCode: code }) });
    });
  });
  return { identity: { pid, startedAt: startToken(pid) ?? "" }, ended, stop: () => end("interrupted") };
}

export function killGroup(pgid: number): void {
  if (pgid <= 1) return;
  try {
    process.kill(-pgid, "SIGKILL");
  } catch {
    // The group has no process left.
  }
}
