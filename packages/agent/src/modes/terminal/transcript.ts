import { styleText } from "node:util";
import type { AgentEvent } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";
import { MarkdownLines } from "./markdown.ts";
import { stripControls, wordRows } from "./screen.ts";

type Style = Parameters<typeof styleText>[0];
const FOLDED = 4;
/** Tools that number lines for the model. */
const ANCHORED: ReadonlySet<string> = new Set(["read", "grep"]);

/** What has to be printed for good, and what still changes. */
export type Shown = { lines: string[]; tail: string; tailStyle?: Style; running: string[] };

/** Turns the events of a session into lines. Text is printed line by line as it comes; its last piece is the tail. */
export class TranscriptView {
  expanded = false;
  thinking = true;
  readonly #colour: boolean;
  readonly #width: () => number;
  readonly #cwd: string;
  #tail = "";
  #tailStyle: Style | undefined;
  readonly #running = new Map<string, string>();
  readonly #markdown = new MarkdownLines();

  /** `width`: of the terminal at this moment; words are not broken at its border. */
  constructor(colour: boolean, width: () => number = () => Number.POSITIVE_INFINITY, cwd = "/") {
    this.#colour = colour;
    this.#width = width;
    this.#cwd = cwd;
  }

  /** Prose for this terminal, in one style. */
  prose(text: string, style?: Style): string[] {
    return wordRows(text, this.#width()).map((row) => this.paint(style, row));
  }

  paint(style: Style | undefined, text: string): string {
    return this.#colour && style ? styleText(style, text, { validateStream: false }) : text;
  }

  show(event: AgentEvent): Shown {
    const lines = this.#lines(event);
    const style = this.#tailStyle ? { tailStyle: this.#tailStyle } : {};
    return { lines, tail: this.#tail, ...style, running: [...this.#running.values()] };
  }

  #lines(event: AgentEvent): string[] {
    switch (event.type) {
      case "message_start":
        return event.message.role === "assistant" ? [""] : this.#message(event.message);
      case "message_update":
        return this.#piece(event.piece);
      case "message_end":
        return this.#endLine();
      case "tool_execution_start":
        this.#running.set(event.toolCallId, this.paint("cyan", `◌ ${event.toolName} ${brief(event.args, this.#cwd)}`));
        return [];
      case "tool_execution_end": {
        const started = this.#running.get(event.toolCallId) ?? event.toolName;
        this.#running.delete(event.toolCallId);
        const words = event.result.content
          .map((block) => (block.type === "text" ? block.text : "[picture]"))
          .join("\n");
        const mark = event.isError ? this.paint("red", "✗") : this.paint("green", "✓");
        return [
          started.replace("◌", mark),
          ...this.#folded(ANCHORED.has(event.toolName) ? withoutAnchors(words) : words),
        ];
      }
      case "auto_retry_start":
        return [
          this.paint("yellow", `Again in ${Math.round(event.delayMs / 1000)} s: ${stripControls(event.errorMessage)}`),
        ];
      case "auto_compaction_start":
        return [this.paint("dim", "Making room: the conversation is summed up …")];
      case "model_changed":
        return [this.paint("dim", `Model: ${event.model}, thinking ${event.thinkingLevel}`)];
      case "notice":
        return [this.paint(event.level === "error" ? "red" : "yellow", stripControls(event.message))];
      case "agent_settled":
        return event.reason === "completed"
          ? []
          : [this.paint("red", stripControls(event.errorMessage ?? `Ended: ${event.reason}`))];
      default:
        return [];
    }
  }

  /** A message that is there as a whole, as at the beginning of a session that goes on. */
  whole(message: AgentMessage): string[] {
    if (message.role !== "assistant") return this.#message(message);
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    this.#markdown.reset();
    const calls = message.content.flatMap((block) =>
      block.type === "toolCall" ? [this.paint("dim", `· ${block.name} ${brief(block.arguments, this.#cwd)}`)] : [],
    );
    const said =
      text === ""
        ? []
        : stripControls(text)
            .split("\n")
            .flatMap((line) => this.#said(undefined, line));
    return said.length + calls.length === 0 ? [] : ["", ...said, ...calls];
  }

  /** A command of the user, with what it printed. */
  ran(command: string, output: string, exitCode: number | undefined): string[] {
    const status = exitCode ? this.paint("red", ` (${exitCode})`) : "";
    return ["", this.paint("bold", `! ${stripControls(command)}`) + status, ...this.#folded(output)];
  }

  #message(message: AgentMessage): string[] {
    if (message.role === "user") {
      const { content } = message;
      const text =
        typeof content === "string"
          ? content
          : content.map((block) => ("text" in block ? block.text : "[picture]")).join("\n");
      return [
        "",
        ...stripControls(text)
          .split("\n")
          .map((line) => this.paint("bold", `› ${line}`)),
      ];
    }
    if (message.role === "bashExecution") return this.ran(message.command, message.output, message.exitCode);
    return [];
  }

  #piece(piece: Extract<AgentEvent, { type: "message_update" }>["piece"]): string[] {
    const style: Style | undefined = piece.type.startsWith("thinking") ? "dim" : undefined;
    switch (piece.type) {
      case "text_delta":
      case "thinking_delta": {
        if (style && !this.thinking) return [];
        this.#tailStyle = style;
        const parts = (this.#tail + stripControls(piece.delta)).split("\n");
        this.#tail = parts.pop() ?? "";
        return parts.flatMap((line) => this.#said(style, line));
      }
      case "text_end":
      case "thinking_end": {
        const lines = this.#endLine();
        this.#markdown.reset();
        return lines;
      }
      default:
        return [];
    }
  }

  #endLine(): string[] {
    if (this.#tail === "") return [];
    const lines = this.#said(this.#tailStyle, this.#tail);
    this.#tail = "";
    return lines;
  }

  #said(style: Style | undefined, line: string): string[] {
    if (style) return this.prose(line, style);
    const rows = this.#markdown.verbatim(line) ? [line] : wordRows(line, this.#width());
    return rows.map((row) => this.#markdown.line(row, (how, text) => this.paint(how, text)));
  }

  #folded(text: string): string[] {
    const lines = stripControls(text).trimEnd().split("\n");
    const shown = this.expanded ? lines : lines.slice(0, FOLDED);
    const more = lines.length - shown.length;
    const rest = more > 0 ? [`… ${more} more line${more === 1 ? "" : "s"} (ctrl+o shows all from now on)`] : [];
    const rows = [...shown, ...rest].filter((line, at) => line !== "" || at > 0);
    return rows.map((line) => this.paint("dim", `  ${line}`));
  }
}

/** What matters of the arguments, in one line. Lists and objects are for the model: their outcome is shown below. */
function brief(args: unknown, cwd: string): string {
  const { path, command, pattern, url, prompt, ...others } = (args ?? {}) as Record<string, unknown>;
  const shortened = typeof path === "string" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  const main = [command, shortened, pattern, url, prompt].find((value) => typeof value === "string");
  const plain = Object.values(others).filter((value) => typeof value !== "object");
  const line = stripControls(String(main ?? plain.join(" "))).replaceAll("\n", " ↵ ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** Lines as people count them: the letters behind a number are for the model, which edits by them. */
function withoutAnchors(text: string): string {
  return text.replace(/^(\s*\d+)[a-z]{2}\|/gm, "$1  ");
}
