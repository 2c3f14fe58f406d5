import {
  type AgentRow,
  type Applied,
  type CreateSession,
  type Draft,
  draft,
  type Envelope,
  GantryError,
  type Grant,
  type Handoff,
  type HandoffBody,
  type HandoffPlan,
  type InputAnswer,
  type InputRequest,
  type Interrupted,
  type Item,
  listTasks,
  type Model,
  type OpenItem,
  type PatchMessage,
  type PatchSession,
  type ProcessList,
  type QueueOnStop,
  type QueueState,
  runningTasks,
  type SendMessage,
  type Sent,
  type Session,
  sessionStatus,
  type Task,
} from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import { Handoffs } from "../handoff/handoffs.ts";
import { ModelSwitch } from "../handoff/model-switch.ts";
import type { LimitedSessions } from "../limits/port.ts";
import type { RecordChange } from "../log/port.ts";
import { titleFrom } from "../titles/first-title.ts";
import type { SessionActor } from "./actor.ts";
import type { ActorDeps } from "./actor-deps.ts";
import { heldSessions, SessionActors } from "./actors.ts";
import type { ListQuery, Sender, SessionService, Spawning } from "./api.ts";
import { changeSession } from "./change-session.ts";
import { readItem, toClientSession, toClientSessionWithCommands } from "./client-view.ts";
import {
  type CreateDeps,
  type ForkBody,
  type ForkPlace,
  type ForkPoint,
  forkPoint,
  SessionCreator,
} from "./create-session.ts";
import { handoffBlock } from "./engine/handoff/handoff.ts";
import { inTurn } from "./engine/items.ts";
import { resolveFolders, withheldIn } from "./extra-folders/extra-folders.ts";
import { ProcessPool } from "./processes/process-pool.ts";
import { wasReadInline } from "./read-log.ts";
import {
  type Choices,
  checkAttachments,
  encodeReply,
  type KnownModels,
  replayReply,
  requestHash,
  requireChoices,
  requireNoTurn,
} from "./requests.ts";
import { FullDisk } from "./storage/full-disk.ts";

export type ServiceDeps = Omit<ActorDeps, "handOff" | "makeRoom"> &
  Omit<CreateDeps, "requireChoices" | "handOff" | "makeRoom"> &
  KnownModels & {
    models: (agent: string) => Promise<Model[]>;
    /** All agents with their state on this machine. */
    rows: () => Promise<AgentRow[]>;
    /** Summarises a brief with a model, if one is configured. */
    summarise?: (session: string, brief: string) => Promise<string | undefined>;
  };

/** All sessions of the daemon: looks sessions up and turns API calls into inputs of their actors. */
export class Sessions implements SessionService {
  readonly #deps: ServiceDeps;
  readonly #actors: SessionActors;
  readonly #creator: SessionCreator;
  readonly #pool: ProcessPool;
  readonly #handoffs: Handoffs;
  readonly #modelSwitch: ModelSwitch;
  readonly fullDisk: FullDisk;
  /** The sessions that wait for a limit, for the limits. */
  readonly limited: LimitedSessions;

