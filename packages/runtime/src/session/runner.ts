import {
  type Envelope,
  type Failure,
  type IdKind,
  type LiveFrame,
  type OpenItem,
  type SessionView,
  sessionState,
} from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Config } from "../config.ts";
import { frameOf, type Line } from "../framing/lines.ts";
import type { Blobs } from "../log/blobs.ts";
import type { Batch, JournalRow, ProcessRow, Store } from "../log/port.ts";
import type { Exit } from "../process/exit.ts";
import { Ledger } from "../process/ledger.ts";
import type { Spool } from "../process/spool.ts";
import { brief } from "./brief.ts";
import { checkpointOf, restore, worthStoring } from "./checkpoint.ts";
import { forkKey, processEnded } from "./engine/agent-output.ts";
import { endTurn } from "./engine/closing.ts";
import { deadlinePassed, recovered } from "./engine/deadlines.ts";
import { CONTINUITY } from "./engine/inputs.ts";
import { drain, type Link as LinkState } from "./engine/messages.ts";
import { type Context, type StopReason, Transition } from "./engine/transition.ts";
import { Exchange, type Pulse, type Talk } from "./exchange.ts";
import { type Startable, startProcess } from "./launch.ts";
import { Link } from "./link.ts";
import type { Announcer } from "./port.ts";
import { Watchdogs, type WatchKind } from "./watchdogs.ts";

/** What all sessions of a daemon share. */
export type RunnerDeps = {
  store: Store;
  blobs: Blobs;
  spool: Spool;
  announcer: Announcer;
  config: Config;
  /** Environment of agents: the daemon's own without its private part. */
  env: Record<string, string>;
  id: (kind: IdKind) => string;
  now: () => string;
  resolve: (agent: string) => Promise<Startable>;
  agent: (id: string) => Agent | undefined;
  log: (text: string) => void;
};

const SETTLE_SECONDS = 5;

/**
 * The impure side of one session: it feeds the engine with what the process says and what people want, makes the outcome
 * durable, tells of it, and then acts. Everything between two commits happens in one turn of the event loop.
 */
export class SessionRunner {
  view: SessionView;
  #open: Map<string, OpenItem> = new Map();
  #closed = new Set<string>();
  #link: Link | undefined;
  #talk: Talk | undefined;
  #process: string | undefined;
  #checkpointOffset = 0;
  #ordinal = 0;
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> = Promise.resolve();
  #lastRetry: Failure | undefined;
  #disposed = false;
  readonly #waiters = new Map<string, (applied: { ok: boolean; message?: string }) => void>();
  readonly #dogs: Watchdogs;
  readonly #deps: RunnerDeps;
  readonly #ledger: Ledger;

  constructor(view: SessionView, deps: RunnerDeps) {
    this.view = view;
    this.#deps = deps;
    this.#ledger = new Ledger(deps.store.processes, deps.now);
    this.#dogs = new Watchdogs((kind, seconds) => this.#passed(kind, seconds));
    if (view.turn) this.#closed = closedInTurn(deps.store, view);
  }

