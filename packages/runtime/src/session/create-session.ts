import {
  type ControlValues,
  type CreateSession,
  type Envelope,
  foldSession,
  GantryError,
  type Mode,
  type Session,
  type SessionView,
  type TitleBy,
} from "@gantry/protocol";
import { modeNotice, modeWithControls, requireControls } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";
import { PendingBrief } from "../handoff/pending-brief.ts";
import { forkKey } from "../handoff/strategy.ts";
import type { RecordChange } from "../log/port.ts";
import { firstTitle } from "../titles/first-title.ts";
import type { SessionActor } from "./actor.ts";
import type { ActorDeps } from "./actor-deps.ts";
import type { SessionActors } from "./actors.ts";
import type { Spawning } from "./api.ts";
import { toClientSession } from "./client-view.ts";
import { requireIgnorable } from "./connection/untrusted.ts";
import { resolveFolders, withheldIn } from "./extra-folders/extra-folders.ts";
import { type Choices, checkAttachments, requestHash, requireResumable } from "./requests.ts";
import { readSessionServers, serversRecord } from "./storage/session-servers.ts";

export type CreateDeps = ActorDeps & {
  home: string;
  /** Throws if the agent is unknown or cannot be started here. */
  requireAgent: (id: string) => Promise<Agent>;
  /** The version of an installed agent. `undefined`: it did not print one. */
  readVersion: (id: string) => Promise<string | undefined>;
  requireChoices: (agent: Agent, choices: Choices) => Promise<void>;
  /** The folder or lane of a new session. Throws `GantryError`. */
  place: (body: Pick<CreateSession, "cwd" | "lane">) => Promise<{ cwd: string; lane?: string }>;
  /** Adds the defaults that apply in a folder to a request. Throws `GantryError`. */
  fillDefaults: (body: CreateSession, cwd: string) => Promise<FilledRequest>;
};

/** A request with the settings that it did not name, and notices about defaults that were not used. */
export type FilledRequest = {
  body: Omit<CreateSession, keyof Settings> & Settings & { agent: string };
  notices: string[];
};

/** Settings without the `null` that drops a default. */
type Settings = { model?: string; mode?: Mode; effort?: string; controls?: ControlValues };

type NewSession = Omit<CreateSession, "cwd" | "folders" | keyof Settings> &
  Settings & {
    id: string;
    cwd: string;
    folders?: string[] | undefined;
    handles?: Record<string, string>;
    titleBy?: TitleBy;
    forkedAt?: number;
    identity?: string;
  };

/** `origin` is the surface that created it, `hash` that of the request. */
type Provenance = { origin: string; hash?: string; parent?: string; spawning?: Spawning; notices?: string[] };

/** Creates sessions: from a request, from another session's agent, or as a fork. */
export class SessionCreator {
  readonly #deps: CreateDeps;
  readonly #actors: SessionActors;

  constructor(deps: CreateDeps, actors: SessionActors) {
    this.#deps = deps;
    this.#actors = actors;
  }

