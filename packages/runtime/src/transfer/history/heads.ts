import type { ConversationHead, HeadCache } from "../../agents/contract.ts";

const MAX_ENTRIES = 20_000;

/** Caches the heads of files until the files change. */
export class Heads implements HeadCache {
  readonly #known = new Map<string, { stamp: string; head: ConversationHead | undefined }>();

  recall(path: string, stamp: string): { hit: boolean; head?: ConversationHead } {
    const known = this.#known.get(path);
    return known?.stamp === stamp ? { hit: true, ...(known.head ? { head: known.head } : {}) } : { hit: false };
  }

  store(path: string, stamp: string, head: ConversationHead | undefined): void {
    if (this.#known.size >= MAX_ENTRIES) this.#known.clear();
    this.#known.set(path, { stamp, head });
  }
}