  get open(): OpenItem[] {
    return [...this.#open.values()];
  }

  get linkState(): LinkState {
    if (!this.#link) return this.#starting ? "starting" : "none";
    return this.#talk?.ready ? "ready" : "starting";
  }

  get process(): string | undefined {
    return this.#link ? this.#process : undefined;
  }

  /** Is there anything to do that must go on after a restart? */
  get unsettled(): boolean {
    return this.view.turn !== undefined || this.view.sent.length > 0 || this.view.queue.length > 0;
  }

  /** Runs an action of the engine and makes what it decided durable. Throws what the action throws, with nothing changed. */
  transact<T>(action: (exchange: Exchange) => T, extra: Partial<Batch> = {}): T {
    const step = new Transition(this.view, this.#open, this.#closed, this.#context());
    const exchange = new Exchange(step, this.#talk, () => this.#preamble());
    const result = action(exchange);
    exchange.flush();
    this.#commit(exchange, extra);
    this.#after(exchange);
    return result;
  }

  /** Sends a setting to the agent and waits for its word, at most `ms`. `undefined`: nobody is there to be told. */
  async set(
    field: "model" | "mode" | "effort",
    value: string,
    ms = 5000,
  ): Promise<{ ok: boolean; message?: string } | undefined> {
    if (this.linkState !== "ready") return undefined;
    const answer = new Promise<{ ok: boolean; message?: string }>((resolve) => {
      this.#waiters.set(field, resolve);
      setTimeout(() => resolve({ ok: false, message: `The agent did not answer within ${ms / 1000} s.` }), ms).unref();
    });
    let told = false;
    this.transact((exchange) => {
      exchange.step.effect({ type: "command", command: { type: "set", [field]: value } });
      exchange.flush();
      told = exchange.frames.length > 0;
    });
    if (told) return answer;
    this.#waiters.delete(field);
    return undefined;
  }

  /** Goes on after a restart: a queue that waits gets its turn, a turn gets its process. */
  wake(): void {
    this.transact(({ step }) => drain(step));
    this.#tend({ heard: false, progress: false, prompted: false, interrupted: false });
  }

  /** Sees to it that a running turn has a process. Safe to call at any time. */
  ensure(): void {
    if (this.#disposed || !this.view.turn || this.#link || this.#starting) return;
    if (this.view.inputs.some((input) => input.native === CONTINUITY)) return;
    this.#starting = this.#start().finally(() => {
      this.#starting = undefined;
    });
  }

  /** Goes on with a process that an earlier daemon started, alive or dead: what it said since is heard first. */
  adopt(row: ProcessRow): void {
    const { store, spool, config } = this.#deps;
    const agent = this.#deps.agent(row.agent);
    const progress = store.spools.get(row.id);
    const paths = spool.paths(this.view.id, row.id);
    const restored = agent && progress ? restore(agent, this.view, progress, paths.out, this.#lineLimit()) : undefined;
    if (!progress || !restored) {
      store.spools.forget(row.id);
      return;
    }
    this.#process = row.id;
    this.#talk = restored.talk;
    this.#open = restored.open;
    this.#checkpointOffset = progress.checkpointOffset;
    this.#ordinal = store.journal.nextOrdinal(row.id);
    const left = store.journal.list(row.id, ["pending", "writing"]);
    this.#attach(row, progress.errOffset, left);
    this.#tend({ heard: false, progress: false, prompted: false, interrupted: false });
    if (!this.#talk.ready) this.#dogs.arm("handshake", config.deadlines.handshakeSeconds);
  }

  /** Ends the process, if there is one, and resolves when it is gone. */
  async release(reason: StopReason): Promise<boolean> {
    await this.#starting;
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
    return {
      id,
      now,
      queueLimit: config.queueLimit,
      agent: { id: this.view.agent, steer: agent?.steer ?? "queue", provider: agent?.provider ?? this.view.agent },
    };
  }

  #commit(exchange: Exchange, extra: Partial<Batch>): void {
    const { step, talk } = exchange;
    const events = step.events.map((event) => this.#deps.blobs.spill(event));
    const rows = this.#rows(exchange);
    const acked = this.#ackedRows(exchange.acks);
    const far = talk !== undefined && talk.offset - this.#checkpointOffset > 4 * 1024 * 1024;
    const durable = events.length > 0 || rows.length > 0 || acked.length > 0 || far || Object.keys(extra).length > 0;
    let stored: ReturnType<Store["commit"]> = [];
    if (durable) {
      const spool = this.#spoolUpdate(exchange, rows.length > 0);
      const journal = { add: rows, set: acked };
      stored = this.#deps.store.commit({ session: this.view.id, events, view: step.view, spool, journal, ...extra });
      if (spool?.checkpoint !== undefined) this.#checkpointOffset = spool.offset ?? 0;
    }
    this.view = step.view;
    this.#open = step.open;
    this.#talk = talk;
    this.#ordinal += rows.length;
    for (const item of step.nowClosed) this.#closed.add(item);
    this.#tell(step.out, stored);
    this.#link?.write(rows);
    if (exchange.acks.length > 0) this.#link?.acked(exchange.acks);
  }

  /** In the order in which it happened: durable events in runs, live frames between them. */
  #tell(out: readonly (Envelope | LiveFrame)[], stored: ReturnType<Store["commit"]>): void {
    const { announcer } = this.#deps;
    let at = 0;
    let run = 0;
    const flush = () => {
      if (run > 0) announcer.committed(this.view.id, stored.slice(at, at + run));
      at += run;
      run = 0;
    };
    for (const entry of out) {
      if ("seq" in entry) {
        run++;
        if (entry.type === "turn.started") this.#closed.clear();
        continue;
      }
      flush();
      announcer.live(entry);
    }
    flush();
  }

  #rows(exchange: Exchange): JournalRow[] {
    const process = this.#process;
    if (!process) return [];
    return exchange.frames.map((frame, index) => ({
      id: `${process}:${this.#ordinal + index}`,
      process,
      session: this.view.id,
      ordinal: this.#ordinal + index,
      atOffset: frame.atOffset,
      frame: JSON.stringify(frame.msg),
      ...(frame.key === undefined ? {} : { key: frame.key }),
      repeat: frame.repeat,
      state: "pending",
    }));
  }

  #ackedRows(keys: readonly string[]): { id: string; state: "acked" }[] {
    if (keys.length === 0 || !this.#process) return [];
    const open = this.#deps.store.journal.list(this.#process, ["pending", "writing", "written"]);
    return open
      .filter((row) => row.key !== undefined && keys.includes(row.key))
      .map((row) => ({ id: row.id, state: "acked" }));
  }

  #spoolUpdate({ talk, step }: Exchange, told: boolean): Batch["spool"] {
    if (!talk || !this.#process) return undefined;
    const checkpoint = checkpointOf(talk, step.open);
    const store = told || worthStoring(checkpoint, talk.offset, this.#checkpointOffset);
    return { process: this.#process, offset: talk.offset, ...(store ? { checkpoint } : {}) };
  }

  /** What follows a commit: effects, deadlines, a process for a turn that has none. */
  #after({ step, pulse, applied }: Exchange): void {
    for (const { field, ok, message } of applied) {
      this.#waiters.get(field)?.({ ok, message });
      this.#waiters.delete(field);
    }
    if (pulse.prompted && this.#preamble()) this.#deps.store.meta.set(this.#preambleKey(), "");
    for (const effect of step.effects) {
      if (effect.type === "stop") this.#stop(effect.reason);
      if (effect.type === "restart") this.#restart(effect.how);
    }
    this.#tend(pulse);
    this.ensure();
  }

  #tend(pulse: Pulse): void {
    const { deadlines, idleSeconds } = this.#deps.config;
    const { view } = this;
    const asked = sessionState(view) === "waiting";
    const works = view.turn !== undefined && !asked && this.#talk?.ready === true;
    if (pulse.retry) this.#lastRetry = pulse.retry;
    if (this.#talk?.ready) this.#dogs.disarm("handshake");
    if (pulse.prompted) this.#dogs.arm("firstOutput", deadlines.firstOutputSeconds);
    else if (pulse.heard || !view.turn) this.#dogs.disarm("firstOutput");
    if (!view.turn || pulse.progress) this.#dogs.disarm("retry");
    if (view.turn && pulse.retry) this.#dogs.arm("retry", deadlines.retrySeconds);
    if (pulse.interrupted) this.#dogs.arm("interrupt", deadlines.interruptSeconds);
    if (!view.turn) this.#dogs.disarm("interrupt");
    this.#dogs.keep("turn", works, deadlines.turnSeconds);
    this.#dogs.keep("silence", works && view.tools.length === 0, deadlines.silenceSeconds, pulse.heard);
    this.#dogs.keep("settle", !view.turn && view.sent.length > 0, SETTLE_SECONDS);
    const idle = this.#link !== undefined && !this.unsettled && view.inputs.length === 0;
    this.#dogs.keep("idle", idle, idleSeconds);
  }

  #passed(kind: WatchKind, seconds: number): void {
    if (kind === "idle") return void this.release("idle");
    const failure = kind === "retry" ? this.#lastRetry : undefined;
    this.#guarded(() => this.transact(({ step }) => deadlinePassed(step, kind, seconds, failure)));
  }

  async #start(): Promise<void> {
    await this.#stopping;
    const { store, spool, now, config, env } = this.#deps;
    const id = this.#deps.id("process");
    const sessionEnv = store.sessions.env(this.view.id);
    const started = await this.#deps
      .resolve(this.view.agent)
      .then((startable) => startProcess({ store, spool, env, sessionEnv, id, now, view: this.view, startable }))
      .catch((error: Error & { remedy?: string }) => ({ ok: false as const, failure: notStarted(error) }));
    if (this.#disposed) return;
    if (!started.ok) {
      this.#guarded(() => this.#failTurn(started.failure));
      return;
    }
    this.#process = id;
    this.#ordinal = 0;
    this.#checkpointOffset = 0;
    this.#talk = started.talk;
    this.#attach({ ...started.launched }, 0, []);
    this.#guarded(() => this.transact((exchange) => exchange.open(), {}));
    if (!started.talk.ready) this.#dogs.arm("handshake", config.deadlines.handshakeSeconds);
  }

  #attach(
    target: { id: string; pid?: number; pgid?: number; startedAt?: string },
    errOffset: number,
    left: JournalRow[],
  ): void {
    const { id, pid = 0, pgid = 0, startedAt = "" } = target;
    const mine = () => this.#process === id;
    this.#link = new Link({
      target: { id, pid, pgid, startedAt },
      paths: this.#deps.spool.paths(this.view.id, id),
      offset: this.#talk?.offset ?? 0,
      errOffset,
      lineLimit: this.#lineLimit(),
      left,
      owner: {
        onOut: (lines, end) => mine() && this.#heard(lines, end),
        onErr: (lines, end) => mine() && this.#complained(lines, end),
        onEnd: (exit) => mine() && this.#ended(exit),
        onDeaf: (message) => mine() && this.#deaf(message),
        mark: (row, state) =>
          void this.#deps.store.commit({ session: this.view.id, events: [], journal: { set: [{ id: row, state }] } }),
        ping: (key) => this.#ping(key),
        onError: (error) => this.#deps.log(`${this.view.id}: ${(error as Error).message}`),
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

  #complained(lines: Line[], end: number): void {
    const process = this.#process ?? "";
    this.transact((exchange) => {
      const at = exchange.talk?.offset ?? 0;
      for (const line of lines) exchange.hear({ dir: "err", text: line.kind === "line" ? line.text : line.head }, at);
    });
    this.#deps.store.commit({ session: this.view.id, events: [], spool: { process, errOffset: end } });
  }

  #ended(exit: Exit): void {
    const { store, spool } = this.#deps;
    const process = this.#process ?? "";
    const finish = () => {
      this.transact((exchange) => {
        const untold = this.#untold();
        exchange.hear({ dir: "end", ...exit }, exchange.talk?.offset ?? 0);
        exchange.talk = undefined;
        this.#link = undefined;
        if (!untold) processEnded(exchange.step, exit);
      });
      this.#process = undefined;
      this.#close(process, exit);
      store.spools.forget(process);
      void spool.compress(this.view.id, process).catch((error) => this.#deps.log(`${process}: ${error.message}`));
    };
    this.#guarded(finish);
  }

  /** A turn that this process was never told of is not its failure: the next process gets it. */
  #untold(): boolean {
    const { turn } = this.view;
    const talk = this.#talk;
    return (
      turn !== undefined &&
      talk?.ready === true &&
      !turn.messages.some((message) => talk.told.includes(message)) &&
      turn.messages.length > 0
    );
  }

  #close(process: string, exit: Exit): void {
    if (this.#deps.store.processes.get(process)) this.#ledger.ended(process, exit);
    this.#deps.store.journal.forget(process);
  }

  #deaf(message: string): void {
    this.#deps.log(`${this.view.id}: the agent takes no input: ${message}`);
    this.transact(({ step }) => {
      if (!step.view.turn) return;
      endTurn(
        step,
        {
          outcome: "failed",
          reason: "no input",
          error: { ...notStarted(new Error(`The agent does not take any input: ${message}.`)), category: "protocol" },
        },
        true,
      );
      step.effect({ type: "stop", reason: "deadline" });
      drain(step);
    });
  }

  #ping(key: string): boolean {
    let asked = false;
    this.transact((exchange) => {
      const { talk } = exchange;
      for (const frame of talk?.channel.encode(talk.state, { type: "ping", key }) ?? []) {
        exchange.tell({ ...frame, key });
        asked = true;
      }
    });
    return asked;
  }

  #stop(reason: StopReason): void {
    const link = this.#link;
    const process = this.#process;
    this.#link = undefined;
    this.#talk = undefined;
    this.#process = undefined;
    this.#open = new Map();
    this.#dogs.clear();
    if (!link || !process) return;
    const { store, spool, config, log } = this.#deps;
    this.#stopping = link
      .stop(config.deadlines.stopSeconds * 1000)
      .catch((error) => log(`${process}: ${error.message}`))
      .then(() => {
        store.spools.forget(process);
        this.#close(process, { code: null, signal: "SIGTERM" });
        log(`${this.view.id}: process ${process} ended (${reason})`);
        void spool.compress(this.view.id, process).catch(() => undefined);
      });
  }

