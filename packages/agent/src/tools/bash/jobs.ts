import { stripVTControlCharacters } from "node:util";
import type { SessionShell, ShellOutcome, ShellRun } from "./shell.ts";

export type Job = {
  id: string;
  command: string;
  /** The tool call that started it. */
  toolCallId?: string;
  status: "running" | "done" | "failed" | "cancelled";
  startedAt: number;
  endedAt?: number;
  /** The latest output while the job runs; the end of the output afterwards. */
  output: string;
  /** A local address that it printed: it serves. */
  url?: string;
  outcome?: ShellOutcome;
};

/** `onStart` and `onEnd` are called once for each job, `onUrl` when it first prints a local address. */
export type JobListener = { onStart?(job: Job): void; onUrl?(job: Job): void; onEnd?(job: Job): void };

const LIVE_CHARS = 20_000;
const URL_CHARS = 500;

/** Commands that run in the background of the conversation. */
export class Jobs {
  readonly #shell: SessionShell;
  readonly #listener: JobListener;
  readonly #most: number;
  readonly #jobs = new Map<string, Job & { stop: AbortController; ended: Promise<void> }>();
  #count = 0;

  constructor(shell: SessionShell, listener: JobListener, most = 100) {
    this.#shell = shell;
    this.#listener = listener;
    this.#most = most;
  }

  /** `undefined` when too many jobs are running. */
  start(command: string, run: Omit<ShellRun, "signal" | "output" | "apart">, toolCallId?: string): Job | undefined {
    if (this.list().filter(({ status }) => status === "running").length >= this.#most) return undefined;
    const stop = new AbortController();
    const id = `job-${++this.#count}`;
    const base: Job = {
      ...{ id, command, status: "running", startedAt: Date.now(), output: "" },
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
    const job = Object.assign(base, { stop, ended: Promise.resolve() });
    const output = (text: string) => {
      // An address may be split between two pieces.
      const url = job.url === undefined ? localUrlIn(job.output.slice(-URL_CHARS) + text) : undefined;
      job.output = (job.output + text).slice(-LIVE_CHARS);
      if (url === undefined) return;
      job.url = url;
      this.#listener.onUrl?.(job);
    };
    this.#listener.onStart?.(job);
    job.ended = this.#shell.run(command, { ...run, signal: stop.signal, output, apart: true }).then((outcome) => {
      const failed = outcome.exitCode !== 0;
      Object.assign(job, { outcome, output: outcome.output, endedAt: Date.now() });
      job.status = outcome.cancelled ? "cancelled" : failed ? "failed" : "done";
      this.#listener.onEnd?.(job);
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

/** Dev servers print where they listen. The address ends at a character that is not part of a URL, so it is complete. */
function localUrlIn(output: string): string | undefined {
  const host = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])`;
  return new RegExp(String.raw`https?://${host}:\d{2,5}(?:/[\w./~-]*)?(?=[^\w./~:-])`, "i").exec(
    stripVTControlCharacters(output),
  )?.[0];
}
