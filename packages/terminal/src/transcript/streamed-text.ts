import type { Delta, OpenItem } from "@gantry/protocol";

/**
 * The one message that is being written right now. Whole lines are handed out for good as they are complete, so that
 * an answer scrolls like any other output; what is left of it is the unfinished last line.
 */
export class StreamedText {
  private item: string | undefined;
  private text = "";
  private handedOut = 0;

  /** A piece of a message; returns the lines that are now complete. Pieces of a second message wait for its end. */
  add(delta: Pick<Delta, "item" | "offset" | "text">): string[] {
    if (this.item === undefined && delta.offset === 0) this.item = delta.item;
    if (delta.item !== this.item) return [];
    if (delta.offset > this.text.length) return [];
    this.text += delta.text.slice(this.text.length - delta.offset);
    return this.completeLines();
  }

  /** What an open item holds already, when we come in the middle. */
  restore(open: OpenItem): string[] {
    if (open.channel !== "text" || open.text.length !== open.length) return [];
    return this.add({ item: open.item, offset: 0, text: open.text });
  }

  /** Ends the message. Returns its remaining lines, or all lines with `again` when the text differs from what was shown. */
  finish(item: string, text: string): { lines: string[]; again: boolean } {
    if (item !== this.item) return { lines: text.split("\n"), again: false };
    const shown = this.text.slice(0, this.handedOut);
    this.drop();
    if (!text.startsWith(shown)) return { lines: text.split("\n"), again: true };
    const rest = text.slice(shown.length);
    return { lines: rest === "" ? [] : rest.split("\n"), again: false };
  }

  /** Was any of the open message handed out already? */
  get begun(): boolean {
    return this.handedOut > 0;
  }

  get openItem(): string | undefined {
    return this.item;
  }

  /** The unfinished last line. */
  get partial(): string {
    return this.text.slice(this.handedOut);
  }

  /** The open message was thrown away. */
  drop(): void {
    this.item = undefined;
    this.text = "";
    this.handedOut = 0;
  }

  private completeLines(): string[] {
    const end = this.text.lastIndexOf("\n");
    if (end < this.handedOut) return [];
    const lines = this.text.slice(this.handedOut, end).split("\n");
    this.handedOut = end + 1;
    return lines;
  }
}
