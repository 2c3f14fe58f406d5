import type { HeadMemory, PastHead } from "../../agents/contract.ts";

const KEPT = 20_000;

/** What the heads of files said, for as long as the files do not change. */
export class Heads implements HeadMemory {
  readonly #known = new Map<string, { stamp: string; head: PastHead | undefined }>();

  recall(path: string, stamp: string): { hit: boolean; head?: PastHead } {
    const known = this.#known.get(path);
    return known?.stamp === stamp ? { hit: true, ...(known.head ? { head: known.head } : {}) } : { hit: false };
  }

  keep(path: string, stamp: string, head: PastHead | undefined): void {
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(path, { stamp, head });
  }
}
