import type { Delta, OpenItem } from "@gantry/protocol";

/**
 * The message that currently streams. Returns each line once, when it is complete, so that an answer scrolls like any other
 * output. `partial` is the unfinished last line.
 */
export class StreamedText {
  private item: string | undefined;
  private text = "";
  private returned = 0;

  /** Adds a delta and returns the lines that are now complete. Ignores deltas of a second message: `finish` returns its text. */
  add(delta: Pick<Delta, "item" | "offset" | "text">): string[] {
    if (this.item === undefined && delta.offset === 0) this.item = delta.item;
    if (delta.item !== this.item) return [];
    if (delta.offset > this.text.length) return [];
    this.text += delta.text.slice(this.text.length - delta.offset);
    return this.completeLines();
  }

  /** Adds the text of an open item from a snapshot, for a client that connects during a message. */
  restore(open: OpenItem): string[] {
    if (open.channel !== "text" || open.text.length !== open.length) return [];
    return this.add({ item: open.item, offset: 0, text: open.text });
  }

  /** Ends the message. Returns its remaining lines, or all lines with `again` if the text differs from the lines returned so far. */
  finish(item: string, text: string): { lines: string[]; again: boolean } {
    if (item !== this.item) return { lines: text.split("\n"), again: false };
    const shown = this.text.slice(0, this.returned);
    this.drop();
    if (!text.startsWith(shown)) return { lines: text.split("\n"), again: true };
    const rest = text.slice(shown.length);
    return { lines: rest === "" ? [] : rest.split("\n"), again: false };
  }

  /** Whether any line of the open message was returned. */
  get begun(): boolean {
    return this.returned > 0;
  }

  get openItem(): string | undefined {
    return this.item;
  }

  /** The unfinished last line. */
  get partial(): string {
    return this.text.slice(this.returned);
  }

  /** Discards the open message. */
  drop(): void {
    this.item = undefined;
    this.text = "";
    this.returned = 0;
  }

  private completeLines(): string[] {
    const end = this.text.lastIndexOf("\n");
    if (end < this.returned) return [];
    const lines = this.text.slice(this.returned, end).split("\n");
    this.returned = end + 1;
    return lines;
  }
}
