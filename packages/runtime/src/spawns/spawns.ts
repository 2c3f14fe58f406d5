import { resolve, sep } from "node:path";
import {
  type Applied,
  type Attachment,
  type CreateLane,
  type CreateSession,
  GantryError,
  type HandoffBody,
  type InputAnswer,
  type InputRequest,
  type LandLane,
  type Lane,
  type LaneList,
  type PatchSession,
  type SendMessage,
  type Sent,
  type Session,
  type SessionView,
  sessionStatus,
} from "@gantry/protocol";
import { appliedMode } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";
import type { Config } from "../config.ts";
import type { Store } from "../log/port.ts";
import type { ListQuery, SessionService } from "../session/api.ts";
import { realPath, sessionFolder } from "../session/folders.ts";
import { type Family, KIND, withReport } from "./family.ts";
import type { FamilyLanes } from "./family-lanes.ts";
import type { SpawnService } from "./port.ts";
import { checkAnswer, checkHandoff, checkLanding, requireLead } from "./rights/lead.ts";
import { checkFields, checkMode, defaultMode, notPermitted, rungOf } from "./rights/rules.ts";
import type { SessionTokens } from "./rights/tokens.ts";

export type SpawnsDeps = {
  store: Store;
  sessions: Pick<SessionService, "create" | "get" | "send" | "patch">;
  family: Family;
  tokens: SessionTokens;
  lanes: FamilyLanes;
  config: Config;
  agent: (id: string) => Agent | undefined;
};

/** Sessions that another session's agent starts and directs, within that agent's own rights. */
export class Spawns implements SpawnService {
  readonly #deps: SpawnsDeps;
  /** Sessions of a root that are being created and are in no list yet. */
  readonly #beginning = new Map<string, number>();

  constructor(deps: SpawnsDeps) {
    this.#deps = deps;
  }

  sessionOf(token: string): string | undefined {
    return this.#deps.tokens.sessionOf(token);
  }

