import type { AgentEvent } from "../../contract/events.ts";
import type { BashExecution } from "../../contract/messages.ts";
import type { ShellRunner } from "../../contract/ports.ts";
import { type BashResult, SessionError } from "../../contract/session.ts";
import { type SpillLimits, shortenText } from "./spill.ts";

/** More than this is not kept, whatever a command prints: the beginning and the end are. */
const KEPT_HEAD = 4 * 1024 * 1024;
const KEPT_TAIL = 1024 * 1024;

export type UserBashParts = {
  shell: ShellRunner | undefined;
  cwd: string;
  limits: SpillLimits;
  keep(text: string): string;
  record(message: BashExecution): void;
  emit(event: AgentEvent): void;
};

/** Commands of the user, one at a time. */
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
    const kept = new HeadAndTail();
    const output = (delta: string) => {
      kept.add(delta);
      emit({ type: "bash_execution_update", delta, ...(options.id === undefined ? {} : { id: options.id }) });
    };
    const { exitCode, cancelled } = await shell.run(command, { cwd, signal, output });
    const whole = kept.text();
    const short = shortenText(whole, limits, keep);
    const truncated = short.artifactId !== undefined || kept.dropped;
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
      totalLines: kept.lines,
      totalBytes: kept.bytes,
      outputLines: linesOf(short.text),
      outputBytes: Buffer.byteLength(short.text),
    };
  }
}

/** The beginning and the end of what a command prints. */
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
    const room = KEPT_HEAD - this.#head.length;
    this.#head += delta.slice(0, Math.max(0, room));
    const rest = room >= delta.length ? "" : delta.slice(Math.max(0, room));
    if (rest === "") return;
    this.#tail += rest;
    if (this.#tail.length <= 2 * KEPT_TAIL) return;
    this.#tail = this.#tail.slice(-KEPT_TAIL);
    this.dropped = true;
  }

  get lines(): number {
    return this.bytes === 0 ? 0 : this.#breaks + (this.#open ? 1 : 0);
  }

  text(): string {
    return this.dropped ? `${this.#head}\n[… left out …]\n${this.#tail}` : this.#head + this.#tail;
  }
}

function linesOf(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
