import type { Update } from "./update.ts";

/**
 * The text of open items, as far as the client has it. Deltas may be missing, repeated or late: the durable text decides, and
 * each character is sent once.
 */
export class TextStreams {
  readonly #sent = new Map<string, string>();

  /** A chunk at `offset`. A chunk after a gap is dropped; the end of the item has its text. */
  add(of: "text" | "thought", id: string, offset: number, text: string): Update[] {
    const sent = this.#sent.get(key(of, id)) ?? "";
    if (offset > sent.length) return [];
    const rest = text.slice(sent.length - offset);
    if (rest === "") return [];
    this.#sent.set(key(of, id), sent + rest);
    return [{ kind: of, id, text: rest }];
  }

  /** The item is complete: what the client does not have yet. */
  end(of: "text" | "thought", id: string, text: string): Update[] {
    const sent = this.#sent.get(key(of, id)) ?? "";
    this.#sent.delete(key(of, id));
    if (!text.startsWith(sent)) return [{ kind: "replaced", of, id, text }];
    return text === sent ? [] : [{ kind: of, id, text: text.slice(sent.length) }];
  }

  /** Whether the client has text of an open item. */
  has(of: "text" | "thought", id: string): boolean {
    return this.#sent.has(key(of, id));
  }

  /** The item was discarded. */
  drop(id: string, reason: string | undefined): Update[] {
    const kinds = (["text", "thought"] as const).filter((of) => this.#sent.delete(key(of, id)));
    return kinds.map((of) => ({ kind: "retracted", of, id, ...(reason ? { reason } : {}) }));
  }
}

function key(of: string, id: string): string {
  return `${of} ${id}`;
}