  /** Idempotent by id: the same request returns the same session. Throws `conflict` for another request with the id. */
  async create(
    request: CreateSession,
    origin: string,
    { identity, spawning }: { identity?: string; spawning?: Spawning } = {},
  ): Promise<{ actor: SessionActor; created: boolean }> {
    const hash = requestHash(request);
    const known = request.id ? this.#findRepeated(request.id, hash) : undefined;
    if (known) return { actor: known, created: false };
    const { cwd, lane } = await this.#deps.place(request);
    const filled = await this.#deps.fillDefaults(request, cwd);
    const agent = await this.#deps.requireAgent(filled.body.agent);
    const { body, notices } = await this.#checkChoices(agent, request, filled);
    const mode = body.mode ?? "ask";
    requireControls(agent, mode, body.controls);
    requireResumable(agent, body.resume, this.#actors.all());
    await this.#requireIgnorable(agent, { cwd, mode });
    const folders = this.#resolveFolders(agent, body.folders, cwd);
    const attachments = checkAttachments({ text: body.prompt, attachments: body.attachments }, cwd, this.#deps.home);
    // Another request with the same id may have finished while this one waited.
    const id = body.id ?? this.#deps.id("session");
    const raced = this.#findRepeated(id, hash);
    if (raced) return { actor: raced, created: false };
    const handles = body.resume === undefined ? undefined : { [agent.id]: body.resume };
    const parent = spawning?.parent;
    const provenance = { origin, hash, parent, spawning, notices };
    const actor = this.#begin(agent, { ...body, identity, id, cwd, lane, folders, handles }, provenance);
    if (body.prompt !== undefined) {
      const author = spawning ? `session:${spawning.parent}` : "user";
      const message = {
        id: this.#deps.id("message"),
        text: body.prompt,
        attachments,
        delivery: "auto" as const,
        author,
      };
      actor.apply("send", { message });
    }
    return { actor, created: true };
  }

  /** Idempotent by `place.id`. */
  async fork(id: string, body: ForkBody, point: () => ForkPoint, place: ForkPlace = {}): Promise<Session> {
    const { store, config } = this.#deps;
    const known = place.id ? store.sessions.get(place.id) : undefined;
    if (known) return toClientSession(known.view);
    const parent = this.#actors.view(id);
    const agent = await this.#deps.requireAgent(body.agent ?? parent.agent);
    await this.#deps.requireChoices(agent, body);
    const from = point();
    const settings = {
      ...forkSettings(parent, agent, from, body),
      env: store.sessions.env(id),
      servers: readSessionServers(store, id),
    };
    const session = { ...settings, ...place, id: place.id ?? this.#deps.id("session"), forkedAt: from.until };
    // Stored before the session exists: without it the fork would start without context.
    if (Object.keys(settings.handles).length === 0) {
      new PendingBrief(store, session.id).build(config.handoff.briefChars, { session: id, until: from.until });
    }
    return toClientSession(this.#begin(agent, session, { origin: "fork", parent: id }).view);
  }

  /** The version, which takes time to read, matters only if some version can ignore the project's code. */
  async #requireIgnorable(agent: Agent, place: { cwd: string; mode: Mode }): Promise<void> {
    const { withheld } = this.#deps.projectCode(agent, place.cwd);
    requireIgnorable(agent, place, withheld);
    if (withheld.length === 0) return;
    // A start with an unknown version is refused as well.
    const version = (await this.#deps.readVersion(agent.id)) ?? "";
    requireIgnorable(agent, { ...place, version }, withheld);
  }

  #resolveFolders(agent: Agent, folders: readonly string[] | undefined, cwd: string): string[] | undefined {
    const withheld = withheldIn(this.#deps, agent, cwd);
    return folders && resolveFolders(folders, this.#deps.protectedPlaces, withheld);
  }

  /** Throws `invalid` for choices of the request. A default effort that the model lacks is left out, with a notice. */
  async #checkChoices(
    agent: Agent,
    { effort: requested }: CreateSession,
    filled: FilledRequest,
  ): Promise<FilledRequest> {
    const { body, notices } = filled;
    const { effort, ...rest } = body;
    await this.#deps.requireChoices(agent, { model: body.model, effort: requested ?? undefined });
    if (effort === undefined || effort === requested) return filled;
    try {
      await this.#deps.requireChoices(agent, { current: body.model, effort });
      return filled;
    } catch (error) {
      if (!(error instanceof GantryError)) throw error;
      const text = `The default effort ${effort} is not used, because ${agent.name} does not have it with this model.`;
      return { body: rest, notices: [...notices, text] };
    }
  }

  #findRepeated(id: string, hash: string): SessionActor | undefined {
    const known = this.#deps.store.sessions.get(id);
    if (!known || known.request === hash) return known && this.#actors.get(id);
    throw new GantryError("conflict", `${id} exists already and was created with other values.`, {
      remedy: "Use another id, or omit it.",
    });
  }

  #begin(agent: Agent, body: NewSession, { origin, hash, parent, spawning, notices = [] }: Provenance): SessionActor {
    const { model, effort, controls, cwd, lane, env, servers = {}, instructions, handles, identity, forkedAt } = body;
    const folders = body.folders?.length ? body.folders : undefined;
    const mode = body.mode ?? "ask";
    const data = {
      ...{
        agent: agent.id,
        model,
        mode,
        effort,
        controls,
        cwd,
        lane,
        folders,
        ...firstTitle(body, cwd),
        identity,
        parent,
        forkedAt,
      },
      ...{ spawn: spawning?.spawn, origin, env: env && Object.keys(env), instructions },
      ...(Object.keys(servers).length > 0 ? { servers: Object.keys(servers) } : {}),
    };
    const modeApplied = modeWithControls(agent, mode, controls);
    const { unenforced } = agent;
    const patch = { modeApplied, ...(unenforced ? { unenforced } : {}), ...(handles ? { handles } : {}) };
    const warning = modeNotice(agent, mode, modeApplied);
    const drafts = [
      { type: "session.created", data },
      { type: "session.updated", data: { patch } },
      ...(warning ? [{ type: "notice", data: warning }] : []),
      ...notices.map((text) => ({ type: "notice", data: { kind: "defaults", severity: "warning", text } })),
    ];
    const common = { v: 1, session: body.id, at: this.#deps.now() };
    const events = drafts.map((draft, index) => ({ ...common, seq: index + 1, ...draft }) as Envelope);
    const view = events.reduce<SessionView | undefined>(foldSession, undefined) as SessionView;
    const request = { ...(hash ? { hash } : {}), ...(env ? { env } : {}) };
    const records: RecordChange[] = [
      ...(spawning ? [spawning.record(body.id)] : []),
      ...(data.servers ? [serversRecord(body.id, servers)] : []),
    ];
    // One commit: a session that lost its handle would silently start a new conversation.
    const rows = this.#deps.store.commit({ session: body.id, events, view, request, records });
    const actor = this.#actors.add(view);
    this.#deps.publisher.committed(body.id, rows);
    return actor;
  }
}

export type ForkBody = { at?: number; agent?: string; model?: string };

/** The folder or lane of a fork, if not its parent's, and its id. */
export type ForkPlace = { id?: string; cwd?: string; lane?: string };

/** Where a fork starts in its parent's log: after the turn that contains an event. */
export type ForkPoint = { turn: string; until: number; isLast: boolean };

/** The settings of a fork and, if its agent can copy one, the conversation to copy. */
export type ForkSettings = Pick<
  SessionView,
  "agent" | "cwd" | "lane" | "folders" | "model" | "mode" | "effort" | "controls" | "instructions" | "title" | "titleBy"
> & {
  handles: Record<string, string>;
};

/** The turn that contains event `at`, or the last one. Throws `unsupported`, `invalid` or `turn_running`. */
export function forkPoint(parent: SessionView, turnEvents: Iterable<Envelope>, at = parent.lastSeq): ForkPoint {
  if (at > parent.lastSeq) {
    throw new GantryError("invalid", `${parent.id} has ${parent.lastSeq} events, so there is no event ${at}.`);
  }
  let point: { turn: string; until?: number; isLast: boolean } | undefined;
  for (const { type, turn = "", seq } of turnEvents) {
    if (type === "turn.started" && seq <= at) point = { turn, isLast: true };
    else if (type === "turn.started" && point) point.isLast = false;
    else if (type === "turn.ended" && turn === point?.turn) point.until = seq;
  }
  if (!point) throw new GantryError("unsupported", `${parent.id} has no turn before that event.`);
  const { turn, until, isLast } = point;
  if (until !== undefined) return { turn, until, isLast };
  throw new GantryError("turn_running", `This turn of ${parent.id} is running.`, {
    remedy: "Wait for its end, or pass an earlier event.",
  });
}

/**
 * A fork at the end of the log copies the native conversation if the agent can. Any other fork gets a brief from the log;
 * `handles` is then empty.
 */
export function forkSettings(parent: SessionView, agent: Agent, { isLast }: ForkPoint, body: ForkBody): ForkSettings {
  const { mode, cwd, lane, folders, instructions, titleBy } = parent;
  const isSame = agent.id === parent.agent;
  const handle = isSame && isLast && agent.fork ? parent.handles[agent.id] : undefined;
  const title = `${parent.title} (fork)`;
  const model = body.model ?? (isSame ? parent.model : undefined);
  const effort = isSame ? parent.effort : undefined;
  const controls = isSame ? parent.controls : undefined;
  const handles: Record<string, string> = handle ? { [forkKey(agent.id)]: handle } : {};
  const more = folders ? { folders } : {};
  return { agent: agent.id, cwd, lane, ...more, model, mode, effort, controls, instructions, title, titleBy, handles };
}
