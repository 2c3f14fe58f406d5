import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { once } from "@gantry/models";
import { z } from "zod";
import { signalGroup } from "../bash/process-group.ts";
import { Countdown } from "./countdown.ts";

const bundle = z.record(z.string(), z.unknown());
const frame = once(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("ready") }),
    z.object({ type: z.literal("started"), id: z.string() }),
    z.object({ type: z.enum(["stdout", "stderr"]), id: z.string().nullable(), data: z.string() }),
    z.object({ type: z.enum(["display", "result"]), id: z.string().nullable(), bundle }),
    z.object({
      type: z.literal("error"),
      id: z.string(),
      ename: z.string(),
      evalue: z.string(),
      traceback: z.array(z.string()),
    }),
    z.object({
      type: z.literal("done"),
      id: z.string(),
      status: z.enum(["ok", "error"]),
      executionCount: z.number(),
      cancelled: z.boolean(),
    }),
    z.object({ type: z.literal("tool"), id: z.string(), call: z.number(), name: z.string(), args: z.unknown() }),
  ]),
);
type Frame = z.output<ReturnType<typeof frame>>;
export type Bundle = z.output<typeof bundle>;

/** Receives the output of a running cell. */
export type CellListener = {
  text(text: string): void;
  show(bundle: Bundle): void;
  /** Calls another tool for the code. A rejection is thrown in the code. */
  tool?(name: string, args: unknown): Promise<unknown>;
};

/** `died`: the kernel has ended and its state is lost. */
export type CellOutcome = {
  status: "ok" | "error";
  cancelled: boolean;
  timedOut: boolean;
  traceback?: string;
  died?: string;
};

export type KernelTimes = { start: number; escalate: number; shutdown: number };
export const KERNEL_TIMES: KernelTimes = { start: 10_000, escalate: 5000, shutdown: 1000 };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * A process that runs cells of code and preserves their state. The caller runs one cell at a time; `run` never rejects.
 * To stop a cell it interrupts the code first, and kills the process if the code does not stop. Unusable after `gone`.
 */
export class Kernel {
  readonly #child: Child;
  readonly #times: KernelTimes;
  readonly #ended: Promise<string>;
  readonly ready: Promise<boolean>;
  #gone = false;
  #count = 0;
  #stderr = "";
  #onFrame: ((frame: Frame) => void) | undefined;
  usedAt = Date.now();
  busy = false;

  constructor(command: readonly string[], options: { cwd: string; env: Record<string, string> }, times = KERNEL_TIMES) {
    this.#times = times;
    const [program = "", ...args] = command;
    this.#child = spawn(program, args, { ...options, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-4000);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on("error", (error) => resolve(error.message));
      this.#child.on("exit", (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
    });
    const ready = new Promise<boolean>((resolve) => {
      this.#onFrame = ({ type }) => type === "ready" && resolve(true);
    });
    void this.#ended.then(() => {
      this.#gone = true;
    });
    this.#listen();
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, times.start, false).unref());
    this.ready = Promise.race([ready, this.#ended.then(() => false), late]);
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** The process's stderr, which usually explains why it ended. */
  get errorOutput(): string {
    return this.#stderr.trim();
  }

  async run(code: string, listener: CellListener, signal: AbortSignal, timeoutMs: number): Promise<CellOutcome> {
    const id = String(++this.#count);
    this.busy = true;
    let traceback: string | undefined;
    let why: "cancelled" | "timeout" | undefined;
    let escalation: NodeJS.Timeout | undefined;
    const clock = new Countdown(timeoutMs, () => stop("timeout"));
    const done = new Promise<Extract<Frame, { type: "done" }>>((resolve) => {
      this.#onFrame = (frame) => {
        if (frame.type === "done" && frame.id === id) resolve(frame);
        else if (frame.type === "error") traceback = frame.traceback.join("\n");
        else this.#pass(frame, { ...listener, ...(listener.tool && { tool: pauseClockDuring(clock, listener.tool) }) });
      };
    });
    const stop = (reason: "cancelled" | "timeout") => {
      if (why !== undefined) return;
      why = reason;
      this.#send({ type: "interrupt" });
      escalation = setTimeout(() => this.#kill("SIGKILL"), this.#times.escalate);
    };
    const onAbort = () => stop("cancelled");
    signal.addEventListener("abort", onAbort, { once: true });
    clock.start();
    this.#send({ id, code, silent: false, storeHistory: true });
    if (signal.aborted) onAbort();
    const end = await Promise.race([done, this.#ended]);
    clock.stop();
    clearTimeout(escalation);
    signal.removeEventListener("abort", onAbort);
    this.busy = false;
    this.usedAt = Date.now();
    const stopped = { cancelled: why === "cancelled", timedOut: why === "timeout" };
    if (typeof end === "string") return { status: "error", ...stopped, died: end };
    return { status: end.status, ...stopped, ...(traceback !== undefined && { traceback }) };
  }

  /** Resolves when the process and all its descendants have ended. */
  async close(): Promise<void> {
    this.#send({ type: "exit" });
    const timer = setTimeout(() => this.#kill("SIGTERM"), this.#times.shutdown);
    const last = setTimeout(() => this.#kill("SIGKILL"), this.#times.shutdown * 2);
    await this.#ended;
    clearTimeout(timer);
    clearTimeout(last);
    this.#kill("SIGKILL");
  }

  #pass(frame: Frame, listener: CellListener): void {
    if (frame.type === "stdout" || frame.type === "stderr") listener.text(frame.data);
    else if (frame.type === "display" || frame.type === "result") listener.show(frame.bundle);
    else if (frame.type === "tool") {
      const answer = (ok: boolean, value: unknown) => this.#send({ type: "tool_result", call: frame.call, ok, value });
      const call =
        listener.tool?.(frame.name, frame.args) ?? Promise.reject(new Error("Other tools cannot be called here."));
      call.then(
        (value) => answer(true, value),
        (error: unknown) => answer(false, error instanceof Error ? error.message : String(error)),
      );
    }
  }

  #listen(): void {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    this.#child.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const parsed = frame().safeParse(parse(line));
        // A line that is not a frame was written by code that bypassed the redirected stdout.
        if (parsed.success) this.#onFrame?.(parsed.data);
        else if (line !== "") this.#onFrame?.({ type: "stdout", id: null, data: `${line}\n` });
      }
    });
  }

  #send(message: unknown): void {
    if (!this.#gone && this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #kill(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, signal);
  }
}

/** Pauses the cell's timeout while a tool runs, which includes any question to a person. */
function pauseClockDuring(
  clock: Countdown,
  tool: NonNullable<CellListener["tool"]>,
): NonNullable<CellListener["tool"]> {
  return async (name, args) => {
    clock.stop();
    try {
      return await tool(name, args);
    } finally {
      clock.start();
    }
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
