import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import type { PromptStreams } from "../input/prompt.ts";
import { textWidth, truncateText } from "../text/width.ts";
import type { Surface } from "./surface.ts";

export type EditorHandlers = {
  line(text: string): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** Ctrl-D, or the end of input. */
  end(): void;
  /** Tab: the completions of the text before the cursor, each with the part that it replaces. Must not throw. */
  complete?(text: string): Completions;
};

/** `replaced` is the end of the text that each of `matches` replaces. */
export type Completions = { matches: readonly string[]; replaced: string };

const MARK = "› ";
const STATUS_CELLS = 48;

/** An input line at the bottom of the terminal. Output appears above it and does not break up the typed text. */
export class LineEditor implements Surface {
  private readonly reader: Interface;
  private readonly output: NodeJS.WritableStream;
  private closed = false;

  constructor(streams: PromptStreams, handlers: EditorHandlers) {
    this.output = streams.output;
    const completer = (text: string): [string[], string] => {
      const { matches, replaced } = handlers.complete?.(text) ?? { matches: [], replaced: text };
      return [[...matches], replaced];
    };
    this.reader = createInterface({ ...streams, terminal: true, prompt: MARK, completer });
    this.reader.on("line", (text) => {
      this.eraseSubmitted(text);
      handlers.line(text);
      if (!this.closed) this.reader.prompt();
    });
    this.reader.on("SIGINT", () => handlers.interrupt());
    this.reader.on("close", () => {
      if (this.closed) return;
      this.closed = true;
      handlers.end();
    });
    this.reader.prompt();
  }

  commit(lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (!this.closed) this.clear();
    this.output.write(`${lines.join("\n")}\n`);
    if (!this.closed) this.reader.prompt(true);
  }

  /** Shows the last live line as the status, before the input, and the pinned lines above it. */
  live(lines: readonly string[], pinned: readonly string[] = []): void {
    const status = lines.at(-1) ?? "";
    const above = pinned.map((line) => `${truncateText(line, this.columns() - 1)}\n`).join("");
    const prompt = above + (status === "" ? MARK : `${truncateText(status, STATUS_CELLS)} ${MARK}`);
    if (this.closed || prompt === this.reader.getPrompt()) return;
    this.clear();
    this.reader.setPrompt(prompt);
    this.reader.prompt(true);
  }

  /** Inserts text into the line, for editing. */
  prefill(text: string): void {
    this.reader.write(text);
  }

  suspend(): void {}

  resume(): void {}

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.clear();
    this.reader.close();
  }

  /** Erases the submitted line: the transcript shows the message. */
  private eraseSubmitted(text: string): void {
    const lines = (this.reader.getPrompt() + text).split("\n");
    const rows = lines.reduce((sum, line) => sum + Math.floor(textWidth(line) / this.columns()) + 1, 0);
    moveCursor(this.output, 0, -rows);
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
  }

  private columns(): number {
    return (this.output as { columns?: number }).columns ?? 80;
  }

  private clear(): void {
    moveCursor(this.output, 0, -this.reader.getCursorPos().rows);
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
    // Otherwise readline moves up by the rows of the erased prompt again, over lines of the transcript.
    (this.reader as Interface & { prevRows: number }).prevRows = 0;
  }
}