  #restart(how: "retry" | "rebuild" | "new"): void {
    if (how === "retry") return;
    const { store } = this.#deps;
    const { agent, id } = this.view;
    if (how === "rebuild") store.meta.set(this.#preambleKey(), brief(eventsOf(store, id)));
    const handles = { [agent]: null, [forkKey(agent)]: null };
    this.transact(({ step }) => step.emit("session.updated", { patch: { handles }, reason: `conversation: ${how}` }));
  }

  #preambleKey(): string {
    return `preamble:${this.view.id}`;
  }

  #preamble(): string | undefined {
    return this.#deps.store.meta.get(this.#preambleKey()) || undefined;
  }

  #failTurn(error: Failure): void {
    this.transact(({ step }) => {
      endTurn(step, { outcome: "failed", reason: "not started", error }, true);
      drain(step);
    });
  }

  /** For what nobody waits for: a full disk is tried again, anything else is our bug and goes to the log. */
  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#deps.log(`${this.view.id}: ${(error as Error).stack ?? error}`);
      if ((error as { code?: string }).code === "storage_full") setTimeout(() => this.#guarded(action), 1000).unref();
    }
  }

  #lineLimit(): number {
    return Math.round(this.#deps.config.lineLimitMb * 1024 * 1024);
  }
}

function notStarted(error: Error & { remedy?: string }): Failure {
  return {
    category: "crashed",
    message: error.message,
    retryable: true,
    remedy: error.remedy ?? "See `gantry doctor` for what is wrong with the agent.",
  };
}

function* eventsOf(store: Store, session: string): Generator<Envelope> {
  for (let after = 0; ; ) {
    const page = store.readEvents(session, after, 1000);
    for (const row of page) yield JSON.parse(row.json) as Envelope;
    if (page.length < 1000) return;
    after = page.at(-1)?.seq ?? after;
  }
}

/** Items that ended in the running turn, from the log: what a restart would otherwise forget. */
function closedInTurn(store: Store, view: SessionView): Set<string> {
  const closed = new Set<string>();
  for (let before = view.lastSeq; before > 0; before -= 1000) {
    const from = Math.max(0, before - 1000);
    for (const row of store.readEvents(view.id, from, before - from).reverse()) {
      const event = JSON.parse(row.json) as Envelope;
      if (event.type === "turn.started" && event.turn === view.turn?.id) return closed;
      if (event.type === "tool.ended" || event.type === "message.done" || event.type === "reasoning.done") {
        closed.add(event.data.item);
      }
    }
  }
  return closed;
}
