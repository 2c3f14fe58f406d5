import type { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/**
 * Lines of Markdown as a terminal shows them, one at a time: whatever comes later changes nothing that was printed. The
 * words stay as they are, so that what is copied is what was said.
 */
export class MarkdownLines {
  #fence: string | undefined;

  /** Code and tables: breaking their lines would make something else of them. */
  verbatim(text: string): boolean {
    return this.#fence !== undefined || /^\s*(```|~~~|\|)/.test(text);
  }

  line(text: string, paint: Paint): string {
    const fence = /^\s*(```+|~~~+)/.exec(text)?.[1];
    if (fence !== undefined && (this.#fence === undefined || text.trim() === this.#fence)) {
      this.#fence = this.#fence === undefined ? fence : undefined;
      return paint("dim", text);
    }
    if (this.#fence !== undefined) return paint("cyan", text);
    if (/^#{1,6}\s/.test(text)) return paint("bold", text);
    if (/^\s*>/.test(text)) return paint("dim", text);
    return text
      .replace(/^(\s*)([-*+]|\d+[.)])(?=\s)/, (_, indent: string, sign: string) => indent + paint("cyan", sign))
      .replace(/`[^`]+`/g, (code) => paint("cyan", code))
      .replace(/\*\*[^*\s](?:[^*]*[^*\s])?\*\*/g, (bold) => paint("bold", bold));
  }

  /** Another text begins: a fence that nobody closed ends with the text that it was in. */
  reset(): void {
    this.#fence = undefined;
  }
}
