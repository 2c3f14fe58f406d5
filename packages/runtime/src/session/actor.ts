import {
  type ControlValues,
  type Envelope,
  GantryError,
  type Mode,
  type OpenItem,
  type SessionView,
} from "@gantry/protocol";
import { PendingBrief } from "../handoff/pending-brief.ts";
import { isStorageFull } from "../log/errors.ts";
import type { Batch, ProcessRow, StoredEvent } from "../log/port.ts";
import { type ActorDeps, engineContext } from "./actor-deps.ts";
import { buildBatch, publishStep } from "./commit.ts";
import { PinnedContext } from "./connection/pinned-context.ts";
import { PromptHold } from "./connection/prompt-hold.ts";
import { type ProcessOwner, SessionProcess } from "./connection/session-process.ts";
import { type InputOf, type InputType, type ReplyOf, type Setting, step } from "./engine/engine.ts";
import { type DeadlineKind, type Effect, type EngineState, initialState, type StopReason } from "./engine/state.ts";
import type { SessionStep } from "./engine/step.ts";
import { closedInTurn } from "./read-log.ts";
import { Watchdogs } from "./watchdogs.ts";

const SETTING_MS = 5000;
const STORAGE_RETRY_MS = 1000;

type SettingResult = { ok: boolean; message?: string };

/**
 * Runs one session: takes one input at a time, lets the engine decide, commits the step, publishes it, then performs its
 * effects. Everything up to the commit happens synchronously. No rule lives here.
 */
export class SessionActor implements ProcessOwner {
  state: EngineState;
  readonly brief: PendingBrief;
  readonly hold: PromptHold;
  readonly pinned: PinnedContext;
  readonly #process: SessionProcess;
  readonly #settings = new Map<Setting, (result: SettingResult) => void>();
  readonly #retractions = new Map<string, (isRetracted: boolean) => void>();
  readonly #watchdogs: Watchdogs;
  readonly #deps: ActorDeps;
  #disposed = false;
  /** Its process was idle after the last step. */
  #wasIdle = false;

  constructor(view: SessionView, deps: ActorDeps) {
    this.#deps = deps;
    this.state = initialState(view, closedInTurn(deps.store, view));
    this.brief = new PendingBrief(deps.store, view.id);
    this.hold = new PromptHold(deps.snapshots);
    this.pinned = new PinnedContext(deps.store, view.id, deps.pinned);
    this.#process = new SessionProcess(this, deps);
    this.#watchdogs = new Watchdogs((kind) => void this.#deadlinePassed(kind));
  }

  get view(): SessionView {
    return this.state.view;
  }

  get open(): OpenItem[] {
    return [...this.state.open.values()].map(({ held: _, parent: __, ...item }) => item);
  }

  /** The session has a process, or one is being started. */
  get hasProcess(): boolean {
    return this.#process.isConnected || this.#process.isStarting;
  }

  /** The id of the connected process. */
  get process(): string | undefined {
    return this.#process.cursor?.process;
  }

