import type { ConversationHead, HeadCache } from "../../agents/contract.ts";

const KEPT = 20_000;

/** What the heads of files said, for as long as the files do not change. */
export class Heads implements HeadCache {
  readonly #known = new Map<string, { stamp: string; head: ConversationHead | undefined }>();

  recall(path: string, stamp: string): { hit: boolean; head?: ConversationHead } {
    const known = this.#known.get(path);
    return known?.stamp === stamp ? { hit: true, ...(known.head ? { head: known.head } : {}) } : { hit: false };
  }

  store(path: string, stamp: string, head: ConversationHead | undefined): void {
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(path, { stamp, head });
  }
}
