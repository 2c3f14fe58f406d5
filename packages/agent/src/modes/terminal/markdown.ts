import type { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/**
 * Styles Markdown line by line: later lines never change printed ones. The text itself stays unchanged, so that copied
 * text is the original.
 */
export class MarkdownLines {
  #fence: string | undefined;

  /** Whether a line is code or a table, which must not be wrapped. */
  isVerbatim(text: string): boolean {
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

  /** Starts a new text and ends an unclosed fence. */
  reset(): void {
    this.#fence = undefined;
  }
}
