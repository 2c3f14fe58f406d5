import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { readCommandLines } from "../wire/lines.ts";
import { createFrameWriter, type FrameWriter } from "../wire/writer.ts";
import type { AgentExit } from "./errors.ts";

const STDERR_KEPT = 16_000;
/** How long the process may take to end after its input was closed, and again after SIGTERM. */
const GRACE_MS = 10_000;

export type ProcessOptions = {
  command: readonly [string, ...string[]];
  cwd?: string | undefined;
  env?: Record<string, string | undefined> | undefined;
  /** The longest accepted line, in characters. */
  maxLine?: number | undefined;
};

export type ProcessEvents = {
  line(text: string): void;
  tooLong(limit: number): void;
  stderr(text: string): void;
};

/** The process of an agent. `exited` never rejects: a program that cannot be started has ended, too. */
export type AgentProcess = {
  readonly pid: number | undefined;
  readonly stdout: Readable;
  readonly writer: FrameWriter;
  readonly exited: Promise<AgentExit>;
  /** Closes its input, and ends it by signals if it does not end. */
  stop(graceMs?: number): Promise<AgentExit>;
};

export function startProcess({ command, cwd, env, maxLine }: ProcessOptions, events: ProcessEvents): AgentProcess {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: "pipe", ...(cwd ? { cwd } : {}), ...(env ? { env } : {}) });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
    events.stderr(text);
  });
  const writer = createFrameWriter(child.stdin);
  const isRead = Promise.withResolvers<void>();
  readCommandLines(child.stdout, { ...events, end: isRead.resolve }, ...(maxLine === undefined ? [] : [maxLine]));
  const exited = new Promise<AgentExit>((resolve) => {
    child.once("error", (error) => {
      // Also emitted when a signal cannot be sent, which is no end.
      if (child.pid === undefined) resolve({ code: null, signal: null, stderr: error.message });
    });
    // A grandchild may hold stdout open, so the end of the output is awaited only for a limited time.
    child.once("exit", (code, signal) => {
      const end = () => resolve({ code, signal, stderr });
      const late = setTimeout(end, 1_000);
      late.unref();
      child.stdout.resume();
      void isRead.promise.then(() => {
        clearTimeout(late);
        end();
      });
    });
  });
  return {
    pid: child.pid,
    stdout: child.stdout,
    writer,
    exited,
    async stop(graceMs = GRACE_MS) {
      child.stdout.resume();
      child.stdin.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        const done = await Promise.race([exited, after(graceMs)]);
        if (done) return done;
        child.kill(signal);
      }
      return await exited;
    },
  };
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
