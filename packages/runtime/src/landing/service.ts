import {
  type ConflictMatrix,
  GantryError,
  type Landing,
  type LandLane,
  type Lane,
  type LaneConflicts,
  type LaneUpdated,
  type UpdateLane,
} from "@gantry/protocol";
import type { Job } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { setRef } from "../lanes/git/refs.ts";
import { findRepository } from "../lanes/git/repository.ts";
import type { Records, Store } from "../log/port.ts";
import { requestHash } from "../session/requests.ts";
import { LANDING, type LandingData, presentLanding, undoRef } from "./landing-data.ts";
import { moveBack, tip } from "./merge/advance.ts";
import { checkWithheld } from "./merge/withheld.ts";
import { type LandingDeps, landingPlan } from "./plan.ts";
import type { LandingService } from "./port.ts";
import { UPDATE, type UpdateData, updatePlan, updateRef } from "./update.ts";

export type LandingServiceDeps = LandingDeps & { jobs: Jobs; store: Store; id: () => string; now: () => string };

/** How many ended landings are stored. */
const STORED = 200;

/** Lands lanes and updates them. Created before the jobs are resumed, because it registers their plans. */
export class LandingManager implements LandingService {
  readonly #deps: LandingServiceDeps;
  readonly #plan: ReturnType<typeof landingPlan>;
  readonly #undone: Records<{ at: string }>;

