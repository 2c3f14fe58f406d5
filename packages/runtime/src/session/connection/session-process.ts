import { setTimeout as sleep } from "node:timers/promises";
import type { Line } from "../../framing/lines.ts";
import { hideTokens } from "../../framing/redact.ts";
import type { PendingBrief } from "../../handoff/pending-brief.ts";
import type { JournalRow, ProcessRow } from "../../log/port.ts";
import type { Exit } from "../../process/exit.ts";
import { type StopTarget, stop } from "../../process/stop.ts";
import type { ActorDeps } from "../actor-deps.ts";
import type { ProcessCursor } from "../commit.ts";
import type { InputOf, InputType, ReplyOf } from "../engine/engine.ts";
import { disconnect, needsProcess } from "../engine/process.ts";
import type { EngineState, StopReason } from "../engine/state.ts";
import { readLog } from "../read-log.ts";
import { AgentConnection } from "./connection.ts";
import { ConversationClose, recordProcessEnd, stopTarget } from "./end-process.ts";
import { launchForSession } from "./launch-for-session.ts";
import { restoreConversation } from "./mark.ts";
import type { PinnedContext } from "./pinned-context.ts";
import type { PromptHold } from "./prompt-hold.ts";
import { deliverLines, isEnvironmental, type LineReceiver } from "./reading/deliver-lines.ts";
import { TaskProcesses } from "./tasks/task-processes.ts";

/** The session's actor, as its process sees it. */
export type ProcessOwner = {
  state: EngineState;
  readonly brief: PendingBrief;
  readonly hold: PromptHold;
  readonly pinned: PinnedContext;
  apply<T extends InputType>(
    type: T,
    input: InputOf<T>,
    extra?: () => { spool: { process: string; errOffset: number } },
  ): ReplyOf<T>;
  /** Runs an input that has no caller: a full disk is retried, any other error is logged. */
  guard(action: () => void): void;
};

/** The agent process of one session: starts, adopts, connects and ends it. At most one is connected at a time. */
export class SessionProcess {
  /** What the next commit of this process continues from. */
  cursor: ProcessCursor | undefined;
  #connection: AgentConnection | undefined;
  #closing: ConversationClose | undefined;
  #starting: Promise<void> | undefined;
  #launch = new AbortController();
  /** Resolves when the previous process has ended. */
  #stopping: Promise<unknown> = Promise.resolve();
  #detached = false;
  /** The daemon stops and releases its agents: the end of one must not start the next, even if its turn needs one. */
  #isShutDown = false;
  readonly #tasks: TaskProcesses;
  readonly #owner: ProcessOwner;
  readonly #deps: ActorDeps;

