import {
  type CreateSession,
  type Envelope,
  foldSession,
  GantryError,
  type Session,
  type TitleBy,
} from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { RecordChange } from "../log/port.ts";
import { firstTitle } from "../titles/first-title.ts";
import type { SessionActor } from "./actor.ts";
import type { ActorDeps } from "./actor-deps.ts";
import type { SessionActors } from "./actors.ts";
import type { Spawning } from "./api.ts";
import { toClientSession } from "./client-view.ts";
import { appliedMode } from "./connection/start-process.ts";
import { checkAttachments } from "./folders.ts";
import { type ForkBody, type ForkPlace, type ForkPoint, forkSettings } from "./fork.ts";
import { PendingBrief } from "./handoff/pending-brief.ts";
import { requestHash } from "./idempotency.ts";
import { requireResumable } from "./requirements.ts";

export type CreateDeps = ActorDeps & {
  home: string;
  /** Throws if the agent is unknown or cannot be started here. */
  requireAgent: (id: string) => Promise<Agent>;
  requireModel: (agent: Agent, model: string | undefined) => Promise<void>;
  /** The folder or lane of a new session. Throws `GantryError`. */
  place: (body: Pick<CreateSession, "cwd" | "lane">) => Promise<{ cwd: string; lane?: string }>;
};

type NewSession = Omit<CreateSession, "cwd"> & {
  id: string;
  cwd: string;
  handles?: Record<string, string>;
  titleBy?: TitleBy;
  forkedAt?: number;
  identity?: string;
};

/** `origin` is the surface that created it, `hash` that of the request. */
type Provenance = { origin: string; hash?: string; parent?: string; spawning?: Spawning };

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
    body: CreateSession,
    origin: string,
    { identity, spawning }: { identity?: string; spawning?: Spawning } = {},
  ): Promise<{ actor: SessionActor; created: boolean }> {
    const hash = requestHash(body);
    const known = body.id ? this.#known(body.id, hash) : undefined;
    if (known) return { actor: known, created: false };
    const agent = await this.#deps.requireAgent(body.agent);
    await this.#deps.requireModel(agent, body.model);
    requireResumable(agent, body.resume, this.#actors.all());
    const { cwd, lane } = await this.#deps.place(body);
    const attachments = checkAttachments({ text: body.prompt, attachments: body.attachments }, cwd, this.#deps.home);
    // Another request with the same id may have finished while this one waited.
    const id = body.id ?? this.#deps.id("session");
    const raced = this.#known(id, hash);
    if (raced) return { actor: raced, created: false };
    const handles = body.resume === undefined ? undefined : { [agent.id]: body.resume };
    const parent = spawning?.parent;
    const actor = this.#begin(agent, { ...body, identity, id, cwd, lane, handles }, { origin, hash, parent, spawning });
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
    await this.#deps.requireModel(agent, body.model);
    const from = point();
    const settings = { ...forkSettings(parent, agent, from, body), env: store.sessions.env(id) };
    const session = { ...settings, ...place, id: place.id ?? this.#deps.id("session"), forkedAt: from.until };
    // Stored before the session exists: without it the fork would start without context.
    if (Object.keys(settings.handles).length === 0) {
      new PendingBrief(store, session.id).build(config.handoff.briefChars, { session: id, until: from.until });
    }
    return toClientSession(this.#begin(agent, session, { origin: "fork", parent: id }).view);
  }

  #known(id: string, hash: string): SessionActor | undefined {
    const known = this.#deps.store.sessions.get(id);
    if (!known || known.request === hash) return known && this.#actors.get(id);
    throw new GantryError("conflict", `${id} exists already and was created with other values.`, {
      remedy: "Use another id, or omit it.",
    });
  }

  #begin(agent: Agent, body: NewSession, { origin, hash, parent, spawning }: Provenance): SessionActor {
    const { model, effort, cwd, lane, env, instructions, handles, identity, forkedAt } = body;
    const mode = body.mode ?? "ask";
    const data = {
      ...{ agent: agent.id, model, mode, effort, cwd, lane, ...firstTitle(body, cwd), identity, parent, forkedAt },
      ...{ spawn: spawning?.spawn, origin, env: env && Object.keys(env), instructions },
    };
    const patch = { modeApplied: appliedMode(agent, mode), ...(handles ? { handles } : {}) };
    const common = { v: 1, session: body.id, at: this.#deps.now() };
    const created = { ...common, seq: 1, type: "session.created", data } as Envelope;
    const updated = { ...common, seq: 2, type: "session.updated", data: { patch } } as Envelope;
    const view = foldSession(foldSession(undefined, created), updated);
    const request = { ...(hash ? { hash } : {}), ...(env ? { env } : {}) };
    const records: RecordChange[] = spawning ? [spawning.record(body.id)] : [];
    // One commit: a session that lost its handle would silently start a new conversation.
    const rows = this.#deps.store.commit({ session: body.id, events: [created, updated], view, request, records });
    const actor = this.#actors.add(view);
    this.#deps.publisher.committed(body.id, rows);
    return actor;
  }
}
