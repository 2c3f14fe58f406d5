import { execFile } from "node:child_process";
import { Gate } from "../git/gate.ts";

const FRESH_MS = 10 * 60_000;
const LONGEST_MS = 120_000;

/** How much room folders take. Nobody waits for it: the first look begins the measuring, a later one has the answer. */
export class Disk {
  readonly #known = new Map<string, { bytes: number; at: number }>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #gate = new Gate(1);

  /** What is known now. Begins to measure when that is nothing, or old. */
  bytes(path: string): number | undefined {
    const known = this.#known.get(path);
    if (!known || Date.now() - known.at > FRESH_MS) void this.measure(path);
    return known?.bytes;
  }

  measure(path: string): Promise<void> {
    const running = this.#underWay.get(path);
    if (running) return running;
    const measuring = this.#gate
      .pass(() => used(path))
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

/** In a process of its own, so that a large tree does not hold up the daemon. */
function used(path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    // It ends with 1 where it may not read a folder; what it has counted is printed all the same.
    execFile("du", ["-sk", path], { timeout: LONGEST_MS }, (_error, out) => {
      const [kilobytes] = /^\d+/.exec(out) ?? [];
      resolve(kilobytes === undefined ? undefined : Number(kilobytes) * 1024);
    });
  });
}
