import { setTimeout as sleep } from "node:timers/promises";
import {
  type Failure,
  failure,
  type IdKind,
  type Offer,
  type OpenItem,
  offerIn,
  type SessionView,
  type Usage,
  withOffer,
} from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Config } from "../config.ts";
import { frameOf, type Line } from "../framing/lines.ts";
import { hideTokens } from "../framing/tokens.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Blobs } from "../log/blobs.ts";
import type { Batch, JournalRow, ProcessRow, Store, StoredEvent } from "../log/port.ts";
import type { Exit } from "../process/exit.ts";
import { Ledger } from "../process/ledger.ts";
import type { Spool } from "../process/spool.ts";
import { type StopTarget, stop } from "../process/stop.ts";
import type { Publisher, TurnSnapshots } from "./api.ts";
import { batchOf, type Wire } from "./commit.ts";
import { Link } from "./connection/connection.ts";
import { ConversationClose } from "./connection/conversation-close.ts";
import { restore } from "./connection/mark.ts";
import { noticeOf, type PinnedSource, type Reminder, Standing } from "./connection/pinned-context.ts";
import { PromptHold } from "./connection/prompt-hold.ts";
import { resumeDelayMs } from "./connection/resume-delay.ts";
import { type Startable, startProcess } from "./connection/start-process.ts";
import { deadlinePassed, recovered } from "./engine/deadlines.ts";
import { CONTINUITY } from "./engine/inputs.ts";
import { forkKey, processEnded } from "./engine/outputs.ts";
import { drain, type Link as LinkState } from "./engine/queue.ts";
import { type Context, SessionStep, type StopReason } from "./engine/step.ts";
import { endTurn } from "./engine/turns.ts";
import { Exchange, type Talk, trailMs } from "./exchange.ts";
import { handoffCrashPoints } from "./handoff/marks.ts";
import { PendingBrief } from "./handoff/pending-brief.ts";
import { publishStep } from "./publish.ts";
import { closedInTurn, eventsOf, turnMessages } from "./read-log.ts";
import { SecondStart, startAgain } from "./second-start.ts";
import { tend } from "./tend.ts";
import { Watchdogs, type WatchKind } from "./watchdogs.ts";

/** What all sessions of a daemon share. */
export type ActorDeps = {
  store: Store;
  blobs: Blobs;
  spool: Spool;
  announcer: Publisher;
  config: Config;
  /** Environment of agents: the daemon's own without its private part. */
  env: Record<string, string>;
  /** What a session's agent and terminals find in their environment of the place they work in and of Gantry. */
  surroundings: (view: SessionView) => Record<string, string>;
  /** What the agent of a session is to have before it at all times. */
  standing?: PinnedSource;
  id: (kind: IdKind) => string;
  now: () => string;
  /** `again`: what is known of the agent has just failed, so ask it anew. */
  resolve: (view: SessionView, again: boolean) => Promise<Startable>;
  agent: (id: string) => Agent | undefined;
  /** The command that logs an agent in, where there is one. */
  loginOffer: (agent: string) => Offer | undefined;
  keeper: TurnSnapshots;
  limits: LimitKeeper;
  /** What tokens of a model cost by the list; `undefined` when nobody knows. */
  price: (model: string, usage: Usage) => number | undefined;
  log: (text: string) => void;
  /** Carries out the handoff that a session's view holds; nobody waits for it. */
  handOff: (session: string) => void;
  /** Called before and after each step of what a crash may cut off; tests end the process there. */
  onStep?: (where: string) => void;
};

const RESTART_MS = 300;

type Applied = { ok: boolean; message?: string };

/**
 * The impure side of one session: it feeds the engine with what the process says and what people want, makes the outcome
 * durable, tells of it, and then acts. Everything between two commits happens in one turn of the event loop.
 */
