import { setTimeout as sleep } from "node:timers/promises";
import type { OpenItem, SessionView } from "@gantry/protocol";
import type { Batch, JournalRow, ProcessRow, StoredEvent } from "../log/port.ts";
import type { Exit } from "../process/exit.ts";
import { type StopTarget, stop } from "../process/stop.ts";
import { type ActorDeps, engineContext } from "./actor-deps.ts";
import { buildBatch, type ProcessCursor } from "./commit.ts";
import { AgentConnection } from "./connection/connection.ts";
import { ConversationClose } from "./connection/conversation-close.ts";
import { recordProcessEnd, stopTarget } from "./connection/end-process.ts";
import { launchForSession } from "./connection/launch-for-session.ts";
import { restoreConversation } from "./connection/mark.ts";
import { PinnedContext } from "./connection/pinned-context.ts";
import { PromptHold } from "./connection/prompt-hold.ts";
import { type InputOf, type InputType, type ReplyOf, type Setting, step } from "./engine/engine.ts";
import { disconnect, needsProcess } from "./engine/process.ts";
import { type DeadlineKind, type Effect, type EngineState, initialState, type StopReason } from "./engine/state.ts";
import type { SessionStep } from "./engine/step.ts";
import { handoffCrashPoints } from "./handoff/crash-points.ts";
import { PendingBrief } from "./handoff/pending-brief.ts";
import { publishStep } from "./publish.ts";
import { closedInTurn } from "./read-log.ts";
import { Watchdogs } from "./watchdogs.ts";

const SETTING_MS = 5000;
const STORAGE_RETRY_MS = 1000;

type SettingResult = { ok: boolean; message?: string };

/**
 * Runs one session: takes one input at a time, lets the engine decide, commits the step, publishes it, then performs its
 * effects. Everything up to the commit happens synchronously. No rule lives here.
 */
export class SessionActor {
  #state: EngineState;
  #cursor: ProcessCursor | undefined;
  #connection: AgentConnection | undefined;
  #closing: ConversationClose | undefined;
  #starting: Promise<void> | undefined;
  #launch = new AbortController();
  /** Resolves when the previous process has ended. */
  #stopping: Promise<unknown> = Promise.resolve();
  #disposed = false;
  readonly #brief: PendingBrief;
  readonly #hold: PromptHold;
  readonly #pinned: PinnedContext;
  readonly #settings = new Map<Setting, (result: SettingResult) => void>();
  readonly #watchdogs: Watchdogs;
  readonly #deps: ActorDeps;

  constructor(view: SessionView, deps: ActorDeps) {
    this.#deps = deps;
    this.#state = initialState(view, closedInTurn(deps.store, view));
    this.#brief = new PendingBrief(deps.store, view.id);
    this.#hold = new PromptHold(deps.snapshots);
    this.#pinned = new PinnedContext(deps.store, view.id, deps.pinned);
    this.#watchdogs = new Watchdogs((kind) => void this.#deadlinePassed(kind));
  }

  get view(): SessionView {
    return this.#state.view;
  }

