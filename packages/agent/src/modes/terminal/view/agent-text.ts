import { stripControls, type Theme } from "@gantry/terminal";
import { MarkdownBlocks, renderMarkdown, renderPart } from "@gantry/terminal/transcript";

/** The Markdown of a streamed answer: complete blocks are returned once, the open one is the tail. */
export class AgentText {
  readonly #blocks = new MarkdownBlocks();
  readonly #theme: Theme;
  readonly #width: () => number;

  constructor(theme: Theme, width: () => number) {
    this.#theme = theme;
    this.#width = width;
  }

  add(delta: string): string[] {
    return this.#rows(this.#blocks.add(stripControls(delta)));
  }

  finish(): string[] {
    return this.#rows(this.#blocks.finish());
  }

  /** The rows of what is not complete yet. */
  tail(): string[] {
    return this.#rows(this.#blocks.openWith(""));
  }

  render(text: string): string[] {
    return renderMarkdown(stripControls(text).trim(), this.#width(), this.#theme);
  }

  #rows(parts: ReturnType<MarkdownBlocks["add"]>): string[] {
    return parts.flatMap((part) => renderPart(part, this.#width(), this.#theme));
  }
}
