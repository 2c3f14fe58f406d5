import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { starterCommand } from "./starter-program.ts";

export type StartRequest = {
  /** A path, and its arguments. */
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** A FIFO to create, and files with their content, for the owner alone. */
  fifo?: string;
  files: Readonly<Record<string, string>>;
};

/** `ticks`: the start time as the system counts it. `ready` resolves when the program wrote to its stdout or closed it. */
export type Started = { pid: number; ticks: string; ready: Promise<void> };

/** The starter ended, or did not answer. Whether it started the program is not known. */
export class StarterGone extends Error {}

const ANSWER_MS = 10_000;
const IDLE_MS = 60_000;

type Pending = {
  pid: PromiseWithResolvers<Started>;
  ready: PromiseWithResolvers<void>;
  timer: NodeJS.Timeout;
};

type Program = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Starts programs for the daemon (decision 69). A fork of the daemon copies the tables of a large memory and stops the
 * daemon until the child runs; this small process forks in its place. It is a child of the daemon and dies with it; what it
 * started does not. It runs from the first request until a minute without requests and without programs has passed.
 */
export class Starter {
  readonly #program: Program;
  readonly #pending = new Map<string, Pending>();
  readonly #onEnd: () => void;
  #last = 0;
  #text = "";
  #isGone = false;

  constructor(command: readonly string[], onEnd: () => void) {
    const [bin = "", ...args] = command;
    this.#onEnd = onEnd;
    // In a separate session: a Ctrl-C for a daemon in the foreground must not end it. No variable can change how perl starts.
    this.#program = spawn(bin, args, { detached: true, env: {}, stdio: ["pipe", "pipe", "ignore"] });
    const { stdin, stdout } = this.#program;
    this.#program.on("error", () => this.#end());
    this.#program.on("exit", () => this.#end());
    stdin.on("error", () => this.#end());
    stdout.on("error", () => this.#end());
    stdout.setEncoding("latin1").on("data", (text: string) => this.#read(text));
    this.#program.unref();
    this.#hold();
    this.#watchIdle();
  }

  /** Rejects with `StarterGone`, or with the system's error if the program could not be run. */
  start(what: StartRequest): Promise<Started> {
    const request = String(++this.#last);
    const fields = [request, ...listFields(what)];
    if (fields.some((field) => field.includes("\0")))
      return Promise.reject(new Error("an argument contains a NUL byte"));
    if (this.#isGone) return Promise.reject(new StarterGone());
    const timer = setTimeout(() => this.#end(), ANSWER_MS).unref();
    const pending = { pid: Promise.withResolvers<Started>(), ready: Promise.withResolvers<void>(), timer };
    pending.ready.promise.catch(() => undefined);
    this.#pending.set(request, pending);
    this.#hold();
    const body = Buffer.from(fields.join("\0"));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(body.length);
    this.#program.stdin.write(Buffer.concat([size, body]));
    return pending.pid.promise;
  }

  #read(text: string): void {
    const lines = (this.#text + text).split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) this.#receive(line.split(" "));
    this.#hold();
  }

  #receive([request = "", what, first = "", second = ""]: string[]): void {
    const pending = this.#pending.get(request);
    if (!pending) return;
    clearTimeout(pending.timer);
    if (what === "pid") {
      pending.pid.resolve({ pid: Number(first), ticks: second, ready: pending.ready.promise });
      return;
    }
    this.#pending.delete(request);
    if (what === "ready") return pending.ready.resolve();
    const error = systemError(Number(first));
    pending.pid.reject(error);
    pending.ready.reject(error);
  }

  /** An answer that is still to come keeps the program running. */
  #hold(): void {
    for (const pipe of [this.#program.stdin, this.#program.stdout] as unknown as Socket[]) {
      if (this.#pending.size > 0) pipe.ref();
      else pipe.unref();
    }
  }

  #watchIdle(): void {
    let seen = this.#last;
    const timer = setInterval(() => {
      const isIdle = seen === this.#last && this.#pending.size === 0 && !hasChildren(this.#program.pid);
      seen = this.#last;
      if (isIdle || this.#isGone) clearInterval(timer);
      if (isIdle) this.#end();
    }, IDLE_MS).unref();
  }

  #end(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#onEnd();
    this.#program.kill("SIGKILL");
    for (const stream of this.#program.stdio) stream?.destroy();
    for (const { pid, ready, timer } of this.#pending.values()) {
      clearTimeout(timer);
      pid.reject(new StarterGone());
      ready.resolve();
    }
    this.#pending.clear();
  }
}

function listFields({ command, cwd, env, fifo = "", files }: StartRequest): string[] {
  const contents = Object.entries(files).flat();
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [cwd, fifo, String(contents.length), String(variables.length), ...contents, ...variables, ...command];
}

let current: Starter | undefined;

/** The starter of this process; `undefined` where the system has none. */
export function findStarter(): Starter | undefined {
  if (current) return current;
  const command = starterCommand(process.pid);
  if (!command) return undefined;
  const forget = () => {
    current = undefined;
  };
  try {
    current = new Starter(command, forget);
  } catch {
    // Node has no streams for a program that could not be started because too many files are open.
    return undefined;
  }
  return current;
}

function hasChildren(pid: number | undefined): boolean {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim() !== "";
  } catch {
    return false;
  }
}

function systemError(errno: number): NodeJS.ErrnoException {
  const code = Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? String(errno);
  return Object.assign(new Error(code), { code, errno });
}