  /**
   * Applies an input and makes the step durable. `extra` is committed with it. Throws what the engine throws for a wrong
   * input, or the storage's error; then nothing has changed.
   */
  apply<T extends InputType>(
    type: T,
    input: InputOf<T>,
    extra: (reply: ReplyOf<T>) => Partial<Batch> = () => ({}),
  ): ReplyOf<T> {
    const context = engineContext(this.#deps, this.view, this.pinned);
    const { step: next, reply } = step(this.state, context, type, input);
    this.#commit(next, extra(reply));
    this.#perform(next);
    return reply;
  }

  /**
   * Changes a setting of the running process, with controls also the mode, and waits for its result. `undefined`: there is
   * no open conversation.
   */
  async changeSetting(field: Setting, value: string | ControlValues, mode?: Mode): Promise<SettingResult | undefined> {
    if (!this.state.conversation?.ready) return undefined;
    const result = Promise.withResolvers<SettingResult>();
    this.#settings.set(field, result.resolve);
    const late = { ok: false, message: `The agent did not answer within ${SETTING_MS / 1000} s.` };
    const timer = setTimeout(() => result.resolve(late), SETTING_MS);
    if (!this.apply("changeSetting", { field, value, mode })) result.resolve({ ok: false });
    return result.promise.finally(() => clearTimeout(timer));
  }

  /** Cancels a queued message, or takes back one that the agent has not read. Throws `already_sent` or `already_read`. */
  async cancelMessage(message: string): Promise<void> {
    const result = Promise.withResolvers<boolean | undefined>();
    this.#retractions.set(message, result.resolve);
    try {
      if (this.apply("cancelMessage", message) === "cancelled") return;
      const timer = setTimeout(() => result.resolve(undefined), SETTING_MS);
      const isRetracted = await result.promise.finally(() => clearTimeout(timer));
      if (isRetracted === false) throw new GantryError("already_read", `The agent has already read ${message}.`);
      if (isRetracted) return;
      throw new GantryError("conflict", `The agent did not answer within ${SETTING_MS / 1000} s.`, {
        remedy: "It may still read the message. Stop the turn if it must not.",
      });
    } finally {
      this.#retractions.delete(message);
    }
  }

  /** Whether Gantry may end its process: nothing needs it, and no person is asked anything. */
  get idleProcess(): { since: number; releaseAt: number } | undefined {
    const { idle } = this.state.deadlines;
    if (!idle || !this.#process.isConnected || this.view.inputs.length > 0) return undefined;
    return { since: idle.at - idle.seconds * 1000, releaseAt: idle.at };
  }

  /** Starts the process before a message needs it. `false`: there is one. */
  warmUp(): boolean {
    return this.#process.warmUp();
  }

  /** Continues after a restart: starts the next turn, or a process for the running one. */
  wake(): void {
    if (!this.#process.isConnected) this.hold.restore(this.#deps.store, this.view);
    this.apply("wake", {});
  }

  /** Continues with a process that an earlier daemon started. */
  adopt(row: ProcessRow): void {
    if (this.#process.adopt(row)) this.wake();
  }

  /** Ends a process that an earlier daemon left and that is not resumed. */
  discard(row: ProcessRow): void {
    this.#process.discard(row);
  }

  /** Ends the process, if there is one, and resolves when it has ended. */
  release(reason: StopReason): Promise<boolean> {
    return this.#process.release(reason);
  }

  /** The disk was full since this time and has room again. Reads what the agent printed until now first. */
  async diskFreed(since: string): Promise<void> {
    await this.#process.drainOutput();
    if (!this.#disposed) this.guard(() => this.apply("diskFreed", { since }));
  }

  /** Stops working on the session; its process continues. */
  detach(): void {
    this.#disposed = true;
    this.#watchdogs.clear();
    this.#process.detach();
  }

  /** Runs an input that has no caller: a full disk is retried, any other error is a bug and goes to the log. */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#deps.log(`${this.view.id}: ${(error as Error).stack ?? error}`);
      if (isStorageFull(error) && !this.#disposed) setTimeout(() => this.guard(action), STORAGE_RETRY_MS).unref();
    }
  }

  #commit(next: SessionStep, extra: Partial<Batch>): void {
    const { limits, publisher } = this.#deps;
    const { rows, cursor, stored } = this.#makeDurable(next, extra);
    this.state = next.end();
    this.#process.cursor = cursor;
    if (next.context.gate) limits.take(next.context.gate);
    publishStep(publisher, this.view.id, next.out, stored);
    this.hold.follow(next.events, this.view);
    this.#process.write(rows, next.signals.prompted ? this.hold.released : undefined);
    this.#process.acknowledge(next.acks);
  }

  #makeDurable(next: SessionStep, extra: Partial<Batch>) {
    try {
      const built = buildBatch(next, this.#process.cursor, this.#deps, extra);
      return { ...built, stored: built.batch ? this.#store(built.batch) : [] };
    } catch (error) {
      if (isStorageFull(error)) this.#deps.onDiskFull();
      throw error;
    }
  }

  #store(batch: Batch): StoredEvent[] {
    const { store, onStep } = this.#deps;
    const points = onStep ? handoffCrashPoints(batch.events, this.view.handoff?.message) : [];
    for (const point of points) onStep?.(`${point}:before`);
    const stored = store.commit(batch);
    for (const point of points) onStep?.(`${point}:after`);
    return stored;
  }

  #perform({ effects, signals, applied, retracted }: SessionStep): void {
    for (const { message, ok } of retracted) this.#retractions.get(message)?.(ok);
    for (const { field, ok, message } of applied) {
      this.#settings.get(field)?.({ ok, message });
      this.#settings.delete(field);
    }
    // The step is committed: an effect that fails on a full disk is retried and must not undo it.
    const { injected } = signals;
    const { agent } = this.view;
    if (signals.prefaced) this.guard(() => this.brief.clear());
    if (injected) this.guard(() => this.pinned.recordInjection(agent, injected));
    for (const effect of effects) this.guard(() => this.#performEffect(effect));
    const isIdle = this.idleProcess !== undefined;
    if (isIdle && !this.#wasIdle) this.#deps.makeRoom();
    this.#wasIdle = isIdle;
    if (!this.#disposed) this.#watchdogs.sync(this.state.deadlines, Date.parse(this.#deps.now()));
    this.#process.ensure();
    this.#process.watchTasks();
  }

  #performEffect(effect: Effect): void {
    if (effect.type === "stop") this.#process.stop(effect.reason);
    if (effect.type === "release") void this.release(effect.reason);
    if (effect.type === "handoff") this.#deps.handOff(this.view.id);
    if (effect.type === "delayStart") this.#process.delayStart(effect.ms);
    if (effect.type === "endTask") this.#process.endTask(effect.task);
    if (effect.type !== "rebuild") return;
    // The brief is stored before the old conversation is forgotten.
    if (effect.how === "rebuild") this.brief.build(this.#deps.config.handoff.briefChars);
    this.apply("resetConversation", effect.how);
  }

  /** Output that was printed in time counts, even if the daemon was too busy to read it. */
  async #deadlinePassed(kind: DeadlineKind): Promise<void> {
    const deadline = this.state.deadlines[kind];
    await this.#process.drainOutput();
    if (this.#disposed || !deadline || this.state.deadlines[kind]?.at !== deadline.at) return;
    const unfinished = this.#process.unfinishedLine;
    if (unfinished) this.guard(() => this.apply("unfinishedLine", unfinished));
    this.guard(() => this.apply("deadlinePassed", kind));
  }
}

/** The steps of a handoff in a commit, for tests that kill the process there. */
export function handoffCrashPoints(events: readonly Envelope[], brief: string | undefined): string[] {
  return events.flatMap((event) => {
    if (event.type === "handoff.started") return ["handoff:switch"];
    if (event.type === "handoff.ended") return ["handoff:end"];
    return event.type === "message.delivery" && event.data.message === brief ? ["handoff:delivery"] : [];
  });
}