  get open(): OpenItem[] {
    return [...this.#state.open.values()];
  }

  /** The session has a process, or one is being started. */
  get hasProcess(): boolean {
    return this.#connection !== undefined || this.#starting !== undefined;
  }

  /** The id of the connected process. */
  get process(): string | undefined {
    return this.#cursor?.process;
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
    const context = engineContext(this.#deps, this.view, this.#pinned);
    const { step: next, reply } = step(this.#state, context, type, input);
    this.#commit(next, extra(reply));
    this.#perform(next);
    return reply;
  }

  /** Changes a setting of the running process and waits for its result. `undefined`: there is no open conversation. */
  async changeSetting(field: Setting, value: string): Promise<SettingResult | undefined> {
    if (!this.#state.conversation?.ready) return undefined;
    const result = Promise.withResolvers<SettingResult>();
    this.#settings.set(field, result.resolve);
    const late = { ok: false, message: `The agent did not answer within ${SETTING_MS / 1000} s.` };
    const timer = setTimeout(() => result.resolve(late), SETTING_MS);
    if (!this.apply("changeSetting", { field, value })) result.resolve({ ok: false });
    return result.promise.finally(() => clearTimeout(timer));
  }

  /** Continues after a restart: starts the next turn, or a process for the running one. */
  wake(): void {
    if (!this.#connection) this.#hold.restore(this.#deps.store, this.view);
    this.apply("wake", {});
  }

  /** Connects to a process that an earlier daemon started, alive or dead: its output since then is read first. */
  adopt(row: ProcessRow): void {
    const { store, spool } = this.#deps;
    const agent = this.#deps.agent(row.agent);
    const progress = store.spools.get(row.id);
    const { out } = spool.paths(this.view.id, row.id);
    const restored =
      agent && progress && row.pid !== undefined
        ? restoreConversation(agent, this.view, progress, out, this.#lineLimit())
        : undefined;
    if (!progress || !restored) {
      this.discard(row);
      if (row.pid !== undefined) this.apply("processLost", undefined);
      return;
    }
    // A closing process is ended; the session continues in another one, or with another agent.
    if (restored.conversation.closing || row.agent !== this.view.agent) return this.discard(row);
    this.#state = { ...this.#state, ...restored };
    this.#hold.restore(store, this.view);
    const ordinal = store.journal.nextOrdinal(row.id);
    this.#cursor = { process: row.id, ordinal, markOffset: progress.markOffset };
    this.#connect(stopTarget(row), progress.errOffset, store.journal.list(row.id, ["pending", "writing"]));
    if (store.journal.list(row.id).length === 0) this.apply("startHandshake", undefined);
    else this.wake();
  }

  /** Ends a process that an earlier daemon left and that is not resumed. */
  discard(row: ProcessRow): void {
    const graceMs = this.#deps.config.deadlines.stopSeconds * 1000;
    this.#awaitEnd(row.id, stop(stopTarget(row), { graceMs }));
  }

  /** Ends the process, if there is one, and resolves when it has ended. */
  async release(reason: StopReason): Promise<boolean> {
    this.#launch.abort();
    await this.#starting;
    this.#guard(() => this.apply("endTrail", undefined));
    const connected = this.#connection !== undefined;
    this.#stop(reason);
    await this.#stopping;
    return connected;
  }

  /** Stops working on the session; its process continues. */
  detach(): void {
    this.#disposed = true;
    this.#watchdogs.clear();
    this.#connection?.detach();
    this.#connection = undefined;
  }

  #commit(next: SessionStep, extra: Partial<Batch>): void {
    const { limits, publisher } = this.#deps;
    const { batch, rows, cursor } = buildBatch(next, this.#cursor, this.#deps, extra);
    const stored = batch ? this.#store(batch) : [];
    this.#state = next.end();
    this.#cursor = cursor;
    if (next.context.gate) limits.take(next.context.gate);
    publishStep(publisher, this.view.id, next.out, stored);
    this.#hold.follow(next.events, this.view);
    this.#connection?.write(rows, next.signals.prompted ? this.#hold.released : undefined);
    if (next.acks.length > 0) this.#connection?.acknowledge(next.acks);
  }

  #store(batch: Batch): StoredEvent[] {
    const { store, onStep } = this.#deps;
    const points = onStep ? handoffCrashPoints(batch.events, this.view.handoff?.message) : [];
    for (const point of points) onStep?.(`${point}:before`);
    const stored = store.commit(batch);
    for (const point of points) onStep?.(`${point}:after`);
    return stored;
  }

  #perform({ effects, signals, applied }: SessionStep): void {
    for (const { field, ok, message } of applied) {
      this.#settings.get(field)?.({ ok, message });
      this.#settings.delete(field);
    }
    if (signals.prefaced) this.#brief.clear();
    if (signals.injected) this.#pinned.recordInjection(this.view.agent, signals.injected);
    for (const effect of effects) this.#performEffect(effect);
    if (!this.#disposed) this.#watchdogs.sync(this.#state.deadlines, Date.parse(this.#deps.now()));
    this.#ensureProcess();
  }

  #performEffect(effect: Effect): void {
    if (effect.type === "stop") this.#stop(effect.reason);
    if (effect.type === "release") void this.release(effect.reason);
    if (effect.type === "handoff") this.#deps.handOff(this.view.id);
    if (effect.type === "delayStart") this.#stopping = Promise.all([this.#stopping, sleep(effect.ms)]);
    if (effect.type !== "rebuild") return;
    // The brief is stored before the old conversation is forgotten.
    if (effect.how === "rebuild") this.#brief.build(this.#deps.config.handoff.briefChars);
    this.apply("resetConversation", effect.how);
  }

  #ensureProcess(): void {
    if (this.#disposed || this.hasProcess || !needsProcess(this.view)) return;
    const launch = new AbortController();
    this.#launch = launch;
    this.#starting = this.#start(launch.signal).finally(() => {
      this.#starting = undefined;
      // Another turn may need a process by now.
      if (!launch.signal.aborted) this.#ensureProcess();
    });
  }

  async #start(signal: AbortSignal): Promise<void> {
    await this.#stopping;
    if (this.#disposed) return;
    const { agent, handoff, turn } = this.view;
    const id = this.#deps.id("process");
    this.#crashPoint("launch:before");
    const started = await launchForSession({
      deps: this.#deps,
      id,
      view: () => this.view,
      isRestart: turn !== undefined && this.#state.restartedTurn === turn.id,
      brief: this.#brief.get(),
      hold: this.#hold,
      pinned: this.#pinned,
      isDisposed: () => this.#disposed,
      signal,
      notify: (text) =>
        this.apply("recordEvents", [{ type: "notice", data: { kind: "wait", severity: "info", text } }]),
    });
    if (this.#disposed || !started) return;
    this.#crashPoint("launch:after");
    // The session was handed off, or back, while the process started.
    if (this.view.agent !== agent || this.view.handoff?.id !== handoff?.id) {
      const row = this.#deps.store.processes.get(id);
      return row && started.ok ? this.discard(row) : undefined;
    }
    if (!started.ok) return this.#guard(() => this.apply("launchFailed", started.failure));
    const { launched, conversation, notices, injection, pinnedHash } = started;
    this.#cursor = { process: id, ordinal: 0, markOffset: 0 };
    if (conversation.channel.perTurn) this.#brief.clear();
    if (pinnedHash) this.#pinned.recordInjection(agent, { hash: pinnedHash, seq: this.view.lastSeq });
    this.#state = { ...this.#state, conversation };
    this.#connect(launched, 0, []);
    this.#guard(() => this.apply("processLaunched", { notices, injection }));
  }

  #connect(target: StopTarget, errOffset: number, unwritten: readonly JournalRow[]): void {
    const { store, spool, log } = this.#deps;
    const session = this.view.id;
    const isCurrent = () => this.#cursor?.process === target.id;
    this.#connection = new AgentConnection({
      target,
      paths: spool.paths(session, target.id),
      offset: this.#state.conversation?.offset ?? 0,
      errOffset,
      lineLimit: this.#lineLimit(),
      unwritten,
      held: this.#hold.released,
      owner: {
        onStdout: (lines, end) => {
          if (isCurrent()) this.apply("stdout", { lines, end });
          else if (this.#closing?.process === target.id) this.#closing.receive(lines);
        },
        onStderr: (lines, end) => {
          if (!isCurrent()) return;
          this.apply("stderr", lines, () => ({ spool: { process: target.id, errOffset: end } }));
        },
        onExit: (exit) => isCurrent() && this.#guard(() => this.#exited(target.id, exit)),
        onStdinClosed: (message) => isCurrent() && this.#guard(() => this.apply("stdinClosed", message)),
        setState: (id, state) => void store.commit({ session, events: [], journal: { set: [{ id, state }] } }),
        ping: (key) => this.apply("ping", key),
        onError: (error) => log(`${session}: ${(error as Error).message}`),
      },
    });
    this.#connection.start();
  }

  #exited(process: string, exit: Exit): void {
    const connection = this.#connection;
    this.#connection = undefined;
    try {
      this.apply("processExited", exit);
    } catch (error) {
      this.#connection = connection;
      throw error;
    }
    if (this.#cursor?.process === process) this.#cursor = undefined;
    recordProcessEnd(this.#deps, this.view.id, process, exit);
  }

  #stop(reason: StopReason): void {
    const closing = this.#closeConversation(reason);
    const connection = this.#connection;
    const process = this.#cursor?.process;
    this.#connection = undefined;
    this.#cursor = undefined;
    this.#state = disconnect(this.#state);
    if (!connection || !process) return;
    this.#deps.log(`${this.view.id}: ends process ${process} (${reason})`);
    const graceMs = this.#deps.config.deadlines.stopSeconds * 1000;
    this.#awaitEnd(process, connection.stop(graceMs, closing?.acknowledged));
  }

  /** An agent that is stopped because it does not respond is not asked first. */
  #closeConversation(reason: StopReason): ConversationClose | undefined {
    if (!this.#connection || reason === "deadline" || reason === "interrupted") return undefined;
    this.#closing = undefined;
    this.#guard(() => {
      const key = this.apply("closeConversation", undefined);
      const { conversation } = this.#state;
      if (key && conversation && this.#cursor)
        this.#closing = new ConversationClose(this.#cursor.process, conversation, key);
    });
    return this.#closing;
  }

