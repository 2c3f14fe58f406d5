import {
  type AgentRow,
  type Applied,
  type CreateSession,
  type Draft,
  type Envelope,
  foldSession,
  GantryError,
  type Grant,
  type Handoff,
  type HandoffBody,
  type HandoffPlan,
  type InputAnswer,
  type InputRequest,
  type Interrupted,
  type Item,
  isPlainModel,
  type Model,
  type OpenItem,
  type PatchMessage,
  type PatchSession,
  type SendMessage,
  type Sent,
  type Session,
  type SessionState,
  type SessionView,
  type TitleBy,
} from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { LimitedSessions } from "../limits/port.ts";
import type { ProcessRow, RecordChange } from "../log/port.ts";
import { firstTitle, titleFrom } from "../titles/first-title.ts";
import { type ActorDeps, SessionActor } from "./actor.ts";
import type { ListQuery, Sender, SessionService, Spawning } from "./api.ts";
import { toClientSession, toClientSessionWithCommands } from "./client-view.ts";
import { appliedMode } from "./connection/start-process.ts";
import { answerInput } from "./engine/inputs.ts";
import { releaseHold } from "./engine/limits.ts";
import { cancelMessage, drain, editMessage, interrupt, sendMessage } from "./engine/queue.ts";
import type { SessionStep } from "./engine/step.ts";
import { checkAttachments } from "./folders.ts";
import { type ForkBody, type ForkPlace, type ForkPoint, forked, forkPoint } from "./fork.ts";
import { Handoffs } from "./handoff/handoffs.ts";
import { ModelSwitch } from "./handoff/model-switch.ts";
import { PendingBrief } from "./handoff/pending-brief.ts";
import { encodeReply, replayReply, requestHash } from "./idempotency.ts";
import { type ItemSource, readItem } from "./read-item.ts";

export type ServiceDeps = Omit<ActorDeps, "handOff"> & {
  home: string;
  /** Throws when the agent is unknown or cannot be started here. */
  requireAgent: (id: string) => Promise<Agent>;
  /** Is it in the agent's own list of models? */
  offersModel: (agent: string, model: string) => Promise<boolean>;
  /** The models that an agent lists. */
  models: (agent: string) => Promise<Model[]>;
  /** All agents as they are installed. */
  rows: () => Promise<AgentRow[]>;
  /** A model's words on top of a brief, where one is set up for that. */
  summarise?: (session: string, brief: string) => Promise<string | undefined>;
  /** Where a new session works, by folder or lane. Throws `GantryError`. */
  place: (body: Pick<CreateSession, "cwd" | "lane">) => Promise<{ cwd: string; lane?: string }>;
};

/** All sessions of the daemon: finds or wakes the runner and lets the engine decide. */
export class Sessions implements SessionService {
  readonly #runners = new Map<string, SessionActor>();
  readonly #deps: ServiceDeps & ActorDeps;
  readonly #handoffs: Handoffs;
  readonly #switching: ModelSwitch;

