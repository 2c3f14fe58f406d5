import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Publisher } from "../session/api.ts";

const QUIET_MS = 10_000;
/** Less growth is not worth a pause. */
const GROWTH = 16_000_000;

type Options = { quietMs?: number; growth?: number; resident?: () => number; collect?: () => void };

/**
 * Returns memory to the system after a burst: V8 does not collect garbage in an idle process, so a daemon would stay at
 * the size of its largest burst. When no event was stored for a while and the process has grown, `release` drops the
 * caches and the heap is compacted, which takes about 100 ms.
 */
export class IdleMemory implements Partial<Publisher> {
  readonly #release: () => void;
  readonly #options: Required<Options>;
  #floor: number;
  #busy = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(release: () => void, options: Options = {}) {
    this.#release = release;
    this.#options = { quietMs: QUIET_MS, growth: GROWTH, resident: process.memoryUsage.rss, collect, ...options };
    this.#floor = this.#options.resident();
  }

  committed(): void {
    this.#busy = true;
    this.#timer ??= this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): NodeJS.Timeout {
    this.#busy = false;
    return setTimeout(() => this.#look(), this.#options.quietMs).unref();
  }

  #look(): void {
    this.#timer = this.#busy ? this.#wait() : undefined;
    const { resident, growth } = this.#options;
    if (this.#timer || resident() < this.#floor + growth) return;
    this.#release();
    this.#options.collect();
    this.#floor = resident();
  }
}

/** V8 has a function for it that Node does not export. `last-resort` also gives empty pages back to the system. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc: (options: object) => void = runInNewContext("gc");
  gc({ type: "major", flavor: "last-resort" });
}