export class SessionActor {
  view: SessionView;
  #open: Map<string, OpenItem> = new Map();
  #closed: Set<string>;
  #link: Link | undefined;
  #talk: Talk | undefined;
  #wire: Wire | undefined;
  #starting: Promise<void> | undefined;
  /** Aborted when nobody waits any more for a conversation that cannot be resumed yet. */
  #resting = new AbortController();
  #stopping: Promise<void> = Promise.resolve();
  #parting: ConversationClose | undefined;
  #lastRetry: Failure | undefined;
  #disposed = false;
  readonly #secondStart = new SecondStart();
  readonly #brief: PendingBrief;
  readonly #gate: PromptHold;
  readonly #standing: Standing;
  readonly #waiters = new Map<string, (applied: Applied) => void>();
  readonly #dogs: Watchdogs;
  readonly #deps: ActorDeps;
  readonly #ledger: Ledger;

  constructor(view: SessionView, deps: ActorDeps) {
    this.view = view;
    this.#deps = deps;
    this.#brief = new PendingBrief(deps.store, view.id);
    this.#gate = new PromptHold(deps.keeper);
    this.#standing = new Standing(deps.store, view.id, deps.standing);
    this.#ledger = new Ledger(deps.store.processes, deps.now);
    this.#dogs = new Watchdogs((kind, seconds) => this.#passed(kind, seconds));
    this.#closed = closedInTurn(deps.store, view);
  }