  constructor(deps: ServiceDeps) {
    this.#deps = { ...deps, handOff: (id) => void this.#handoffs.carryOut(id) };
    this.#handoffs = new Handoffs({
      ...deps,
      briefChars: () => deps.config.handoff.briefChars,
      runner: (id) => this.#live(id),
      checkModel: (agent, model) => this.#checkModel(agent, model),
    });
    this.#switching = new ModelSwitch({ ...deps, handoffs: this.#handoffs });
  }

  /** At boot: goes on with every process and every turn that an earlier daemon left. */
  restore(): { adopted: number; resumed: number } {
    const { store } = this.#deps;
    const latest = new Map<string, ProcessRow>();
    for (const row of store.processes.all()) {
      if (!store.spools.get(row.id) || !store.sessions.get(row.session)) continue;
      const before = latest.get(row.session);
      latest.set(row.session, row);
      // It was being ended when its successor was started.
      if (before) this.#runner(row.session).discard(before);
    }
    for (const row of latest.values()) this.#runner(row.session).adopt(row);
    const unsettled = (["running", "waiting"] as SessionState[]).flatMap((state) => everySession(store, state));
    for (const id of unsettled) this.#runner(id).wake();
    for (const state of ["idle", "limited"] as SessionState[])
      for (const id of everySession(store, state)) this.#runner(id, true)?.wake();
    this.#deps.limits.restore();
    return { adopted: latest.size, resumed: unsettled.length };
  }

  async create(
    body: CreateSession,
    origin: string,
    { identity, spawning }: { identity?: string; spawning?: Spawning } = {},
  ): Promise<{ session: Session; created: boolean }> {
    const hash = requestHash(body);
    const known = body.id ? this.#deps.store.sessions.get(body.id) : undefined;
    if (known) return { session: this.#repeated(known.id, known.request === hash), created: false };
    const agent = await this.#deps.requireAgent(body.agent);
    await this.#checkModel(agent, body.model);
    this.#checkResume(agent, body.resume);
    const { cwd, lane } = await this.#deps.place(body);
    const attachments = checkAttachments({ text: body.prompt, attachments: body.attachments }, cwd, this.#deps.home);
    // Another request with the same id may have come in while the agent was looked up.
    const id = body.id ?? this.#deps.id("session");
    const raced = this.#deps.store.sessions.get(id);
    if (raced) return { session: this.#repeated(id, raced.request === hash), created: false };
    const handles = body.resume === undefined ? undefined : { [agent.id]: body.resume };
    const runner = this.#begin(
      agent,
      { ...body, identity, id, cwd, lane, handles },
      hash,
      origin,
      spawning?.parent,
      spawning,
    );
    if (body.prompt !== undefined) {
      const message = {
        id: this.#deps.id("message"),
        text: body.prompt,
        attachments,
        delivery: "auto" as const,
        author: spawning ? `session:${spawning.parent}` : "user",
      };
      runner.transact(({ step }) => sendMessage(step, message, runner.linkState));
    }
    return { session: toClientSession(runner.view), created: true };
  }

  /** Throws what `create` would say of an agent and a model. */
  async requireAgent(agent: string, model?: string): Promise<void> {
    await this.#checkModel(await this.#deps.requireAgent(agent), model);
  }

  list(query: ListQuery): { sessions: Session[]; nextCursor?: string } {
    const { archived = "0", identities = "0", ...rest } = query;
    const page = this.#deps.store.sessions.list({
      ...rest,
      archived: archived === "all" ? "any" : archived === "1",
      ...(identities === "all" ? {} : { identities: identities === "1" }),
    });
    const sessions = page.sessions.map((row) => toClientSession(this.#runners.get(row.id)?.view ?? row.view));
    return { sessions, ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}) };
  }

  get(id: string): Session {
    return toClientSessionWithCommands(this.#deps.store, this.#view(id));
  }

  async patch(id: string, body: PatchSession): Promise<Applied> {
    const runner = this.#live(id);
    const agent = this.#deps.agent(runner.view.agent);
    const { title, model, mode, effort, archived, autoResume, budget } = body;
    const switched = await this.#switching.asked(runner, body);
    if (switched) {
      const others = Object.keys(switched.rest).length > 0 ? (await this.patch(id, switched.rest)).applied : [];
      const { applied, handoff } = switched;
      return { session: toClientSession(runner.view), applied: [...applied, ...others], handoff };
    }
    if (agent) await this.#checkModel(agent, model);
    const modeApplied = mode && agent ? appliedMode(agent, mode) : undefined;
    const titleBy = title === undefined ? undefined : ("user" as const);
    const patch = { title, titleBy, model, mode, effort, modeApplied, archived, autoResume, budget };
    const changed = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    runner.transact(({ step }) => {
      if (archived) refuseRunning(step.view);
      step.emit("session.updated", { patch: changed, reason: "changed by the user" });
    });
    if (autoResume !== undefined || budget !== undefined) this.#deps.limits.changed();
    if (archived) await runner.release("closed");
    const applied: Applied["applied"] = Object.entries({ title, archived, autoResume, budget }).flatMap(
      ([field, value]) => (value === undefined ? [] : [{ field, value, when: "now" as const }]),
    );
    const settings = { model, mode: modeApplied, effort };
    for (const field of ["model", "mode", "effort"] as const) {
      const value = settings[field];
      if (value === undefined) continue;
      const answer = await runner.set(field, value);
      applied.push({ field, value, when: answer?.ok ? "now" : "next_start" });
      // What the running process refused, the next one is started with.
      if (answer && !answer.ok && !runner.view.turn) await runner.release("settings");
    }
    return { session: toClientSession(runner.view), applied };
  }

  /** Takes what a model wrote about a session: a title only while no person has given one. Throws `no_such_session`. */
  describe(id: string, { title, summary }: { title?: string; summary?: string }): void {
    this.#live(id).transact(({ step }) => {
      const titled = title !== undefined && step.view.titleBy !== "user" ? { title, titleBy: "model" as const } : {};
      const summed = summary === undefined ? {} : { summary, summaryBy: "model" as const };
      const patch = { ...titled, ...summed };
      if (Object.keys(patch).length > 0) step.emit("session.updated", { patch, reason: "written by the scribe" });
    });
  }

  /** A name with options in it must be one that the agent itself lists. Throws `invalid`. */
  async #checkModel(agent: Agent, model: string | undefined): Promise<void> {
    if (model === undefined || isPlainModel(model) || (await this.#deps.offersModel(agent.id, model))) return;
    const remedy = `See \`gantry agents --json\` for the models of ${agent.name}.`;
    throw new GantryError("invalid", `${agent.name} does not list a model ${model}.`, { remedy });
  }

  /** Two processes on one conversation would overwrite each other. Throws `unsupported` or `conflict`. */
  #checkResume(agent: Agent, conversation: string | undefined): void {
    if (conversation === undefined) return;
    if (agent.resume === "none") {
      const remedy = "Leave `resume` out to begin a new conversation.";
      throw new GantryError("unsupported", `${agent.name} cannot go on with an earlier conversation.`, { remedy });
    }
    const busy = [...this.#runners.values()].find(
      ({ view, process }) => process !== undefined && view.handles[agent.id] === conversation,
    );
    if (!busy) return;
    const remedy = `Send your message to ${busy.view.id}, or close that session first.`;
    throw new GantryError("conflict", `${busy.view.id} goes on with this conversation right now.`, { remedy });
  }

  async delete(id: string): Promise<void> {
    const { store, spool, blobs, announcer } = this.#deps;
    this.#view(id);
    const runner = this.#runners.get(id);
    store.sessions.markDeleted(id);
    await runner?.release("deleted");
    runner?.detach();
    this.#runners.delete(id);
    blobs.remove(store.sessions.delete(id).blobs);
    spool.remove(id);
    announcer.removed(id);
    await this.#deps.keeper.forget(id);
  }

  /** Adds what Gantry itself has to say to a log, with records that go with it. Nothing happens when the session is gone. */
  tell(id: string, events: readonly Draft[], records: readonly RecordChange[] = []): void {
    if (!this.#deps.store.sessions.get(id)) return;
    this.#runner(id).transact(
      ({ step }) => {
        for (const event of events) step.record(event);
      },
      { records },
    );
  }

  send(id: string, body: SendMessage, sender: Sender = { author: "user" }): Sent {
    const hash = requestHash({
      text: body.text,
      attachments: body.attachments ?? [],
      delivery: body.delivery ?? "auto",
    });
    const known = body.id ? this.#deps.store.findMessage(id, body.id) : undefined;
    if (known !== undefined && body.id) return replayReply(body.id, known, hash);
    const runner = this.#live(id);
    const message = {
      id: body.id ?? this.#deps.id("message"),
      text: body.text,
      attachments: checkAttachments(body, runner.view.cwd, this.#deps.home),
      delivery: body.delivery ?? ("auto" as const),
      author: sender.author,
    };
    // The answer is stored with the message, so that a repeated request gets the same one; it is filled in below.
    const row = { id: message.id, hash };
    const records: RecordChange[] = [];
    return runner.transact(
      ({ step }) => {
        if (sender.notice) step.emit("notice", { ...sender.notice, severity: "info" });
        const sent = sendMessage(step, message, runner.linkState);
        row.hash = encodeReply(hash, sent);
        records.push(...(sender.records?.(sent) ?? []));
        const titled = titleFrom(step.view, body);
        if (titled) step.emit("session.updated", { patch: titled, reason: "first message" });
        return sent;
      },
      { messages: [row], records },
    );
  }

  /** A word of Gantry's own in a session's log. */
  note(id: string, notice: { kind: string; severity: "info" | "warning"; text: string }): void {
    this.#live(id).transact(({ step }) => step.emit("notice", notice));
  }

  editMessage(id: string, message: string, body: PatchMessage): Session {
    return this.#change(id, message, (runner) => runner.transact(({ step }) => editMessage(step, message, body)));
  }

  cancelMessage(id: string, message: string): Session {
    return this.#change(id, message, (runner) => runner.transact(({ step }) => cancelMessage(step, message)));
  }

  interrupt(id: string, queue: "keep" | "clear"): Interrupted {
    const runner = this.#live(id);
    return runner.transact(({ step }) => interrupt(step, queue, runner.linkState));
  }

  async close(id: string): Promise<{ released: boolean }> {
    const runner = this.#live(id);
    refuseRunning(runner.view);
    return { released: await runner.release("closed") };
  }

  planHandoff(id: string, body: HandoffBody): Promise<HandoffPlan> {
    return this.#handoffs.plan(this.#live(id).view, body);
  }

  async handOff(id: string, body: HandoffBody): Promise<{ session: Session; handoff: Handoff }> {
    const runner = this.#live(id);
    const handoff = await this.#handoffs.ask(runner, body);
    return { session: toClientSession(runner.view), handoff };
  }

  async fork(id: string, body: ForkBody, place: ForkPlace = {}): Promise<Session> {
    const { store, config } = this.#deps;
    const known = place.id ? store.sessions.get(place.id) : undefined;
    if (known) return toClientSession(known.view);
    const parent = this.#view(id);
    const agent = await this.#deps.requireAgent(body.agent ?? parent.agent);
    await this.#checkModel(agent, body.model);
    const point = this.forkPoint(id, body.at);
    const like = { ...forked(parent, agent, point, body), env: store.sessions.env(id) };
    const begin = { ...like, ...place, id: place.id ?? this.#deps.id("session"), forkedAt: point.until };
    // Before the session is there: it would begin a new conversation in silence.
    if (Object.keys(like.handles).length === 0) {
      new PendingBrief(store, begin.id).make(config.handoff.briefChars, { session: id, until: point.until });
    }
    return toClientSession(this.#begin(agent, begin, undefined, "fork", id).view);
  }

  /** Where a fork would begin. Throws `unsupported`, `invalid` or `turn_running`. */
  forkPoint(id: string, at?: number): ForkPoint {
    const events = this.#deps.store.turnEvents(id).map(({ json }) => JSON.parse(json) as Envelope);
    return forkPoint(this.#view(id), events, at);
  }

  item(id: string, item: string): Item {
    this.#view(id);
    const source: ItemSource = { store: this.#deps.store, blobs: this.#deps.blobs, open: this.open(id) };
    return readItem(source, id, item);
  }

  inbox(): InputRequest[] {
    return this.#deps.store.pendingInputs();
  }

  answer(input: string, answer: InputAnswer): { id: string; session: string; decision: string } {
    const row = this.#deps.store.findInput(input);
    if (!row) throw new GantryError("no_such_input", `There is no input ${input}.`);
    if (row.state === "resolved") {
      throw new GantryError(
        "already_answered",
        `${input} was answered already: ${row.resolution?.decision} by ${row.resolution?.by}.`,
        {
          details: row.resolution,
        },
      );
    }
    this.#live(row.session).transact(({ step }) => answerInput(step, input, answer));
    const resolution = this.#deps.store.findInput(input)?.resolution;
    return { id: input, session: row.session, decision: resolution?.decision ?? answer.decision };
  }

  grants(): Grant[] {
    return this.#deps.store.grants();
  }

  revokeGrant(id: string): void {
    const grant = this.grants().find((entry) => entry.id === id);
    if (!grant) throw new GantryError("no_such_grant", `There is no standing permission ${id}.`);
    this.#live(grant.session).transact(({ step }) => {
      const grants = step.view.grants.filter((entry) => entry.id !== id);
      step.emit("session.updated", { patch: { grants }, reason: "permission revoked" });
    });
  }

  /** Another part of the daemon adds to the log. */
  amend(id: string, action: (step: SessionStep) => void): Session {
    const runner = this.#live(id);
    runner.transact(({ step }) => action(step));
    return toClientSession(runner.view);
  }

  /** Lets go of what is known of a session that does nothing: somebody else has written to its log. */
  async reread(id: string): Promise<void> {
    await this.#runners.get(id)?.release("closed");
    this.#runners.get(id)?.detach();
    this.#runners.delete(id);
  }
  /** Sessions that wait for a limit, as the limits see them. */
  readonly limited: LimitedSessions = {
    handOn: async (id, to) => {
      const [first] = this.#view(id).queue;
      // What has attachments follows the brief by itself: a brief has no place for them.
      const plain = first && first.attachments.length === 0 ? first : undefined;
      await this.handOff(id, { ...to, ...(plain ? { prompt: plain.text } : {}) });
      if (!plain) return;
      const reason = `given to ${to.agent} with the handoff`;
      this.#runner(id).transact(({ step }) => {
        if (step.view.agent !== to.agent || !step.view.queue.some(({ message }) => message === plain.message)) return;
        step.emit("message.delivery", { message: plain.message, state: "cancelled", reason });
      });
    },
    parked: () => everySession(this.#deps.store, "limited").map((id) => this.#view(id)),
    view: (id) => this.#runners.get(id)?.view ?? this.#deps.store.sessions.get(id)?.view,
    wake: (id, forget = false) => {
      if (!this.#deps.store.sessions.get(id)) return;
      try {
        this.#runner(id).transact(({ step }) => {
          if (forget) releaseHold(step);
          drain(step);
        });
      } catch (error) {
        // With a full disk it stays parked, and is woken again later.
        this.#deps.log(`${id}: ${(error as Error).message}`);
      }
    },
  };

  open(id: string): OpenItem[] {
    return this.#runners.get(id)?.open ?? [];
  }

  running(): number {
    return [...this.#runners.values()].filter((runner) => runner.process !== undefined).length;
  }

  /** Processes that are in use, by id. */
  processes(): Set<string> {
    return new Set([...this.#runners.values()].flatMap((runner) => runner.process ?? []));
  }

  async stop(agents: "keep" | "release"): Promise<void> {
    const runners = [...this.#runners.values()];
    if (agents === "release") await Promise.all(runners.map((runner) => runner.release("shutdown")));
    for (const runner of runners) runner.detach();
  }

  #begin(
    agent: Agent,
    body: CreateSession & {
      id: string;
      cwd: string;
      handles?: Record<string, string>;
      titleBy?: TitleBy;
      forkedAt?: number;
      identity?: string;
    },
    hash: string | undefined,
    origin: string,
    parent?: string,
    spawning?: Spawning,
  ): SessionActor {
    const { model, effort, cwd, lane, env, instructions, handles, identity } = body;
    const mode = body.mode ?? "ask";
    const { title, titleBy } = firstTitle(body, cwd);
    const names = env && Object.keys(env);
    const spawn = spawning?.spawn;
    const data = {
      agent: agent.id,
      model,
      mode,
      effort,
      cwd,
      lane,
      title,
      titleBy,
      identity,
      parent,
      forkedAt: body.forkedAt,
      spawn,
      origin,
      env: names,
      instructions,
    };
    const patch = { modeApplied: appliedMode(agent, mode), ...(handles ? { handles } : {}) };
    const common = { v: 1, session: body.id, at: this.#deps.now() };
    const created = { ...common, seq: 1, type: "session.created", data } as Envelope;
    const updated = { ...common, seq: 2, type: "session.updated", data: { patch } } as Envelope;
    const view = foldSession(foldSession(undefined, created), updated);
    const request = { ...(hash ? { hash } : {}), ...(env ? { env } : {}) };
    // At once: a session that has lost its handle would begin a new conversation in silence.
    const records = spawning ? [spawning.record(body.id)] : [];
    const rows = this.#deps.store.commit({ session: body.id, events: [created, updated], view, request, records });
    const runner = new SessionActor(view, this.#deps);
    this.#runners.set(body.id, runner);
    this.#deps.announcer.committed(body.id, rows);
    return runner;
  }

  #repeated(id: string, same: boolean): Session {
    if (same) return this.get(id);
    throw new GantryError("conflict", `${id} exists already and was created with other values.`, {
      remedy: "Use another id, or leave it out.",
    });
  }

  #change(id: string, message: string, action: (runner: SessionActor) => void): Session {
    const runner = this.#live(id);
    const known = [...runner.view.queue, ...runner.view.sent].some((entry) => entry.message === message);
    if (!known && this.#deps.store.findMessage(id, message) === undefined) {
      throw new GantryError("no_such_message", `${id} has no message ${message}.`);
    }
    action(runner);
    return toClientSession(runner.view);
  }

  #view(id: string): SessionView {
    const view = this.#runners.get(id)?.view ?? this.#deps.store.sessions.get(id)?.view;
    if (!view || this.#deps.store.sessions.get(id) === undefined) {
      throw new GantryError("no_such_session", `There is no session ${id}.`, { remedy: "`gantry ls` lists them." });
    }
    return view;
  }

  #live(id: string): SessionActor {
    const view = this.#view(id);
    if (view.ended) throw new GantryError("session_ended", `${id} has ended (${view.ended}).`);
    return this.#runner(id);
  }

  #runner(id: string): SessionActor;
  #runner(id: string, onlyUnsettled: true): SessionActor | undefined;
  #runner(id: string, onlyUnsettled = false): SessionActor | undefined {
    const known = this.#runners.get(id);
    if (known) return known;
    const view = this.#view(id);
    const waits = view.queue.length > 0 || view.sent.length > 0 || view.handingTo !== undefined;
    if (onlyUnsettled && !waits) return undefined;
    const runner = new SessionActor(view, this.#deps);
    this.#runners.set(id, runner);
    return runner;
  }
}

/** Throws `turn_running`. */
function refuseRunning({ id, turn }: SessionView): void {
  if (!turn) return;
  throw new GantryError("turn_running", `A turn of ${id} is running.`, {
    remedy: "Interrupt it first, or wait for its end.",
  });
}

function everySession(store: ActorDeps["store"], state: SessionState): string[] {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = store.sessions.list({ state, limit: 500, cursor, archived: "any" });
    ids.push(...page.sessions.map((row) => row.id));
    if (!page.nextCursor) return ids;
    cursor = page.nextCursor;
  }
}
