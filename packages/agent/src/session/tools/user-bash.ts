import { randomUUID } from "node:crypto";
import type { AgentEvent } from "../../contract/events.ts";
import type { BashExecution } from "../../contract/messages.ts";
import type { Person, ShellRunner } from "../../contract/ports.ts";
import { type BashOptions, type BashResult, SessionError } from "../../contract/session.ts";
import type { Action, PermissionMode, Verdict } from "../../permissions/action.ts";
import { type SpillLimits, shortenText } from "./spill.ts";

/** Of a longer output only the beginning and the end are stored. */
const HEAD_LENGTH = 4 * 1024 * 1024;
const TAIL_LENGTH = 1024 * 1024;

export type UserBashParts = {
  shell: ShellRunner | undefined;
  person: Person | undefined;
  mode(): PermissionMode;
  decide(actions: readonly Action[]): Verdict;
  grant(actions: readonly Action[]): void;
  limits: SpillLimits;
  keep(text: string): string;
  record(message: BashExecution): void;
  emit(event: AgentEvent): void;
};

/** Runs commands of a client or a person, one at a time. The same permissions apply as to the model's commands. */
export class UserBash {
  readonly #parts: UserBashParts;
  #running: { controller: AbortController; done: Promise<unknown> } | undefined;

  constructor(parts: UserBashParts) {
    this.#parts = parts;
  }

  actions(command: string): readonly Action[] {
    return this.#parts.shell?.actions(command) ?? [];
  }

  /** Throws a `SessionError` if the command is not allowed. */
  async run(command: string, options: BashOptions = {}): Promise<BashResult> {
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

  async #permit(actions: Action[], command: string, options: BashOptions, signal: AbortSignal): Promise<void> {
    const { decide, grant, person } = this.#parts;
    const verdict = decide(actions);
    if (verdict.verdict === "deny") throw new SessionError(`Not allowed: ${verdict.reason}`);
    if (verdict.verdict === "allow" || options.typed) return;
    if (!person) throw new SessionError("Not allowed: this command needs an approval, and there is no person to ask.");
    const toolCallId = options.id ?? randomUUID();
    const request = { toolCallId, toolName: "bash", title: command, args: { command }, actions };
    const approval = await person.approve(request, signal);
    if (approval.decision === "deny")
      throw new SessionError(`The user declined this command.${approval.reason ? ` ${approval.reason}` : ""}`);
    if (approval.args && approval.args.command !== command)
      throw new SessionError("The user changed the command. Send the changed command instead.");
    if (approval.decision === "session") grant(actions);
  }

  async #run(shell: ShellRunner, command: string, options: BashOptions, signal: AbortSignal): Promise<BashResult> {
    const { emit, record, limits, keep, mode } = this.#parts;
    await this.#permit(shell.actions(command), command, options, signal);
    const printed = new HeadAndTail();
    const output = (delta: string) => {
      printed.add(delta);
      emit({ type: "bash_execution_update", delta, ...(options.id === undefined ? {} : { id: options.id }) });
    };
    const { exitCode, cancelled } = await shell.run(command, {
      signal,
      confined: !options.typed || mode() === "plan",
      output,
    });
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
