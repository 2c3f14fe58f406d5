import type { SessionShell, ShellOutcome, ShellRun } from "./shell.ts";

export type Job = {
  id: string;
  command: string;
  status: "running" | "done" | "failed" | "cancelled";
  startedAt: number;
  endedAt?: number;
  /** The latest output while the job runs; the end of the output afterwards. */
  output: string;
  outcome?: ShellOutcome;
};

const LIVE_CHARS = 20_000;

/** Commands that run in the background of the conversation. `onEnd` is called once for each command that ends without being stopped. */
export class Jobs {
  readonly #shell: SessionShell;
  readonly #onEnd: (job: Job) => void;
  readonly #most: number;
  readonly #jobs = new Map<string, Job & { stop: AbortController; ended: Promise<void> }>();
  #count = 0;

  constructor(shell: SessionShell, onEnd: (job: Job) => void, most = 100) {
    this.#shell = shell;
    this.#onEnd = onEnd;
    this.#most = most;
  }

  /** `undefined` when too many jobs are running. */
  start(command: string, run: Omit<ShellRun, "signal" | "output" | "apart">): Job | undefined {
    if (this.list().filter(({ status }) => status === "running").length >= this.#most) return undefined;
    const stop = new AbortController();
    const id = `job-${++this.#count}`;
    const base: Job = { id, command, status: "running", startedAt: Date.now(), output: "" };
    const job = Object.assign(base, { stop, ended: Promise.resolve() });
    const output = (text: string) => {
      job.output = (job.output + text).slice(-LIVE_CHARS);
    };
    job.ended = this.#shell.run(command, { ...run, signal: stop.signal, output, apart: true }).then((outcome) => {
      const failed = outcome.exitCode !== 0;
      Object.assign(job, { outcome, output: outcome.output, endedAt: Date.now() });
      job.status = outcome.cancelled ? "cancelled" : failed ? "failed" : "done";
      if (!outcome.cancelled) this.#onEnd(job);
    });
    this.#jobs.set(id, job);
    return job;
  }

  list(): Job[] {
    return [...this.#jobs.values()];
  }

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** Resolves when one of the jobs has ended, the time is up or the signal is aborted. */
  async wait(ids: readonly string[], milliseconds: number, signal: AbortSignal): Promise<void> {
    const jobs = ids.flatMap((id) => this.#jobs.get(id) ?? []);
    if (jobs.some(({ status }) => status !== "running") || jobs.length === 0 || signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    let onAbort: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
      onAbort = resolve;
      signal.addEventListener("abort", onAbort, { once: true });
    });
    await Promise.race([over, ...jobs.map(({ ended }) => ended)]);
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }

  async cancel(id: string): Promise<Job | undefined> {
    const job = this.#jobs.get(id);
    job?.stop.abort();
    await job?.ended;
    return job;
  }
}