  constructor(deps: LandingServiceDeps) {
    this.#deps = deps;
    this.#plan = landingPlan(deps);
    this.#undone = deps.store.records("landing.undone");
    deps.jobs.register(this.#plan);
    deps.jobs.register(updatePlan(deps));
  }

  async land(id: string, body: LandLane, by?: string): Promise<Landing> {
    const { jobs } = this.#deps;
    const request = requestHash({ lane: id, ...body });
    const known = body.id && this.#findJob<LandingData>(body.id, LANDING, request);
    if (!known) {
      const data = { ...(await this.#dataFor(id, body, request)), ...(by ? { by } : {}) };
      this.#refuseSecond(id);
      jobs.start(LANDING, data.id, data);
      return this.#outcome(data.id, body.id !== undefined);
    }
    return this.#outcome(known.id, true);
  }

  async update(id: string, body: UpdateLane): Promise<LaneUpdated> {
    const { jobs } = this.#deps;
    const request = requestHash({ lane: id, ...body });
    const known = body.id && this.#findJob<UpdateData>(body.id, UPDATE, request);
    const job = known ? known.id : await this.#startUpdate(id, body, request);
    const { lane, base, from = "", to = "" } = await jobs.outcome<UpdateData>(job);
    const undo = { ref: updateRef(job), command: `git reset --keep ${from}` };
    return { id: job, lane, base, from, to, moved: from !== to, ...(from === to ? {} : { undo }) };
  }

  conflicts(lane: string): Promise<LaneConflicts> {
    return this.#deps.conflictCheck.ofLane(lane);
  }

  async matrices(repository?: string): Promise<ConflictMatrix[]> {
    if (repository === undefined) return this.#deps.conflictCheck.matrices();
    const found = await findRepository(this.#deps.git, repository).catch(() => undefined);
    if (found) return this.#deps.conflictCheck.matrices(found.primary);
    throw new GantryError("not_a_repository", `${repository} is not in a git repository.`);
  }

  list(lane?: string): Landing[] {
    const all = this.#deps.jobs.list<LandingData>(LANDING).map((job) => this.#present(job));
    return all.filter((one) => lane === undefined || one.lane === lane || one.name === lane).reverse();
  }

  get(id: string): Landing {
    return this.#present(this.#job(id));
  }

  async undo(id: string): Promise<Landing> {
    const { git, store } = this.#deps;
    const { data, state } = this.#job(id);
    const { repository, into, from, to, name } = data;
    if (state !== "done" || !from || !to) {
      throw new GantryError("unsupported", `The landing ${id} moved nothing, so it cannot be undone.`);
    }
    if (!this.#undone.get(id)) {
      await checkWithheld(git, repository, [repository]);
      await setRef(git, repository, `${undoRef(id)}-landed`, to);
      await moveBack(git, { repository, branch: into, from, to, why: `gantry: undo landing of ${name}` });
      store.records("landing.undone").put(id, { at: this.#deps.now() });
    }
    return this.get(id);
  }

  async #dataFor(id: string, body: LandLane, request: string): Promise<LandingData> {
    const lane = await this.#deps.lanes.get(id);
    const { how, message, commit, remove, tellAgents } = body;
    requireWork(lane);
    const into = await this.#resolveTarget(lane, body);
    if (into === lane.branch) throw new GantryError("invalid", `${lane.name} is on ${into} itself.`);
    if (how === "pr" && !lane.branch) {
      throw new GantryError("unsupported", `${lane.name} is on no branch, so it cannot be pushed.`, {
        remedy: `Create a branch: git switch -c <name> in ${lane.path}`,
      });
    }
    const { repository, path, branch, name } = lane;
    const options = { how, into, message, commit, remove, tellAgents, request };
    const job = body.id ?? this.#deps.id();
    return { id: job, lane: lane.id, name, repository, path, branch, title: this.#title(lane), ...options };
  }

  /** The requested branch, or the one that the lane started from. */
  async #resolveTarget(lane: Lane, { into, how }: LandLane): Promise<string> {
    const { git } = this.#deps;
    const ref = into ?? lane.base?.ref?.replace(/^refs\/heads\//, "");
    if (ref && (await tip(git, lane.repository, ref))) return ref;
    const remote =
      ref && how === "pr"
        ? ref
            .replace(/^refs\/remotes\//, "")
            .split("/")
            .slice(1)
            .join("/")
        : "";
    if (!into && remote) return remote;
    if (into && how === "pr") return into;
    const message = into
      ? `There is no branch ${into}.`
      : `${lane.name} did not start from a branch of this repository.`;
    throw new GantryError("invalid", message, { remedy: "Choose the branch to land on with `into`." });
  }

  #title(lane: Lane): string {
    for (const session of [...lane.sessions].reverse()) {
      try {
        const { title, turns } = this.#deps.sessions.get(session);
        if (turns > 0) return title;
      } catch {
        // The session was deleted; an older one may have a title.
      }
    }
    return lane.name;
  }

  async #startUpdate(id: string, body: UpdateLane, request: string): Promise<string> {
    const lane = await this.#deps.lanes.get(id);
    requireWork(lane);
    const base = lane.base?.ref ?? lane.base?.commit;
    if (!base) throw new GantryError("unsupported", `${lane.name} has no base to update from.`);
    this.#refuseSecond(id);
    const job = body.id ?? this.#deps.id();
    const landed = this.list(id).flatMap(({ state, source }) => (state === "done" && source ? [source] : []));
    const { name, repository, path } = lane;
    const { how, dirty } = body;
    this.#deps.jobs.start<UpdateData>(UPDATE, job, {
      id: job,
      lane: id,
      name,
      repository,
      path,
      base,
      how,
      dirty,
      request,
      landed,
    });
    return job;
  }

  /** The job of an earlier request with this id. Throws `conflict` if that request differed. */
  #findJob<Data extends { request: string }>(id: string, kind: string, request: string): Job<Data> | undefined {
    const job = this.#deps.jobs.get<Data>(id);
    if (!job || (job.kind === kind && job.data.request === request)) return job;
    throw new GantryError("conflict", `${id} is already used for another request.`, { remedy: "Use another id." });
  }

  #refuseSecond(lane: string): void {
    const open = [LANDING, UPDATE]
      .flatMap((kind) => this.#deps.jobs.list<{ lane: string }>(kind))
      .find((job) => job.data.lane === lane && (job.state === "running" || job.state === "undoing"));
    if (!open) return;
    throw new GantryError("conflict", `${lane} is already being landed or updated (${open.id}).`, {
      remedy: "Wait until it ends.",
    });
  }

  /** Deletes a failed landing unless the client chose its id and may ask for it again. */
  async #outcome(id: string, named: boolean): Promise<Landing> {
    const { jobs } = this.#deps;
    try {
      await jobs.outcome(id);
    } catch (error) {
      if (!named) jobs.forget(id);
      throw error;
    }
    const ended = jobs.list<LandingData>(LANDING).filter((job) => job.state === "done" || job.state === "failed");
    for (const job of ended.slice(0, Math.max(0, ended.length - STORED))) jobs.forget(job.id);
    return this.get(id);
  }

  #job(id: string): Job<LandingData> {
    const job = this.#deps.jobs.get<LandingData>(id);
    if (job?.kind === LANDING) return job;
    throw new GantryError("no_such_landing", `There is no landing ${id}.`);
  }

  #present(job: Job<LandingData>): Landing {
    return presentLanding(job, this.#plan.steps, this.#undone.get(job.id) !== undefined);
  }
}

/** Throws for a lane that cannot be landed. */
function requireWork({ kind, name, state }: Lane): void {
  if (kind === "primary") {
    throw new GantryError(
      "unsupported",
      `${name} is the repository's primary work tree. There is no base to land it on.`,
    );
  }
  if (state === "ready" || state === "archived") return;
  throw new GantryError("conflict", `${name} is ${state}.`, { remedy: "Wait until it is ready." });
}
