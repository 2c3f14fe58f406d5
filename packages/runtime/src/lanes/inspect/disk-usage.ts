import { execFile } from "node:child_process";
import { Semaphore } from "../git/semaphore.ts";

const FRESH_MS = 10 * 60_000;
const LONGEST_MS = 120_000;

/** Measures the disk usage of folders in the background: the first call starts a measurement, later calls return it. */
export class DiskUsage {
  readonly #known = new Map<string, { bytes: number; at: number }>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #slot = new Semaphore(1);

  /** The last measurement. Starts a new one if there is none or it is old. */
  bytes(path: string): number | undefined {
    const known = this.#known.get(path);
    if (!known || Date.now() - known.at > FRESH_MS) void this.measure(path);
    return known?.bytes;
  }

  measure(path: string): Promise<void> {
    const running = this.#underWay.get(path);
    if (running) return running;
    const measuring = this.#slot
      .run(() => measureFolder(path))
      .then((bytes) => {
        if (bytes !== undefined) this.#known.set(path, { bytes, at: Date.now() });
      })
      .finally(() => this.#underWay.delete(path));
    this.#underWay.set(path, measuring);
    return measuring;
  }

  forget(path: string): void {
    this.#known.delete(path);
  }
}

/** In a separate process, so that a large tree does not block the daemon. */
function measureFolder(path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    // du exits with 1 for an unreadable folder and still prints what it counted.
    execFile("du", ["-sk", path], { timeout: LONGEST_MS }, (_error, out) => {
      const [kilobytes] = /^\d+/.exec(out) ?? [];
      resolve(kilobytes === undefined ? undefined : Number(kilobytes) * 1024);
    });
  });
}
