import { Lexer, type Token, type Tokens } from "marked";
import type { Paint } from "../text/paint.ts";
import { wrapText } from "../text/width.ts";

/** Longer lines are not parsed for emphasis: it takes quadratic time. */
const LONGEST_PARSED = 2_000;

export type MarkdownOptions = {
  paint: Paint;
  /** Keeps the marks of headings, lists and emphasis, so that copied text is the original. */
  keepMarks?: boolean;
};

/**
 * Styles Markdown line by line, because a printed line cannot be changed when a later one arrives: fences, headings,
 * quotes and lists are recognised per line, and marked parses the text inside a line. Without colour the text stays
 * unchanged.
 */
export class MarkdownLines {
  readonly #paint: Paint;
  readonly #keepMarks: boolean;
  #fence: string | undefined;

  constructor({ paint, keepMarks = false }: MarkdownOptions) {
    this.#paint = paint;
    this.#keepMarks = keepMarks || !paint.enabled;
  }

  /** The styled rows of a line. Code and tables are not wrapped. Without a width nothing is. */
  render(line: string, width?: number): string[] {
    const isVerbatim = this.#fence !== undefined || /^\s*(```|~~~|\|)/.test(line);
    const styled = this.#style(line);
    return width === undefined || isVerbatim ? [styled] : wrapText(styled, width);
  }

  /** Starts a new text and ends an unclosed fence. */
  reset(): void {
    this.#fence = undefined;
  }

  #style(line: string): string {
    const paint = this.#paint;
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined && (this.#fence === undefined || isClosing(line, this.#fence))) {
      this.#fence = this.#fence === undefined ? fence : undefined;
      return paint.dim(line);
    }
    if (this.#fence !== undefined) return paint.cyan(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (heading) return paint.bold(this.#keepMarks ? line : (heading[1] ?? ""));
    if (/^\s*>/.test(line)) return paint.dim(line);
    const item = /^(\s*)([-*+]|\d+[.)])(\s+)(.*)$/.exec(line);
    if (!item) return this.#renderInline(line);
    const [, indent = "", mark = "", gap = "", text = ""] = item;
    const isNumber = /^\d/.test(mark);
    const shown = this.#keepMarks || isNumber ? mark : "•";
    return indent + paint.cyan(shown) + gap + this.#renderInline(text);
  }

  #renderInline(line: string): string {
    if (!this.#paint.enabled || line.length > LONGEST_PARSED) return line;
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    return indent + this.#tokens(Lexer.lexInline(line.slice(indent.length)));
  }

  #tokens(tokens: readonly Token[]): string {
    return tokens.map((token) => this.#token(token)).join("");
  }

  #token(token: Token): string {
    const paint = this.#paint;
    switch (token.type) {
      case "codespan":
        return paint.cyan(this.#keepMarks ? token.raw : (token as Tokens.Codespan).text);
      case "strong":
        return paint.bold(this.#renderEmphasis(token as Tokens.Strong));
      case "em":
        return paint.italic(this.#renderEmphasis(token as Tokens.Em));
      case "escape":
        return this.#keepMarks ? token.raw : (token as Tokens.Escape).text;
      default:
        return token.raw;
    }
  }

  /** The styled content of an emphasis, with its marks if `keepMarks` is set. */
  #renderEmphasis(token: Tokens.Strong | Tokens.Em): string {
    const content = this.#tokens(token.tokens);
    if (!this.#keepMarks) return content;
    const length = token.type === "strong" ? 2 : 1;
    return token.raw.slice(0, length) + content + token.raw.slice(-length);
  }
}

/** Whether a line closes a fence: the same character, at least as often, and nothing else. */
function isClosing(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && text.replaceAll(fence.charAt(0), "") === "";
}
