import { rmSync } from "node:fs";
import {
  type Check,
  type Comparison,
  type CreateLaunch,
  GantryError,
  type Launch,
  type RunCheck,
} from "@gantry/protocol";
import type { Job } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Records, Store } from "../log/port.ts";
import { requestHash } from "../session/requests.ts";
import { type Admitting, admit } from "./admit.ts";
import { uploadsOf } from "./attachments.ts";
import type { Checks } from "./checks/checks.ts";
import type { Comparing } from "./compare/compare.ts";
import { LAUNCH, type LaunchData, presentLaunch, type Sight } from "./launch-data.ts";
import { type LaunchDeps, launchPlan } from "./plan.ts";
import type { LaunchService } from "./port.ts";

export type LaunchesDeps = Omit<LaunchDeps, "sight"> &
  Admitting & {
    jobs: Jobs;
    store: Store;
    sight: Omit<Sight, "cancelledAt">;
    comparing: Comparing;
    checks: Checks;
    interrupt: (session: string) => void;
    id: () => string;
    now: () => string;
  };

/** How long a response waits for lanes and sessions, so that the client can open them at once. */
const MOMENT_MS = 3000;

/** All launches of the daemon. Created before the jobs are resumed, because it registers their plan. */
export class Launches implements LaunchService {
  readonly #deps: LaunchesDeps;
  readonly #plan: ReturnType<typeof launchPlan>;
  readonly #cancelled: Records<{ at: string }>;
  readonly #sight: Sight;

  constructor(deps: LaunchesDeps) {
    this.#deps = deps;
    this.#cancelled = deps.store.records("launch.cancelled");
    this.#sight = { ...deps.sight, cancelledAt: (id) => this.#cancelled.get(id)?.at };
    this.#plan = launchPlan({ ...deps, sight: this.#sight });
    deps.jobs.register(this.#plan);
  }

  async create(body: CreateLaunch): Promise<{ launch: Launch; created: boolean }> {
    const { jobs } = this.#deps;
    const request = requestHash(body);
    const known = body.id && jobs.get<LaunchData>(body.id);
    if (known) return { launch: this.#presentSame(known, request), created: false };
    const id = body.id ?? this.#deps.id();
    const data = await admit(this.#deps, { id, request, body });
    // A concurrent request with the same id may have arrived during the checks.
    const raced = jobs.get<LaunchData>(id);
    if (raced) return { launch: this.#presentSame(raced, request), created: false };
    jobs.start(LAUNCH, id, data);
    await Promise.race([jobs.waitForEnd(id), moment()]);
    return { launch: this.get(id), created: true };
  }

  list(): Launch[] {
    const jobs = this.#deps.jobs.list<LaunchData>(LAUNCH);
    const launches = jobs.map((job) => this.#present(job));
    return launches.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
  }

  get(id: string): Launch {
    return this.#present(this.#job(id));
  }

  async cancel(id: string, forget: boolean): Promise<Launch> {
    const { jobs, store, home, sight, interrupt, checks } = this.#deps;
    const before = this.#job(id);
    const { state } = this.get(id);
    if (state !== "cancelled" && state !== "failed" && state !== "settled") {
      this.#cancelled.put(id, { at: this.#deps.now() });
    }
    await jobs.waitForEnd(id);
    for (const { session, message, lane } of before.data.slots) {
      await checks.stop(lane);
      const working = ["running", "waiting"].includes(sight.session(session)?.state ?? "");
      if (working && state !== "settled" && sight.wasSent(session, message)) interrupt(session);
    }
    const launch = this.get(id);
    if (!forget) return launch;
    jobs.forget(id);
    store.records("launch.cancelled").delete(id);
    rmSync(uploadsOf(home, id), { recursive: true, force: true });
    return launch;
  }

  async compare(id: string, patch: boolean): Promise<Comparison> {
    const { data } = this.#job(id);
    const slots = data.slots.filter((slot) => !slot.cleaned);
    const lanes = slots.map(({ lane, name, session }) => ({ lane, name, sessions: [session] }));
    return { launch: id, ...(await this.#deps.comparing.lanes(lanes, { base: data.base, patch })) };
  }

  async compareLanes(lanes: readonly string[], patch: boolean, cwd?: string): Promise<Comparison> {
    return this.#deps.comparing.compareNamed(lanes, { patch, cwd });
  }

  async check(id: string, body: RunCheck): Promise<Check[]> {
    const { data } = this.#job(id);
    const slots = data.slots.filter(({ cleaned, lane }) => !cleaned && this.#sight.lane(lane)?.state === "ready");
    if (slots.length === 0) throw new GantryError("conflict", `${id} has no lane to run a command in.`);
    return this.#deps.checks.run(
      slots.map(({ lane }) => lane),
      body,
    );
  }

  #presentSame(job: Job<LaunchData>, request: string): Launch {
    if (job.kind === LAUNCH && job.data.request === request) return this.#present(job);
    throw new GantryError("conflict", `${job.id} already exists and was launched with other values.`, {
      remedy: "Use another id, or omit it.",
    });
  }

  #job(id: string): Job<LaunchData> {
    const job = this.#deps.jobs.get<LaunchData>(id);
    if (job?.kind === LAUNCH) return job;
    throw new GantryError("no_such_launch", `There is no launch ${id}.`, { remedy: "`gantry launches` lists them." });
  }

  #present(job: Job<LaunchData>): Launch {
    return presentLaunch(job, this.#plan.steps, this.#sight);
  }
}

function moment(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, MOMENT_MS).unref();
  });
}