  constructor(owner: ProcessOwner, deps: ActorDeps) {
    this.#owner = owner;
    this.#deps = deps;
    this.#tasks = new TaskProcesses(owner, deps.config.deadlines.stopSeconds * 1000);
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  get isStarting(): boolean {
    return this.#starting !== undefined;
  }

  /** Writes journalled rows to stdin, after `held` resolves. */
  write(rows: readonly JournalRow[], held?: Promise<void>): void {
    this.#connection?.write(rows, held);
  }

  acknowledge(keys: readonly string[]): void {
    if (keys.length > 0) this.#connection?.acknowledge(keys);
  }

  async drainOutput(): Promise<void> {
    await this.#connection?.drainOutput();
  }

  /** The line that the process has begun and not ended. */
  get unfinishedLine(): { bytes: number; head: string } | undefined {
    return this.#connection?.unfinishedLine;
  }

  /** Starts a process if the session needs one and has none. */
  ensure(): void {
    if (needsProcess(this.#owner.state.view)) this.warmUp();
  }

  /** Starts a process if there is none. `false`: there is one, or the session is no longer served. */
  warmUp(): boolean {
    if (this.#detached || this.#isShutDown || this.isConnected || this.isStarting) return false;
    this.#deps.makeRoom();
    const launch = new AbortController();
    this.#launch = launch;
    this.#starting = this.#start(launch.signal).finally(() => {
      this.#starting = undefined;
      // Another turn may need a process by now.
      if (!launch.signal.aborted) this.ensure();
    });
    return true;
  }

  delayStart(ms: number): void {
    this.#stopping = Promise.all([this.#stopping, sleep(ms)]);
  }

  /**
   * Connects to a process that an earlier daemon started, alive or dead: its output since then is read first. `false`: it
   * was discarded, and its session continues without it.
   */
  adopt(row: ProcessRow): boolean {
    const { store, spool } = this.#deps;
    const { view } = this.#owner.state;
    const agent = this.#deps.agent(row.agent);
    const progress = store.spools.get(row.id);
    const { out } = spool.paths(view.id, row.id);
    const restored =
      agent && progress && row.pid !== undefined
        ? restoreConversation(agent, view, progress, out, this.#lineLimit())
        : undefined;
    // A closing process is ended; the session continues in another one, or with another agent.
    if (!progress || !restored || restored.conversation.closing || row.agent !== view.agent) {
      this.discard(row);
      if (row.pid !== undefined && !restored) this.#owner.apply("processLost", undefined);
      return false;
    }
    this.#owner.state = { ...this.#owner.state, ...restored };
    this.#owner.hold.restore(store, view);
    const ordinal = store.journal.nextOrdinal(row.id);
    this.cursor = { process: row.id, ordinal, markOffset: progress.markOffset };
    this.#connect(stopTarget(row), progress.errOffset, store.journal.list(row.id, ["pending", "writing"]));
    // The crash came before the handshake.
    if (store.journal.list(row.id).length === 0) this.#owner.apply("startHandshake", undefined);
    return true;
  }

  /**
   * Ends a process that an earlier daemon left and that is not resumed. One whose start was cut off has served nothing, so
   * its end is no event.
   */
  discard(row: ProcessRow): void {
    const reason = row.pid === undefined ? undefined : "restart";
    this.#awaitEnd(row.id, stop(stopTarget(row), { graceMs: this.#graceMs() }), reason);
  }

  /** Ends the process, if there is one, and resolves when it has ended. */
  async release(reason: StopReason): Promise<boolean> {
    this.#isShutDown ||= reason === "shutdown";
    this.#launch.abort();
    await this.#starting;
    this.#owner.guard(() => this.#owner.apply("beforeRelease", undefined));
    const connected = this.isConnected;
    this.stop(reason);
    await this.#stopping;
    return connected;
  }

  /** Ends the process without waiting for it. */
  stop(reason: StopReason): void {
    const closing = this.#closeConversation(reason);
    const connection = this.#connection;
    const process = this.cursor?.process;
    this.#connection = undefined;
    this.watchTasks();
    this.cursor = undefined;
    this.#owner.state = disconnect(this.#owner.state);
    if (!connection || !process) return;
    this.#deps.log(`${this.#owner.state.view.id}: ends process ${process} (${reason})`);
    this.#awaitEnd(process, connection.stop(this.#graceMs(), closing?.acknowledged), reason);
  }

  /** Watches the processes of running tasks while there are any. */
  watchTasks(): void {
    this.#tasks.sync(this.#detached ? undefined : this.#connection?.target);
  }

  /** Ends the processes of a task. */
  endTask(task: string): void {
    void this.#tasks.end(task, this.#connection?.target);
  }

  /** Stops reading and writing; the process continues. */
  detach(): void {
    this.#detached = true;
    this.#tasks.sync(undefined);
    this.#connection?.detach();
    this.#connection = undefined;
  }

  async #start(signal: AbortSignal): Promise<void> {
    await this.#stopping;
    if (this.#detached) return;
    const owner = this.#owner;
    const { agent, handoff, turn } = owner.state.view;
    const id = this.#deps.id("process");
    this.#crashPoint("launch:before");
    const started = await launchForSession({
      deps: this.#deps,
      id,
      view: () => owner.state.view,
      isRestart: turn !== undefined && owner.state.restartedTurn === turn.id,
      brief: owner.brief.get(),
      hold: owner.hold,
      pinned: owner.pinned,
      isDisposed: () => this.#detached,
      signal,
      notify: (text) =>
        owner.apply("recordEvents", [{ type: "notice", data: { kind: "wait", severity: "info", text } }]),
    });
    if (this.#detached || !started) return;
    this.#crashPoint("launch:after");
    // The session was handed off, or back, while the process started.
    if (owner.state.view.agent !== agent || owner.state.view.handoff?.id !== handoff?.id) {
      const row = this.#deps.store.processes.get(id);
      return row && started.ok ? this.discard(row) : undefined;
    }
    if (!started.ok) return owner.guard(() => owner.apply("launchFailed", started.failure));
    const { launched, conversation, notices, injection, pinnedHash } = started;
    const [untrusted, version] = [started.untrusted, started.version].map((text) =>
      text && this.#isNewNotice(text) ? text : undefined,
    );
    this.cursor = { process: id, ordinal: 0, markOffset: 0 };
    const { lastSeq } = owner.state.view;
    if (conversation.channel.perTurn) owner.guard(() => owner.brief.clear());
    if (pinnedHash) owner.guard(() => owner.pinned.recordInjection(agent, { hash: pinnedHash, seq: lastSeq }));
    // Before the tail starts: the first output may be there already.
    owner.state = { ...owner.state, conversation };
    this.#connect(launched, 0, []);
    owner.guard(() => owner.apply("processLaunched", { notices, untrusted, version, injection }));
  }

  /** A notice about the same content is added to a session once, not for each process. */
  #isNewNotice(text: string): boolean {
    for (const event of readLog(this.#deps.store, this.#owner.state.view.id)) {
      if (event.type === "notice" && event.data.text === text) return false;
    }
    return true;
  }

  #connect(target: StopTarget, errOffset: number, unwritten: readonly JournalRow[]): void {
    const { store, spool, log } = this.#deps;
    const owner = this.#owner;
    const session = owner.state.view.id;
    const isCurrent = () => this.cursor?.process === target.id;
    this.#connection = new AgentConnection({
      target,
      paths: spool.paths(session, target.id),
      offset: owner.state.conversation?.offset ?? 0,
      errOffset,
      lineLimit: this.#lineLimit(),
      unwritten,
      held: owner.hold.released,
      owner: {
        onStdout: (lines, end) => {
          if (isCurrent()) deliverLines(this.#receiver(session), lines, end);
          else if (this.#closing?.process === target.id) this.#closing.receive(lines);
        },
        onStderr: (lines, end) => {
          if (isCurrent()) this.#receiveStderr(target.id, lines, end);
        },
        onCut: (from, to) => {
          if (isCurrent()) owner.apply("outputCut", { from, to });
        },
        onExit: (exit) => isCurrent() && owner.guard(() => this.#handleExit(target.id, exit)),
        onStdinClosed: (message, unsent) => {
          const type = unsent ? "promptUndelivered" : "stdinClosed";
          if (isCurrent()) owner.guard(() => owner.apply(type, message));
        },
        setState: (id, state) => void store.commit({ session, events: [], journal: { set: [{ id, state }] } }),
        ping: (key) => owner.apply("ping", key),
        onError: (error) => log(`${session}: ${(error as Error).message}`),
      },
    });
    this.#connection.start();
  }

  #receiver(session: string): LineReceiver {
    const owner = this.#owner;
    return {
      offset: () => owner.state.conversation?.offset ?? 0,
      apply: (lines, end) => owner.apply("stdout", { lines, end }),
      quarantine: (line, end, reason) => {
        const text = hideTokens(line.kind === "line" ? line.text : line.head);
        owner.apply("quarantine", { text, reason, end });
      },
      log: (text) => this.#deps.log(`${session}: ${text}`),
    };
  }

  /** Lines of stderr that cannot be processed are logged only: no message depends on them. */
  #receiveStderr(process: string, lines: Line[], end: number): void {
    const extra = () => ({ spool: { process, errOffset: end } });
    try {
      this.#owner.apply("stderr", lines, extra);
    } catch (error) {
      if (isEnvironmental(error)) throw error;
      this.#deps.log(`${process}: ${lines.length} lines of stderr: ${(error as Error).stack ?? error}`);
      this.#owner.apply("stderr", [], extra);
    }
  }

  #handleExit(process: string, exit: Exit): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.watchTasks();
    try {
      this.#owner.apply("processExited", exit);
    } catch (error) {
      if (isEnvironmental(error)) {
        this.#connection = connection;
        throw error;
      }
      this.#deps.log(`${process}: its exit could not be decoded: ${(error as Error).stack ?? error}`);
      this.#owner.apply("processLost", undefined);
    }
    if (this.cursor?.process === process) this.cursor = undefined;
    // Guarded separately: the exit itself is applied once.
    this.#owner.guard(() => recordProcessEnd(this.#deps, this.#owner.state.view.id, process, exit));
  }

  /** An agent that is stopped because it does not respond is not asked first. */
  #closeConversation(reason: StopReason): ConversationClose | undefined {
    if (!this.#connection || reason === "deadline" || reason === "interrupted") return undefined;
    this.#closing = undefined;
    this.#owner.guard(() => {
      const key = this.#owner.apply("closeConversation", undefined);
      const { conversation } = this.#owner.state;
      if (key && conversation && this.cursor)
        this.#closing = new ConversationClose(this.cursor.process, conversation, key);
    });
    return this.#closing;
  }

  /** The next process starts when this one has ended. After `detach`, the next daemon records the end. */
  #awaitEnd(process: string, ended: Promise<unknown>, reason: StopReason | "restart" | undefined): void {
    const recorded = ended
      .catch((error) => this.#deps.log(`${process}: ${error.message}`))
      .then(() => {
        if (this.#detached) return;
        // With another process connected, the tasks are that one's.
        if (reason && !this.isConnected && reason !== "deleted")
          this.#owner.guard(() => this.#owner.apply("processReleased", reason));
        this.#owner.guard(() => recordProcessEnd(this.#deps, this.#owner.state.view.id, process));
      });
    this.#stopping = Promise.all([this.#stopping, recorded]);
  }

  #crashPoint(where: string): void {
    if (this.#owner.state.view.handoff) this.#deps.onStep?.(`handoff:${where}`);
  }

  #graceMs(): number {
    return this.#deps.config.deadlines.stopSeconds * 1000;
  }

  #lineLimit(): number {
    return Math.round(this.#deps.config.lineLimitMb * 1024 * 1024);
  }
}