  get open(): OpenItem[] {
    return [...this.#open.values()];
  }

  get linkState(): LinkState {
    if (!this.#link) return this.#starting ? "starting" : "none";
    return this.#talk?.ready ? "ready" : "starting";
  }

  /** The process that the session talks with now. */
  get process(): string | undefined {
    return this.#wire?.process;
  }

  /** Runs an action of the engine and makes what it decided durable. Throws what the action throws, with nothing changed. */
  transact<T>(action: (exchange: Exchange) => T, extra: Partial<Batch> = {}): T {
    const step = new SessionStep(this.view, this.#open, this.#closed, this.#context());
    const exchange = new Exchange(step, this.#talk, this.#standing.reminder);
    const result = action(exchange);
    exchange.flush();
    this.#commit(exchange, extra);
    this.#after(exchange);
    return result;
  }

  /** Sends a setting to the agent and waits for its word, at most `ms`. `undefined`: nobody is there to be told. */
  async set(field: "model" | "mode" | "effort", value: string, ms = 5000): Promise<Applied | undefined> {
    if (this.linkState !== "ready") return undefined;
    const answer = Promise.withResolvers<Applied>();
    this.#waiters.set(field, answer.resolve);
    const late = { ok: false, message: `The agent did not answer within ${ms / 1000} s.` };
    const timer = setTimeout(() => answer.resolve(late), ms);
    const told = this.transact((exchange) => {
      exchange.step.effect({ type: "command", command: { type: "set", [field]: value } });
      exchange.flush();
      return exchange.frames.length > 0 || exchange.applied.length > 0;
    });
    if (!told) answer.resolve({ ok: false });
    return answer.promise.finally(() => clearTimeout(timer));
  }

  /** Goes on after a restart: a queue that waits gets its turn, a turn gets its process. */
  wake(): void {
    if (!this.#link) this.#gate.restore(this.#deps.store, this.view);
    this.transact(({ step }) => drain(step));
  }

  /** Goes on with a process that an earlier daemon started, alive or dead: what it said since is heard first. */
  adopt(row: ProcessRow): void {
    const { store, spool } = this.#deps;
    const agent = this.#deps.agent(row.agent);
    const progress = store.spools.get(row.id);
    const { out } = spool.paths(this.view.id, row.id);
    const restored =
      agent && progress && row.pid !== undefined
        ? restore(agent, this.view, progress, out, this.#lineLimit())
        : undefined;
    if (!progress || !restored) {
      this.discard(row);
      if (row.pid !== undefined) this.transact(({ step }) => processEnded(step, { code: null, signal: null }));
      return;
    }
    // What was being ended is ended; the conversation goes on in another process, or with another agent.
    if (restored.talk.parting || row.agent !== this.view.agent) return this.discard(row);
    this.#talk = restored.talk;
    this.#open = restored.open;
    this.#gate.restore(store, this.view);
    const ordinal = store.journal.nextOrdinal(row.id);
    this.#wire = { process: row.id, ordinal, markOffset: progress.markOffset };
    this.#attach(targetOf(row), progress.errOffset, store.journal.list(row.id, ["pending", "writing"]));
    if (store.journal.list(row.id).length === 0) this.transact((exchange) => exchange.open());
    else this.wake();
  }

  /** Ends a process that an earlier daemon left and that is not to be gone on with. */
  discard(row: ProcessRow): void {
    const { config, log } = this.#deps;
    this.#stopping = Promise.all([
      this.#stopping,
      stop(targetOf(row), { graceMs: config.deadlines.stopSeconds * 1000 }),
    ])
      .catch((error) => log(`${row.id}: ${error.message}`))
      .then(() => this.#close(row.id));
  }

  /** Ends the process, if there is one, and resolves when it is gone. */
  async release(reason: StopReason): Promise<boolean> {
    this.#resting.abort();
    await this.#starting;
    this.#endTrail();
    const had = this.#link !== undefined;
    this.#stop(reason);
    await this.#stopping;
    return had;
  }

  /** Lets go of everything; the process goes on by itself. */
  detach(): void {
    this.#disposed = true;
    this.#dogs.clear();
    this.#link?.detach();
    this.#link = undefined;
  }

  #context(): Context {
    const { id, now, config } = this.#deps;
    const agent = this.#deps.agent(this.view.agent);
    const { steer = "queue", provider = this.view.agent, edits = false, name = this.view.agent } = agent ?? {};
    const loginOffer = () => this.#deps.loginOffer(this.view.agent);
    const facts = { id: this.view.agent, name, steer, provider, edits, loginOffer };
    return {
      id,
      now,
      queueLimit: config.queueLimit,
      agent: facts,
      gate: this.#deps.limits.gate(),
      turnMessages: (view) => turnMessages(this.#deps.store, view),
      goOn: config.limits.goOn,
      price: this.#deps.price,
    };
  }

  #commit(exchange: Exchange, extra: Partial<Batch>): void {
    const { step, talk, acks } = exchange;
    const { batch, rows, wire } = batchOf(exchange, this.#wire, this.#deps, extra);
    const stored = batch ? this.#stored(batch) : [];
    this.view = step.view;
    this.#open = step.open;
    this.#talk = talk;
    this.#wire = wire;
    if (step.context.gate) this.#deps.limits.take(step.context.gate);
    if (step.newTurn) this.#closed = new Set();
    for (const item of step.nowClosed) this.#closed.add(item);
    publishStep(this.#deps.announcer, this.view.id, step.out, stored);
    this.#gate.follow(step.events, this.view);
    this.#link?.write(rows, exchange.pulse.prompted ? this.#gate.shut : undefined);
    if (acks.length > 0) this.#link?.acked(acks);
  }

  #stored(batch: Batch): StoredEvent[] {
    const { store, onStep } = this.#deps;
    const marks = onStep ? handoffCrashPoints(batch.events, this.view.handoff?.message) : [];
    for (const mark of marks) onStep?.(`${mark}:before`);
    const stored = store.commit(batch);
    for (const mark of marks) onStep?.(`${mark}:after`);
    return stored;
  }

  /** What follows a commit: effects, deadlines, a process for a turn that has none. */
  #after({ step, pulse, applied }: Exchange): void {
    for (const { field, ok, message } of applied) {
      this.#waiters.get(field)?.({ ok, message });
      this.#waiters.delete(field);
    }
    if (pulse.retry) this.#lastRetry = pulse.retry;
    if (pulse.prefaced) this.#brief.forget();
    if (pulse.toldStanding) this.#standing.told(this.view.agent, pulse.toldStanding);
    for (const effect of step.effects) {
      if (effect.type === "stop") this.#stop(effect.reason);
      if (effect.type === "restart") this.#restart(effect.how);
      if (effect.type === "handoff") this.#deps.handOff(this.view.id);
    }
    const linked = this.#link !== undefined;
    const talk = { linked, ready: this.#talk?.ready === true, trailMs: linked ? trailMs(this.#talk) : undefined };
    tend(this.#dogs, this.#deps.config, this.view, talk, pulse);
    this.#ensure();
  }

  /** Sees to it that a running turn has a process. */
  #ensure(): void {
    if (this.#disposed || !this.view.turn || this.#link || this.#starting) return;
    if (this.view.inputs.some((input) => input.native === CONTINUITY)) return;
    const resting = new AbortController();
    this.#resting = resting;
    this.#starting = this.#start().finally(() => {
      this.#starting = undefined;
      // The turn that it was started for may be over, and another may wait.
      if (!this.#disposed && !resting.signal.aborted) this.#ensure();
    });
  }

  async #start(): Promise<void> {
    await this.#stopping;
    if (this.#disposed) return;
    const { store, spool, now, resolve, config } = this.#deps;
    const id = this.#deps.id("process");
    const again = this.#secondStart.isOf(this.view.turn?.id);
    const { hints } = config.prompt;
    const brief = this.#brief.get();
    const { agent, handoff } = this.view;
    this.#mark("launch:before");
    let reminder: Reminder | undefined;
    const started = await resolve(this.view, again)
      .then(async (startable) => {
        if (!(await this.#rested(startable))) return undefined;
        // Such a process begins its work as it starts.
        if (startable.channel.perTurn) await this.#gate.shut;
        if (startable.channel.perTurn && (this.#disposed || !this.view.turn)) return undefined;
        const env = { ...this.#deps.env, ...this.#deps.surroundings(this.view) };
        const standing = this.#standing.atStart(this.view, startable);
        reminder = standing.reminder;
        return startProcess({ store, spool, env, id, now, view: this.view, hints, brief, ...standing });
      })
      .catch((error: StartError) => ({ ok: false as const, failure: cannotStart(error) }));
    if (this.#disposed || !started) return;
    this.#mark("launch:after");
    // The session was given to another agent meanwhile, or back.
    if (this.view.agent !== agent || this.view.handoff?.id !== handoff?.id) {
      const row = store.processes.get(id);
      return row && started.ok ? this.discard(row) : undefined;
    }
    if (!started.ok) {
      this.#guarded(() => this.#failTurn("not started", started.failure));
      return;
    }
    this.#wire = { process: id, ordinal: 0, markOffset: 0 };
    this.#talk = started.talk;
    if (started.talk.channel.perTurn) this.#brief.forget();
    if (started.standing) this.#standing.told(this.view.agent, { hash: started.standing, seq: this.view.lastSeq });
    this.#attach(started.launched, 0, []);
    const { withheld, standing } = started;
    this.#guarded(() =>
      this.transact((exchange) => {
        for (const text of withheld) exchange.step.emit("notice", { kind: "kit", severity: "warning", text });
        if (reminder && standing) exchange.step.emit("notice", noticeOf(reminder));
        exchange.open();
      }),
    );
  }

  /** Waits until the conversation may be resumed. `false`: nobody wants it any more then. */
  async #rested({ agent, channel }: Startable): Promise<boolean> {
    const { store, now } = this.#deps;
    const conversation = { agent: agent.id, handle: this.view.handles[agent.id] };
    const ms = resumeDelayMs(channel, conversation, eventsOf(store, this.view.id), Date.parse(now()));
    if (ms === 0) return true;
    const seconds = Math.ceil(ms / 1000);
    const text = `${agent.name} would lose a conversation that is resumed so soon. It is resumed in ${seconds} s.`;
    this.transact(({ step }) => step.emit("notice", { kind: "wait", severity: "info", text }));
    const { signal } = this.#resting;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted && !this.#disposed && this.view.turn !== undefined;
  }

  #attach(target: StopTarget, errOffset: number, left: JournalRow[]): void {
    const { store, spool, log } = this.#deps;
    const mine = () => this.#wire?.process === target.id;
    const session = this.view.id;
    this.#link = new Link({
      target,
      paths: spool.paths(session, target.id),
      offset: this.#talk?.offset ?? 0,
      errOffset,
      lineLimit: this.#lineLimit(),
      left,
      held: this.#gate.shut,
      owner: {
        onOut: (lines, end) => (mine() ? this.#heard(lines, end) : this.#heardLast(target.id, lines)),
        onErr: (lines, end) => mine() && this.#complained(lines, end),
        onEnd: (exit) => mine() && this.#guarded(() => this.#ended(exit)),
        onDeaf: (message) => mine() && this.#guarded(() => this.#deaf(message)),
        mark: (id, state) => void store.commit({ session, events: [], journal: { set: [{ id, state }] } }),
        ping: (key) => this.#ping(key),
        onError: (error) => log(`${session}: ${(error as Error).message}`),
      },
    });
    this.#link.start();
  }

  #heard(lines: Line[], end: number): void {
    this.transact((exchange) => {
      recovered(exchange.step);
      for (const line of lines) exchange.hear(frameOf(line), line.end);
      if (exchange.talk) exchange.talk = { ...exchange.talk, offset: end };
    });
  }

  #heardLast(process: string, lines: Line[]): void {
    if (this.#parting?.process === process) this.#parting.hear(lines);
  }

  #complained(lines: Line[], end: number): void {
    const process = this.#wire?.process ?? "";
    this.transact((exchange) => {
      const at = exchange.talk?.offset ?? 0;
      for (const line of lines)
        exchange.hear({ dir: "err", text: hideTokens(line.kind === "line" ? line.text : line.head) }, at);
    });
    this.#deps.store.commit({ session: this.view.id, events: [], spool: { process, errOffset: end } });
  }

  #ended(exit: Exit): void {
    const process = this.#wire?.process ?? "";
    const link = this.#link;
    this.#link = undefined;
    const again = this.#secondStart.claim(this.view, this.#talk);
    if (again) this.#stopping = sleep(RESTART_MS);
    try {
      this.transact((exchange) => {
        if (again) return startAgain(exchange, exit);
        exchange.hear({ dir: "end", ...exit }, exchange.talk?.offset ?? 0);
        const untold = this.#untold(exchange);
        exchange.talk = undefined;
        if (!untold) processEnded(exchange.step, exit);
      });
    } catch (error) {
      this.#link = link;
      throw error;
    }
    if (this.#wire?.process === process) this.#wire = undefined;
    this.#close(process, exit);
  }

  /** A turn that this process was never told of is not its failure: the next process gets it. */
  #untold({ step, talk }: Exchange): boolean {
    const { turn } = step.view;
    if (!turn) return false;
    const { messages } = turn;
    const begunByItsEnd = turn.id !== this.view.turn?.id;
    const told = messages.length === 0 || messages.some((message) => talk?.told.includes(message));
    return begunByItsEnd || (talk?.ready === true && !told);
  }

  /** The process is over and nothing more is to be read of it. */
  #close(process: string, exit: Exit = { code: null, signal: "SIGTERM" }): void {
    const { store, spool, log } = this.#deps;
    if (this.#disposed && !store.processes.get(process)) return;
    const row = store.processes.get(process);
    if (row && !row.endedAt) this.#ledger.ended(process, exit);
    store.journal.forget(process);
    store.spools.forget(process);
    void spool.compress(this.view.id, process).catch((error) => log(`${process}: ${error.message}`));
  }

  #deaf(message: string): void {
    const text = `The agent does not take any input: ${message}.`;
    this.#deps.log(`${this.view.id}: ${text}`);
    this.#endTrail();
    if (this.view.turn) this.#failTurn("no input", failure("protocol", text), true);
  }

  #ping(key: string): boolean {
    return this.transact((exchange) => {
      const { talk } = exchange;
      const frames = talk?.channel.encode(talk.state, { type: "ping", key }) ?? [];
      for (const frame of frames) exchange.tell({ ...frame, key });
      return frames.length > 0;
    });
  }

  #stop(reason: StopReason): void {
    const parting = this.#part(reason);
    const link = this.#link;
    const process = this.#wire?.process;
    this.#link = undefined;
    this.#talk = undefined;
    this.#wire = undefined;
    this.#open = new Map();
    this.#dogs.clear();
    if (!link || !process) return;
    const { config, log } = this.#deps;
    this.#stopping = link
      .stop(config.deadlines.stopSeconds * 1000, parting?.answered)
      .catch((error) => log(`${process}: ${error.message}`))
      .then(() => {
        // The next daemon finds that it has ended.
        if (this.#disposed) return;
        this.#close(process);
        log(`${this.view.id}: process ${process} ended (${reason})`);
      });
  }

  /** The protocol's own way to end a talk, where the agent has one. */
  #part(reason: StopReason): ConversationClose | undefined {
    // Who is ended because it does not listen would not listen now.
    if (!this.#link || reason === "deadline" || reason === "interrupted") return undefined;
    try {
      const key = this.transact((exchange) => exchange.part());
      if (key && this.#talk && this.#wire) this.#parting = new ConversationClose(this.#wire.process, this.#talk, key);
      return key ? this.#parting : undefined;
    } catch (error) {
      this.#deps.log(`${this.view.id}: ${(error as Error).message}`);
      return undefined;
    }
  }

  #restart(how: "retry" | "rebuild" | "new"): void {
    if (how === "retry") return;
    const { agent } = this.view;
    if (how === "rebuild") this.#brief.make(this.#deps.config.handoff.briefChars);
    const handles = { [agent]: null, [forkKey(agent)]: null };
    this.transact(({ step }) => step.emit("session.updated", { patch: { handles }, reason: `conversation: ${how}` }));
  }

  #failTurn(reason: string, error: Failure, stopping = false): void {
    this.transact(({ step }) => {
      endTurn(step, { outcome: "failed", reason, error }, true);
      if (stopping) step.effect({ type: "stop", reason: "deadline" });
      drain(step);
    });
  }

  #passed(kind: WatchKind, seconds: number): void {
    if (kind === "idle") return void this.release("idle");
    if (kind === "trail") return void this.#trailPassed();
    const last = kind === "retry" ? this.#lastRetry : undefined;
    // A turn that the agent has ended is not to be ended by us.
    if (this.#endTrail()) return;
    this.#guarded(() => this.transact(({ step }) => deadlinePassed(step, kind, seconds, last)));
  }

  /** What the agent had printed when the time was over counts, however busy this program was. */
  async #trailPassed(): Promise<void> {
    const link = this.#link;
    await link?.heardAll();
    if (link && link === this.#link) this.#endTrail();
  }

  /** Takes the end of a turn that is held back for what trails it. `false`: there was none. */
  #endTrail(): boolean {
    if (trailMs(this.#talk) === undefined) return false;
    this.#guarded(() => this.transact((exchange) => exchange.endTrail()));
    return true;
  }

  /** For what nobody waits for: with a full disk it is tried again, anything else is our bug and goes to the log. */
  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#deps.log(`${this.view.id}: ${(error as Error).stack ?? error}`);
      const full = (error as { code?: string }).code === "storage_full";
      if (full && !this.#disposed) setTimeout(() => this.#guarded(action), 1000).unref();
    }
  }

  #mark(where: string): void {
    if (this.view.handoff) this.#deps.onStep?.(`handoff:${where}`);
  }

  #lineLimit(): number {
    return Math.round(this.#deps.config.lineLimitMb * 1024 * 1024);
  }
}

function targetOf({ id, pid = 0, pgid = 0, startedAt = "" }: ProcessRow): StopTarget {
  return { id, pid, pgid, startedAt };
}

type StartError = Error & { remedy?: string; details?: unknown };

function cannotStart({ message, remedy, details }: StartError): Failure {
  const known = failure("crashed", message, remedy ?? "See `gantry doctor` for what is wrong with the agent.");
  return withOffer(known, offerIn(details));
}