  constructor(deps: ServiceDeps) {
    this.#deps = deps;
    this.#pool = new ProcessPool({
      ...deps,
      actors: () => this.#actors.all(),
      max: () => deps.config.processes.max,
    });
    const actorDeps = {
      ...deps,
      handOff: (id: string) => void this.#handoffs.carryOut(id),
      makeRoom: () => this.#pool.makeRoom(),
    };
    const checkChoices = (agent: Agent, choices: Choices) => requireChoices(agent, choices, deps);
    this.#actors = new SessionActors(actorDeps);
    this.fullDisk = new FullDisk(this.#actors, deps.publisher);
    this.#creator = new SessionCreator({ ...actorDeps, requireChoices: checkChoices }, this.#actors);
    this.#handoffs = new Handoffs({
      ...deps,
      briefChars: () => deps.config.handoff.briefChars,
      actor: (id) => this.#actors.live(id),
      checkChoices,
      blockOf: handoffBlock,
    });
    this.#modelSwitch = new ModelSwitch({ ...deps, handoffs: this.#handoffs });
    this.limited = heldSessions(this.#actors, { log: deps.log, handOff: (id, body) => this.handOff(id, body) });
  }

  /** At boot: adopts every process and resumes every turn that an earlier daemon left. */
  restore(): { adopted: number; resumed: number } {
    const restored = this.#actors.restore();
    this.#deps.limits.restore();
    return restored;
  }

  async create(
    body: CreateSession,
    origin: string,
    more: { identity?: string; spawning?: Spawning } = {},
  ): Promise<{ session: Session; created: boolean }> {
    const { actor, created } = await this.#creator.create(body, origin, more);
    if (created && body.prompt === undefined) this.warmUp(actor.view.id);
    return { session: created ? toClientSession(actor.view) : this.get(actor.view.id), created };
  }

  /** Throws what `create` would throw for an agent, a model and an effort. */
  async requireAgent(agent: string, choices: Choices = {}): Promise<void> {
    await requireChoices(await this.#deps.requireAgent(agent), choices, this.#deps);
  }

  async requireChoices(agent: string, choices: Choices): Promise<void> {
    const known = this.#deps.agent(agent);
    if (known) await requireChoices(known, choices, this.#deps);
  }

  /** Throws what `create` would throw for further folders of a session in `cwd`. */
  requireFolders(agent: string, folders: readonly string[], cwd: string): void {
    const known = this.#deps.agent(agent);
    if (known) resolveFolders(folders, this.#deps.protectedPlaces, withheldIn(this.#deps, known, cwd));
  }

  list(query: ListQuery): { sessions: Session[]; nextCursor?: string; total?: number } {
    const { archived = "0", identities = "0", open = "0", ...rest } = query;
    const filter = {
      ...rest,
      open: open === "1",
      archived: archived === "all" ? ("any" as const) : archived === "1",
      ...(identities === "all" ? {} : { identities: identities === "1" }),
    };
    const page = this.#deps.store.sessions.list(filter);
    const sessions = page.sessions
      .map(({ id, view }) => this.fullDisk.show(toClientSession(this.#actors.find(id)?.view ?? view)))
      .filter((session) => !filter.open || sessionStatus(session).group !== "done");
    const { nextCursor } = page;
    if (filter.open || rest.cursor !== undefined) return { sessions, ...(nextCursor ? { nextCursor } : {}) };
    if (!nextCursor) return { sessions, total: sessions.length };
    return { sessions, nextCursor, total: this.#deps.store.sessions.count(filter) };
  }

  get(id: string): Session {
    return this.fullDisk.show(toClientSessionWithCommands(this.#deps.store, this.#actors.view(id)));
  }

  patch(id: string, body: PatchSession): Promise<Applied> {
    const checkChoices = (agent: Agent, choices: Choices) => requireChoices(agent, choices, this.#deps);
    const deps = { ...this.#deps, modelSwitch: this.#modelSwitch, requireChoices: checkChoices };
    return changeSession(deps, this.#actors.live(id), body);
  }

  /** Stores a title and summary that a model wrote. A person's title stays. Throws `no_such_session`. */
  describe(id: string, { title, summary }: { title?: string; summary?: string }): void {
    const { titleBy } = this.#actors.live(id).view;
    const patch = {
      ...(title !== undefined && titleBy !== "user" ? { title, titleBy: "model" as const } : {}),
      ...(summary === undefined ? {} : { summary, summaryBy: "model" as const }),
    };
    if (Object.keys(patch).length === 0) return;
    this.append(id, [draft("session.updated", { patch, reason: "written by the text helper" })]);
  }

  async delete(id: string): Promise<void> {
    const { store, spool, blobs, publisher, snapshots } = this.#deps;
    this.#actors.view(id);
    store.sessions.markDeleted(id);
    await this.#actors.find(id)?.release("deleted");
    this.#actors.remove(id);
    blobs.remove(store.sessions.delete(id).blobs);
    spool.remove(id);
    publisher.removed(id);
    await snapshots.forget(id);
  }

  send(id: string, body: SendMessage, sender: Sender = { author: "user" }): Sent {
    const { text, attachments = [], delivery = "auto" } = body;
    const hash = requestHash({ text, attachments, delivery });
    const known = body.id ? this.#deps.store.findMessage(id, body.id) : undefined;
    if (known !== undefined && body.id) return replayReply(body.id, known, hash);
    const actor = this.#actors.live(id);
    const { view } = actor;
    const message = {
      id: body.id ?? this.#deps.id("message"),
      text,
      attachments: checkAttachments(body, view.cwd, this.#deps.home),
      delivery,
      author: sender.author,
    };
    // The reply is stored with the message, so that a repeated request gets the same one.
    return actor.apply("send", { message, notice: sender.notice, title: titleFrom(view, body) }, (sent) => ({
      messages: [{ id: message.id, hash: encodeReply(hash, sent) }],
      records: sender.records?.(sent) ?? [],
    }));
  }

  editMessage(id: string, message: string, change: PatchMessage): Session {
    const actor = this.#requireMessage(id, message);
    actor.apply("editMessage", { message, change });
    return toClientSession(actor.view);
  }

  async cancelMessage(id: string, message: string): Promise<Session> {
    const actor = this.#requireMessage(id, message);
    try {
      await actor.cancelMessage(message);
    } catch (error) {
      const isSent = error instanceof GantryError && error.code === "already_sent";
      if (!isSent || !wasReadInline(this.#deps.store, actor.view, message)) throw error;
      throw new GantryError("already_read", `The agent has already read ${message}.`);
    }
    return toClientSession(actor.view);
  }

  interrupt(id: string, queue: QueueOnStop): Interrupted {
    return this.#actors.live(id).apply("interrupt", queue);
  }

  changeQueue(id: string, state: QueueState): Session {
    const actor = this.#actors.live(id);
    actor.apply("changeQueue", state);
    return toClientSession(actor.view);
  }

  /** Running tasks first, then the last ended ones. */
  tasks(id: string): Task[] {
    return listTasks(this.#actors.view(id));
  }

  stopTask(id: string, task: string): Task {
    return this.#actors.live(id).apply("stopTask", task);
  }

  requestContext(id: string): { requested: true } {
    return this.#actors.live(id).apply("requestContext", undefined);
  }

  warmUp(id: string): { warming: boolean } {
    const actor = this.#actors.live(id);
    const isWanted = this.#deps.config.processes.warmUp && !actor.view.archived;
    return { warming: isWanted && actor.warmUp() };
  }

  processList(): ProcessList {
    return this.#pool.list();
  }

  async close(id: string): Promise<{ released: boolean }> {
    const actor = this.#actors.live(id);
    requireNoTurn(actor.view);
    return { released: await actor.release("closed") };
  }

  planHandoff(id: string, body: HandoffBody): Promise<HandoffPlan> {
    return this.#handoffs.plan(this.#actors.live(id).view, body);
  }

  async handOff(id: string, body: HandoffBody, by?: string): Promise<{ session: Session; handoff: Handoff }> {
    const actor = this.#actors.live(id);
    const handoff = await this.#handoffs.ask(actor, body, by);
    return { session: toClientSession(actor.view), handoff };
  }

  fork(id: string, body: ForkBody, place?: ForkPlace): Promise<Session> {
    return this.#creator.fork(id, body, () => this.forkPoint(id, body.at), place);
  }

  /** Where a fork would start. Throws `unsupported`, `invalid` or `turn_running`. */
  forkPoint(id: string, at?: number): ForkPoint {
    const events = this.#deps.store.turnEvents(id).map(({ json }) => JSON.parse(json) as Envelope);
    return forkPoint(this.#actors.view(id), events, at);
  }

  item(id: string, item: string): Item {
    this.#actors.view(id);
    return readItem({ store: this.#deps.store, blobs: this.#deps.blobs, open: this.open(id) }, id, item);
  }

  inbox(): InputRequest[] {
    return this.#deps.store.pendingInputs();
  }

  answer(input: string, answer: InputAnswer, by?: string): { id: string; session: string; decision: string } {
    const row = this.#deps.store.findInput(input);
    if (!row) throw new GantryError("no_such_input", `There is no input ${input}.`);
    if (row.state === "resolved") {
      const { decision, by } = row.resolution ?? {};
      const details = row.resolution;
      throw new GantryError("already_answered", `${input} was answered already: ${decision} by ${by}.`, { details });
    }
    this.#actors.live(row.session).apply("answerInput", { id: input, answer, by });
    const resolution = this.#deps.store.findInput(input)?.resolution;
    return { id: input, session: row.session, decision: resolution?.decision ?? answer.decision };
  }

  grants(): Grant[] {
    return this.#deps.store.grants();
  }

  revokeGrant(id: string): void {
    const grant = this.grants().find((entry) => entry.id === id);
    if (!grant) throw new GantryError("no_such_grant", `There is no grant ${id}.`);
    const grants = this.#actors.live(grant.session).view.grants.filter((entry) => entry.id !== id);
    this.append(grant.session, [draft("session.updated", { patch: { grants }, reason: "permission revoked" })]);
  }

  /** Appends events of another part of the daemon, in the running turn. Throws `no_such_session` or `session_ended`. */
  append(id: string, events: readonly Draft[]): Session {
    const actor = this.#actors.live(id);
    actor.apply(
      "recordEvents",
      events.map((event) => inTurn(actor.view, event)),
    );
    return toClientSession(actor.view);
  }

  /** Appends events unchanged, with records in the same commit. Does nothing for a deleted session. */
  record(id: string, events: readonly Draft[], records: readonly RecordChange[] = []): void {
    if (this.#deps.store.sessions.get(id)) this.#actors.get(id).apply("recordEvents", events, () => ({ records }));
  }

  note(id: string, notice: { kind: string; severity: "info" | "warning"; text: string }): void {
    this.append(id, [draft("notice", notice)]);
  }

  /** Forgets the state of an idle session after another part of the daemon wrote to its log. */
  async reread(id: string): Promise<void> {
    await this.#actors.find(id)?.release("closed");
    this.#actors.remove(id);
  }

  open(id: string): OpenItem[] {
    return this.#actors.find(id)?.open ?? [];
  }

  countRunning(): number {
    return this.processes().size;
  }

  /** The number of background tasks that run. */
  countTasks(): number {
    return this.#actors.all().reduce((sum, { view }) => sum + runningTasks(view).length, 0);
  }

  /** Ids of the processes in use. */
  processes(): Set<string> {
    return new Set(this.#actors.all().flatMap((actor) => actor.process ?? []));
  }

  /** Whether the agent of any session is working. */
  hasTurn(): boolean {
    return this.#actors.all().some(({ view }) => view.turn !== undefined);
  }

  async stop(agents: "keep" | "release"): Promise<void> {
    const actors = this.#actors.all();
    if (agents === "release") await Promise.all(actors.map((actor) => actor.release("shutdown")));
    for (const actor of actors) actor.detach();
  }

  /** Throws `no_such_message`. */
  #requireMessage(id: string, message: string): SessionActor {
    const actor = this.#actors.live(id);
    const known = [...actor.view.queue, ...actor.view.sent].some((entry) => entry.message === message);
    if (!known && this.#deps.store.findMessage(id, message) === undefined) {
      throw new GantryError("no_such_message", `${id} has no message ${message}.`);
    }
    return actor;
  }
}
