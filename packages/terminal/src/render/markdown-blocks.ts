import { Lexer, type Token, type Tokens } from "marked";

/** A part of a message that is complete and can be shown. `gap`: an empty row separates it from the part before. */
export type MarkdownPart = { gap: boolean } & (
  | { kind: "text"; text: string }
  /** Lines of a code block. `before`: its lines in earlier parts, which the highlighter needs. */
  | { kind: "code"; language: string | undefined; code: string; before: string }
);

/** A longer open block of code is released in parts of this many lines. */
const CODE_LINES = 40;

/**
 * Splits a message that streams into parts that no later text can change: blocks of Markdown, items of a list, runs of
 * code. Each part is returned once. `openWith` renders the rest.
 */
export class MarkdownBlocks {
  #rest = "";
  #isFirst = true;
  /** The white space after the last item of the open list. */
  #itemEnd: string | undefined;
  /** An open code block of which lines were returned. */
  #code: { fence: string; language: string | undefined; before: string } | undefined;

  /** Adds text and returns the parts that are now complete. */
  add(text: string): MarkdownPart[] {
    this.#rest += text;
    return text.includes("\n") ? this.#take(false) : [];
  }

  /** Returns everything that is left and starts again. */
  finish(): MarkdownPart[] {
    const parts = this.#take(true);
    this.#rest = "";
    this.#isFirst = true;
    this.#itemEnd = undefined;
    this.#code = undefined;
    return parts;
  }

  /** The parts of the unfinished block with the text of its unfinished line, as they look now. */
  openWith(line: string): MarkdownPart[] {
    const copy = new MarkdownBlocks();
    copy.#rest = this.#rest + line;
    copy.#isFirst = this.#isFirst;
    copy.#itemEnd = this.#itemEnd;
    copy.#code = this.#code && { ...this.#code };
    return copy.#take(true);
  }

  #take(isEnd: boolean): MarkdownPart[] {
    const parts = this.#code ? this.#continueCode(isEnd) : [];
    if (this.#code) return parts;
    const tokens = Lexer.lex(this.#rest);
    const last = tokens.findLastIndex((token) => token.type !== "space");
    for (const [index, token] of tokens.entries()) {
      const isOpen = !isEnd && index >= last && !isClosed(token, tokens[index + 1]);
      if (isOpen) {
        parts.push(...this.#takeFrom(token));
        break;
      }
      this.#rest = this.#rest.slice(token.raw.length);
      if (token.type !== "space") parts.push(...this.#whole(token));
    }
    return parts;
  }

  /** What can be shown of the open last block. */
  #takeFrom(token: Token): MarkdownPart[] {
    if (token.type === "list") return this.#takeItems(token as Tokens.List);
    const fence = token.type === "code" ? /^ {0,3}(`{3,}|~{3,})/.exec(token.raw)?.[1] : undefined;
    if (fence === undefined || token.raw.split("\n").length <= CODE_LINES + 1) return [];
    this.#code = { fence, language: (token as Tokens.Code).lang || undefined, before: "" };
    this.#rest = this.#rest.slice(this.#rest.indexOf("\n") + 1);
    return this.#continueCode(false);
  }

  #takeItems({ items }: Tokens.List): MarkdownPart[] {
    const finished = items.slice(0, -1);
    for (const { raw } of finished) this.#rest = this.#rest.slice(raw.length);
    return this.#items(finished);
  }

  /** One part for each item. An empty line between two items is a gap. */
  #items(items: readonly Tokens.ListItem[]): MarkdownPart[] {
    return items.map(({ raw }) => {
      const gap = this.#itemEnd === undefined ? this.#gap() : /\n[ \t]*\n/.test(this.#itemEnd);
      this.#itemEnd = /\s*$/.exec(raw)?.[0] ?? "";
      return { ...this.#text(raw.trimEnd()), gap };
    });
  }

  /** The next lines of the open code block; at its closing fence, all of them. */
  #continueCode(isEnd: boolean): MarkdownPart[] {
    const code = this.#code;
    if (!code) return [];
    const lines = this.#rest.split("\n");
    const closing = lines.findIndex((line, index) => closes(line, code.fence) && (isEnd || index < lines.length - 1));
    if (closing >= 0) {
      this.#rest = lines.slice(closing + 1).join("\n");
      this.#code = undefined;
      return closing === 0 ? [] : [this.#codePart(code, lines.slice(0, closing))];
    }
    const ready = isEnd ? lines.length : lines.length - 1;
    if (!isEnd && ready < CODE_LINES) return [];
    this.#rest = lines.slice(ready).join("\n");
    const shown = lines.slice(0, ready);
    const part = this.#codePart(code, shown);
    this.#code = { ...code, before: shown.join("\n") };
    return ready === 0 || (ready === 1 && shown[0] === "") ? [] : [part];
  }

  #codePart(code: { language: string | undefined; before: string }, lines: string[]): MarkdownPart {
    const gap = code.before === "" && this.#gap();
    return { kind: "code", language: code.language, code: lines.join("\n"), before: code.before, gap };
  }

  #whole(token: Token): MarkdownPart[] {
    if (token.type === "list") {
      const parts = this.#items((token as Tokens.List).items);
      this.#itemEnd = undefined;
      return parts;
    }
    const gap = this.#gap();
    if (token.type !== "code" || !/^ {0,3}(`{3,}|~{3,})/.test(token.raw)) {
      return [{ ...this.#text(token.raw.replace(/\n+$/, "")), gap }];
    }
    const { text, lang } = token as Tokens.Code;
    return [{ kind: "code", language: lang || undefined, code: text, before: "", gap }];
  }

  #text(text: string): MarkdownPart & { kind: "text" } {
    return { kind: "text", text, gap: false };
  }

  #gap(): boolean {
    const gap = !this.#isFirst;
    this.#isFirst = false;
    return gap;
  }
}

/** Whether no later text can belong to the block. */
function isClosed(token: Token, next: Token | undefined): boolean {
  if (token.type === "space" || token.type === "hr" || token.type === "heading") return token.raw.endsWith("\n");
  if (token.type === "code") return /\n {0,3}(`{3,}|~{3,}) *\n*$/.test(token.raw) && token.raw.endsWith("\n");
  return (token.type === "paragraph" || token.type === "table") && next?.type === "space";
}

function closes(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && text.replaceAll(fence.charAt(0), "") === "";
}
