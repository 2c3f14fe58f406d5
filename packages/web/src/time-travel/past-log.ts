import type { Envelope } from "@gantry/protocol";

/** Loads events of a log after a position. May throw. */
export type LoadEvents = (after: number, limit: number) => Promise<readonly Envelope[]>;

export const PAGE = 200;
const MAX_PAGES = 40;

/**
 * Pages of a log, loaded when a moment needs them. The log only grows, so a full page never changes. The last pages that
 * were used are stored, so that a slider moves without requests.
 */
export class PastLog {
  readonly #load: LoadEvents;
  readonly #pages = new Map<number, Promise<readonly Envelope[]>>();

  constructor(load: LoadEvents) {
    this.#load = load;
  }

  /** The events up to `seq`, from the last `pages` pages. Throws what the request throws; the next call retries. */
  async until(seq: number, pages: number): Promise<Envelope[]> {
    const last = Math.floor((seq - 1) / PAGE);
    const first = Math.max(0, last - pages + 1);
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const loaded = await Promise.all(numbers.map((page) => this.#page(page, seq)));
    return loaded.flat().filter((event) => event.seq <= seq);
  }

  async #page(page: number, seq: number): Promise<readonly Envelope[]> {
    const known = await this.#pages.get(page);
    const needed = Math.min(seq, (page + 1) * PAGE) - page * PAGE;
    if (known && known.length >= needed) return known;
    const loading = this.#load(page * PAGE, PAGE);
    this.#pages.delete(page);
    this.#pages.set(page, loading);
    for (const old of [...this.#pages.keys()].slice(0, -MAX_PAGES)) this.#pages.delete(old);
    loading.catch(() => this.#pages.delete(page));
    return loading;
  }
}
