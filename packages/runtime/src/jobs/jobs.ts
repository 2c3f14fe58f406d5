import { GantryError } from "@gantry/protocol";
import type { Records, Store } from "../log/port.ts";
import type { Job, JobError, Plan } from "./job.ts";

export type JobsDeps = {
  store: Store;
  now: () => string;
  log: (line: string) => void;
  /** Called right before and right after each step; tests end the process there. */
  onStep?: (where: string) => void;
};

const UNDO = "undo";

/** Every job of the daemon. Plans are registered before `resume`, which continues the jobs of an earlier daemon. */
export class Jobs {
  readonly #deps: JobsDeps;
  readonly #records: Records<Job<unknown>>;
  readonly #plans = new Map<string, Plan<unknown>>();
  readonly #underWay = new Map<string, Promise<Job<unknown>>>();
  #stopped = false;

  constructor(deps: JobsDeps) {
    this.#deps = deps;
    this.#records = deps.store.records("job");
  }

  register<Data>(plan: Plan<Data>): void {
    this.#plans.set(plan.kind, plan as Plan<unknown>);
  }

  /** Continues every unfinished job. Does not wait for them; see `waitForEnd`. */
  resume(): number {
    const open = this.#records.list().filter((job) => !isOver(job) && this.#plans.has(job.kind));
    for (const job of open) void this.#go(job);
    return open.length;
  }

  /** The job is durable when this returns, and runs in the background. Idempotent by id. */
  start<Data>(kind: string, id: string, data: Data): Job<Data> {
    const known = this.get<Data>(id);
    if (known) return known;
    const at = this.#deps.now();
    const job: Job<Data> = { id, kind, state: "running", at: 0, data, createdAt: at, updatedAt: at };
    this.#records.put(id, job);
    void this.#go(job);
    return job;
  }

  get<Data>(id: string): Job<Data> | undefined {
    return this.#records.get(id) as Job<Data> | undefined;
  }

  list<Data>(kind: string): Job<Data>[] {
    return this.#records.list().filter((job) => job.kind === kind) as Job<Data>[];
  }

  /** The job as it ended. Resolves for a failed one too; throws only for one that does not exist. */
  async waitForEnd<Data>(id: string): Promise<Job<Data>> {
    const job = (await this.#underWay.get(id)) ?? this.get(id);
    if (!job) throw new Error(`there is no job ${id}`);
    return job as Job<Data>;
  }

  /** The data of a job that went well; throws what made it fail. */
  async outcome<Data>(id: string): Promise<Data> {
    const { state, data, error } = await this.waitForEnd<Data>(id);
    if (state !== "failed" || !error) return data;
    const { code, message, remedy, details } = error;
    throw new GantryError(code as GantryError["code"], message, { remedy, details });
  }

  forget(id: string): void {
    this.#records.delete(id);
  }

  /** Starts no further step; the next daemon continues. Resolves when the running steps are done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#underWay.values());
  }

  #go(job: Job<unknown>): Promise<Job<unknown>> {
    const running = this.#run(job).finally(() => this.#underWay.delete(job.id));
    this.#underWay.set(job.id, running);
    return running;
  }

  async #run(begun: Job<unknown>): Promise<Job<unknown>> {
    const plan = this.#plans.get(begun.kind);
    let job = begun;
    while (plan && !isOver(job) && !this.#stopped) job = await this.#next(plan, job);
    return job;
  }

  async #next(plan: Plan<unknown>, job: Job<unknown>): Promise<Job<unknown>> {
    if (job.state === "undoing") return this.#undo(plan, job);
    const step = plan.steps[job.at];
    if (!step) return this.#keep(job, { state: "done" });
    try {
      const more = await this.#runStep(job, step.name, () => step.run(job.data));
      return this.#keep(job, { at: job.at + 1, data: mergeData(job.data, more) });
    } catch (error) {
      return this.#keep(job, { state: "undoing", error: toJobError(error) });
    }
  }

  async #undo(plan: Plan<unknown>, job: Job<unknown>): Promise<Job<unknown>> {
    const error = job.error ?? toJobError(new Error("unknown"));
    try {
      const more = await this.#runStep(job, UNDO, async () => plan.undo?.(job.data, error));
      return this.#keep(job, { state: "failed", data: mergeData(job.data, more) });
    } catch (second) {
      this.#deps.log(`${job.id}: could not be taken back: ${(second as Error).stack ?? second}`);
      const message = `${error.message} Not all of it could be taken back: ${(second as Error).message}`;
      return this.#keep(job, { state: "failed", error: { ...error, message } });
    }
  }

  async #runStep<Result>(job: Job<unknown>, step: string, run: () => Promise<Result>): Promise<Result> {
    this.#deps.onStep?.(`${job.kind}:${step}:before`);
    const result = await run();
    this.#deps.onStep?.(`${job.kind}:${step}:after`);
    return result;
  }

  #keep(job: Job<unknown>, change: Partial<Job<unknown>>): Job<unknown> {
    const next = { ...job, ...change, updatedAt: this.#deps.now() };
    this.#records.put(job.id, next);
    return next;
  }
}

function isOver({ state }: Job<unknown>): boolean {
  return state === "done" || state === "failed";
}

function mergeData(data: unknown, more: unknown): unknown {
  return more ? { ...(data as object), ...more } : data;
}

/** A `GantryError` is shown unchanged; any other error is reported as a bug of Gantry. */
function toJobError(error: unknown): JobError {
  if (error instanceof GantryError) {
    const { code, message, remedy, details } = error;
    return { code, message, ...(remedy ? { remedy } : {}), ...(details === undefined ? {} : { details }) };
  }
  return { code: "internal", message: (error as Error).message };
}
