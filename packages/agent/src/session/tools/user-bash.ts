import type { AgentEvent } from "../../contract/events.ts";
import type { BashExecution } from "../../contract/messages.ts";
import type { ShellRunner } from "../../contract/ports.ts";
import { type BashResult, SessionError } from "../../contract/session.ts";
import { type SpillLimits, shortenText } from "./spill.ts";

/** Of a longer output only the beginning and the end are stored. */
const HEAD_LENGTH = 4 * 1024 * 1024;
const TAIL_LENGTH = 1024 * 1024;

export type UserBashParts = {
  shell: ShellRunner | undefined;
  cwd: string;
  limits: SpillLimits;
  keep(text: string): string;
  record(message: BashExecution): void;
  emit(event: AgentEvent): void;
};

/** Runs commands of the user, one at a time. */
export class UserBash {
  readonly #parts: UserBashParts;
  #running: { controller: AbortController; done: Promise<unknown> } | undefined;

  constructor(parts: UserBashParts) {
    this.#parts = parts;
  }

  async run(command: string, options: { id?: string; excludeFromContext?: boolean } = {}): Promise<BashResult> {
    const { shell } = this.#parts;
    if (!shell) throw new SessionError("This session has no shell.");
    if (this.#running) throw new SessionError("A command is already running; abort it first.");
    const controller = new AbortController();
    const done = this.#run(shell, command, options, controller.signal);
    this.#running = { controller, done };
    try {
      return await done;
    } finally {
      this.#running = undefined;
    }
  }

  abort(): void {
    this.#running?.controller.abort();
  }

  async stop(): Promise<void> {
    this.abort();
    await this.#running?.done.catch(() => undefined);
  }

  async #run(
    shell: ShellRunner,
    command: string,
    options: { id?: string; excludeFromContext?: boolean },
    signal: AbortSignal,
  ): Promise<BashResult> {
    const { cwd, emit, record, limits, keep } = this.#parts;
    const printed = new HeadAndTail();
    const output = (delta: string) => {
      printed.add(delta);
      emit({ type: "bash_execution_update", delta, ...(options.id === undefined ? {} : { id: options.id }) });
    };
    const { exitCode, cancelled } = await shell.run(command, { cwd, signal, output });
    const whole = printed.text();
    const short = shortenText(whole, limits, keep);
    const truncated = short.artifactId !== undefined || printed.dropped;
    const shared = {
      output: short.text,
      ...(exitCode === undefined ? {} : { exitCode }),
      cancelled,
      truncated,
      ...(short.artifactId === undefined ? {} : { artifactId: short.artifactId }),
    };
    const excluded = options.excludeFromContext ? { excludeFromContext: true } : {};
    record({ role: "bashExecution", command, ...shared, ...excluded, timestamp: Date.now() });
    return {
      ...shared,
      totalLines: printed.lines,
      totalBytes: printed.bytes,
      outputLines: linesOf(short.text),
      outputBytes: Buffer.byteLength(short.text),
    };
  }
}

/** Collects the beginning and the end of a command's output. */
class HeadAndTail {
  bytes = 0;
  dropped = false;
  #breaks = 0;
  #head = "";
  #tail = "";
  #open = false;

  add(delta: string): void {
    this.bytes += Buffer.byteLength(delta);
    this.#breaks += delta.split("\n").length - 1;
    this.#open = !delta.endsWith("\n");
    const room = HEAD_LENGTH - this.#head.length;
    this.#head += delta.slice(0, Math.max(0, room));
    const rest = room >= delta.length ? "" : delta.slice(Math.max(0, room));
    if (rest === "") return;
    this.#tail += rest;
    if (this.#tail.length <= 2 * TAIL_LENGTH) return;
    this.#tail = this.#tail.slice(-TAIL_LENGTH);
    this.dropped = true;
  }

  get lines(): number {
    return this.bytes === 0 ? 0 : this.#breaks + (this.#open ? 1 : 0);
  }

  text(): string {
    return this.dropped ? `${this.#head}\n[… omitted …]\n${this.#tail}` : this.#head + this.#tail;
  }
}

function linesOf(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
