import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 10;
const TICK_MS = 10;

/**
 * Measures how long the daemon keeps a request for `/v1/health` waiting with its own work. On a loaded machine a process
 * also waits for a core, so that only the processor time which the daemon used during the request counts.
 */
export class HealthMonitor {
  #longestMs = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(url: string, pid: number) {
    this.#running = this.#run(`${url}/v1/health`, pid);
  }

  /** The longest wait. */
  async stop(): Promise<number> {
    this.#stopped = true;
    await this.#running;
    return this.#longestMs;
  }

  async #run(url: string, pid: number): Promise<void> {
    while (!this.#stopped) {
      const [start, used] = [performance.now(), processorMs(pid)];
      const answered = await fetch(url).then(
        (response) => response.text(),
        () => undefined,
      );
      const waitMs = Math.min(performance.now() - start, processorMs(pid) - used);
      if (answered !== undefined) this.#longestMs = Math.max(this.#longestMs, waitMs);
      await sleep(PAUSE_MS);
    }
  }
}

/** The processor time of a process since its start; 0 if it has ended. */
function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