  requireBelow(caller: string, id: string, orSelf: boolean): void {
    if (orSelf && id === caller) return;
    // An unknown id is reported by the later lookup.
    if (this.#deps.family.isBelow(id, caller) || !this.#deps.family.view(id)) return;
    const one = orSelf ? "neither this session nor one" : "not a session";
    throw notPermitted(`${id} is ${one} that ${caller} started.`, "`gantry ls` lists the sessions that it started.");
  }

  async create(caller: string, body: CreateSession): Promise<{ session: Session; created: boolean }> {
    const { sessions, family, store } = this.#deps;
    const parent = this.#caller(caller);
    checkFields("create", body);
    this.#checkFolders(parent, body.folders);
    const { root, depth } = parent.spawn ?? { root: caller, depth: 0 };
    const { wake = true, ...rest } = body;
    const mode = body.mode ?? defaultMode(parent);
    const env = store.sessions.env(caller);
    const own = Object.keys(env).length > 0 ? { env } : {};
    const whole = { ...rest, ...(await this.#place(parent, body)), mode, ...own };
    const known = body.id === undefined ? undefined : family.view(body.id);
    if (known) this.requireBelow(caller, known.id, false);
    else this.#checkLimits(caller, root, depth + 1);
    if (body.agent === undefined) {
      throw new GantryError("invalid", "An agent must name the agent of a session that it starts.", {
        remedy: "`gantry agents` lists them.",
      });
    }
    this.#checkMode(parent, body.agent, mode);
    const spawn = { root, depth: depth + 1, wake };
    const record = (session: string) => ({ kind: KIND, id: session, value: { session, parent: caller, root } });
    this.#beginning.set(root, (this.#beginning.get(root) ?? 0) + 1);
    try {
      return await sessions.create(whole, "session", { spawning: { parent: caller, spawn, record } });
    } finally {
      this.#beginning.set(root, (this.#beginning.get(root) ?? 1) - 1);
    }
  }

  list(caller: string, { state, open, q = "", archived = "0", limit = 500 }: ListQuery): Session[] {
    const terms = q.toLowerCase().split(/\s+/).filter(Boolean);
    const all = this.family(caller).map((id) => this.#deps.sessions.get(id));
    const matchesFilter = (session: Session) => {
      const text = [session.title, session.cwd, session.agent, session.id].join("\n").toLowerCase();
      const shelf = archived === "all" || session.archived === (archived === "1");
      if (open === "1" && sessionStatus(session).group === "done") return false;
      return shelf && (state === undefined || session.state === state) && terms.every((term) => text.includes(term));
    };
    return all.filter(matchesFilter).slice(0, limit).reverse();
  }

  family(caller: string): string[] {
    return [caller, ...this.#deps.family.listDescendants(caller).map(({ id }) => id)];
  }

  send(caller: string, id: string, body: SendMessage): Sent {
    const { sessions, family } = this.#deps;
    this.requireBelow(caller, id, true);
    const target = family.view(id);
    const itself = id === caller;
    if (itself && body.delivery !== undefined && body.delivery !== "queue") {
      throw notPermitted("An agent may only queue messages for its own session.", "Use `delivery: queue`.");
    }
    if (target) this.#checkAttachments(target.cwd, body.attachments);
    if (target && !itself) checkMode(rungOf(target), [this.#caller(caller)], id);
    const delivery = itself ? ("queue" as const) : body.delivery;
    return sessions.send(id, { ...body, ...(delivery ? { delivery } : {}) }, { author: `session:${caller}` });
  }

  async change(caller: string, id: string, body: PatchSession): Promise<Applied> {
    const { sessions, family } = this.#deps;
    this.requireBelow(caller, id, false);
    checkFields("change", body);
    const view = family.view(id);
    const agent = view && this.#deps.agent(view.agent);
    if (body.mode) checkMode(agent ? appliedMode(agent, body.mode) : body.mode, family.listAncestors(id), id);
    return sessions.patch(id, body);
  }

  createLane(caller: string, body: CreateLane): Promise<{ lane: Lane; created: boolean }> {
    const parent = this.#caller(caller);
    return this.#deps.lanes.create(parent, body, this.#folder(parent, body.cwd));
  }

  listLanes(caller: string, query: Parameters<FamilyLanes["list"]>[1]): Promise<LaneList> {
    return this.#deps.lanes.list(caller, query);
  }

  resolveLanes(caller: string, names: readonly string[], cwd?: string): Promise<string[]> {
    const view = this.#caller(caller);
    return this.#deps.lanes.resolve(view, names, cwd ?? view.cwd);
  }

  hasLane(caller: string, lane: string): boolean {
    return this.#deps.lanes.has(caller, lane);
  }

  requireLane(caller: string, lane: string): void {
    this.#deps.lanes.require(caller, lane);
  }

  inbox(caller: string): InputRequest[] {
    requireLead(this.#caller(caller));
    const below = new Set(this.#deps.family.listDescendants(caller).map(({ id }) => id));
    return this.#deps.store.pendingInputs().filter(({ session }) => below.has(session));
  }

  requireAnswer(caller: string, input: string, body: InputAnswer): void {
    const lead = this.#caller(caller);
    requireLead(lead);
    const row = this.#deps.store.findInput(input);
    // An unknown id is reported by the later lookup.
    if (!row) return;
    this.requireBelow(caller, row.session, false);
    checkAnswer(lead, this.#deps.family.listAncestors(row.session), row.request, body);
  }

  requireHandoff(caller: string, id: string, body: HandoffBody): void {
    requireLead(this.#caller(caller));
    this.requireBelow(caller, id, false);
    const { family } = this.#deps;
    const worker = family.view(id);
    if (worker) checkHandoff(worker, family.listAncestors(id), this.#deps.agent(body.agent), body);
  }

  async requireLanding(caller: string, lane: string, body: LandLane): Promise<void> {
    const lead = this.#caller(caller);
    requireLead(lead);
    checkLanding(lead, body);
    await this.#deps.lanes.requireOfWorkers(lead, lane);
  }

  markRead(id: string, turn: string): boolean {
    const record = this.#deps.family.records.get(id);
    if (record) this.#deps.family.records.put(id, withReport(record, { turn }));
    return record !== undefined;
  }

  #caller(caller: string): SessionView {
    const view = this.#deps.family.view(caller);
    if (view) return view;
    throw new GantryError("no_such_session", `There is no session ${caller}.`);
  }

  #checkMode(parent: SessionView, agentId: string, mode: Session["mode"]): void {
    const { family } = this.#deps;
    const agent = this.#deps.agent(agentId);
    const above = [parent, ...family.listAncestors(parent.id)];
    checkMode(mode, above, "The new session");
    // An agent without a mode that low falls back to its own configuration.
    if (agent) checkMode(appliedMode(agent, mode), above, `${agent.name}`);
  }

  #checkLimits(caller: string, root: string, depth: number): void {
    const { depth: deepest, live } = this.#deps.config.spawns;
    if (depth > deepest) {
      const reason = `${caller} is ${depth - 1} levels below the session that a person started. The limit is ${deepest}.`;
      throw notPermitted(
        `This session cannot start another one. ${reason}`,
        "Do the work here, or ask a person to raise `spawns.depth`.",
      );
    }
    const atWork = this.#deps.family.atWork(root).length + (this.#beginning.get(root) ?? 0);
    if (atWork < live) return;
    throw new GantryError("too_many_spawns", `${atWork} sessions that began with ${root} are already running.`, {
      remedy: "Wait until one of them is idle (`gantry wait`), or ask a person to raise `spawns.live`.",
    });
  }

  /** The folder of a spawned session: the parent's or one below it, or a lane created for it. */
  async #place(
    parent: SessionView,
    { cwd, lane, attachments }: CreateSession,
  ): Promise<Pick<CreateSession, "cwd" | "lane">> {
    if (lane !== undefined) {
      if (attachments?.some(({ path }) => path !== undefined)) {
        throw notPermitted("Files of one lane cannot be attached in another.", "Omit `attachments`.");
      }
      return { lane: await this.#deps.lanes.find(parent, lane) };
    }
    const folder = this.#folder(parent, cwd);
    this.#checkAttachments(folder, attachments);
    return { cwd: folder };
  }

  #folder(parent: SessionView, cwd: string | undefined): string {
    const folder = sessionFolder({ cwd: cwd ?? parent.cwd });
    if (isInside(folder, parent.cwd)) return folder;
    throw notPermitted(`${folder} is outside ${parent.cwd}, where ${parent.id} works.`, "Use a folder inside it.");
  }

  /** A spawned session gets no folder outside of those in which its parent works. */
  #checkFolders(parent: SessionView, folders: readonly string[] = []): void {
    const own = [parent.cwd, ...(parent.folders ?? [])];
    const outside = folders.find((folder) => !own.some((path) => isInside(realPath(folder) ?? folder, path)));
    if (outside === undefined) return;
    throw notPermitted(`${outside} is outside the folders of ${parent.id}.`, "Omit it, or ask a person.");
  }

  /** Only people may upload. An agent attaches files from its own folder. */
  #checkAttachments(cwd: string, attachments: readonly Attachment[] = []): void {
    const outside = attachments.find(
      ({ path }) => path !== undefined && !isInside(realPath(resolve(cwd, path)) ?? path, cwd),
    );
    if (outside) throw notPermitted(`${outside.path} is outside ${cwd}.`, "Copy it there first.");
  }
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}