  /** The next process starts when this one has ended. After `detach`, the next daemon records the end. */
  #awaitEnd(process: string, ended: Promise<unknown>): void {
    const recorded = ended
      .catch((error) => this.#deps.log(`${process}: ${error.message}`))
      .then(() => this.#disposed || recordProcessEnd(this.#deps, this.view.id, process));
    this.#stopping = Promise.all([this.#stopping, recorded]);
  }

  /** Output that was printed in time counts, even if the daemon was too busy to read it. */
  async #deadlinePassed(kind: DeadlineKind): Promise<void> {
    const deadline = this.#state.deadlines[kind];
    await this.#connection?.drainOutput();
    if (this.#disposed || !deadline || this.#state.deadlines[kind]?.at !== deadline.at) return;
    this.#guard(() => this.apply("deadlinePassed", kind));
  }

  /** For inputs without a caller: a full disk is retried, any other error is a bug and goes to the log. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#deps.log(`${this.view.id}: ${(error as Error).stack ?? error}`);
      const full = (error as { code?: string }).code === "storage_full";
      if (full && !this.#disposed) setTimeout(() => this.#guard(action), STORAGE_RETRY_MS).unref();
    }
  }

  #crashPoint(where: string): void {
    if (this.view.handoff) this.#deps.onStep?.(`handoff:${where}`);
  }

  #lineLimit(): number {
    return Math.round(this.#deps.config.lineLimitMb * 1024 * 1024);
  }
}
