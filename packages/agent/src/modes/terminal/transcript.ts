import { type Paint, stripControls, wrapText } from "@gantry/terminal";
import { MarkdownLines } from "@gantry/terminal/markdown";
import { endText } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { foldAttachments } from "./typing/attach.ts";

type Style = Exclude<keyof Paint, "enabled">;
const FOLDED = 4;
/** Tools whose output has line anchors for the model. */
const ANCHORED: ReadonlySet<string> = new Set(["read", "grep"]);

/** Lines to append, and the parts that still change. */
export type Shown = { lines: string[]; tail: string; isThinking?: boolean; running: string[] };

/** Converts the events of a session into lines. Streamed text is printed line by line; the incomplete line is the tail. */
export class TranscriptView {
  expanded = false;
  thinking = true;
  /** The lines with which an extension shows a result. */
  renderTool: ((toolName: string, result: ToolOutput) => readonly string[] | undefined) | undefined;
  readonly paint: Paint;
  readonly #width: () => number;
  readonly #cwd: string;
  #tail = "";
  #isThinking = false;
  readonly #running = new Map<string, string>();
  readonly #markdown: MarkdownLines;

  /** `width`: the current width of the terminal, for word wrap. */
  constructor(paint: Paint, width: () => number = () => Number.POSITIVE_INFINITY, cwd = "/") {
    this.paint = paint;
    this.#markdown = new MarkdownLines({ paint, keepMarks: true });
    this.#width = width;
    this.#cwd = cwd;
  }

  /** Wraps prose to the terminal, in one style. */
  prose(text: string, style?: Style): string[] {
    const rows = wrapText(text, this.#width());
    return style ? rows.map((row) => this.paint[style](row)) : rows;
  }

  show(event: AgentEvent): Shown {
    const lines = this.#lines(event);
    return { lines, tail: this.#tail, isThinking: this.#isThinking, running: [...this.#running.values()] };
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
        this.#running.set(event.toolCallId, this.paint.cyan(`◌ ${event.toolName} ${brief(event.args, this.#cwd)}`));
        return [];
      case "tool_execution_end": {
        const started = this.#running.get(event.toolCallId) ?? event.toolName;
        this.#running.delete(event.toolCallId);
        const text = event.result.content.map((block) => (block.type === "text" ? block.text : "[picture]")).join("\n");
        const own = event.isError ? undefined : this.renderTool?.(event.toolName, event.result);
        const mark = event.isError ? this.paint.red("✗") : this.paint.green("✓");
        return [
          started.replace("◌", mark),
          ...(own?.map((line) => `  ${stripControls(line)}`) ?? []),
          ...(own ? [] : this.#foldText(ANCHORED.has(event.toolName) ? withoutAnchors(text) : text)),
        ];
      }
      case "auto_retry_start":
        return [
          this.paint.yellow(`Retrying in ${Math.round(event.delayMs / 1000)} s: ${stripControls(event.errorMessage)}`),
        ];
      case "auto_compaction_start":
        return [this.paint.dim("Compacting the conversation …")];
      case "model_changed":
        return [
          this.paint.dim(
            `Model: ${event.model}${event.thinkingLevel === "off" ? "" : `, thinking ${event.thinkingLevel}`}`,
          ),
        ];
      case "notice":
        return [this.paint[event.level === "error" ? "red" : "yellow"](stripControls(event.message))];
      case "agent_settled":
        return event.reason === "completed"
          ? []
          : [this.paint[event.reason === "aborted" ? "dim" : "red"](endOf(event))];
      default:
        return [];
    }
  }

  /** Renders a complete message, for example of a resumed session. */
  renderMessage(message: AgentMessage): string[] {
    if (message.role !== "assistant") return this.#message(message);
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    this.#markdown.reset();
    const calls = message.content.flatMap((block) =>
      block.type === "toolCall" ? [this.paint.dim(`· ${block.name} ${brief(block.arguments, this.#cwd)}`)] : [],
    );
    const body =
      text === ""
        ? []
        : stripControls(text)
            .split("\n")
            .flatMap((line) => this.#renderLine(line));
    return body.length + calls.length === 0 ? [] : ["", ...body, ...calls];
  }

  /** Renders a command of the user with its output. */
  renderCommand(command: string, output: string, exitCode: number | undefined): string[] {
    const status = exitCode ? this.paint.red(` (${exitCode})`) : "";
    return ["", this.paint.bold(`! ${stripControls(command)}`) + status, ...this.#foldText(output)];
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
        ...foldAttachments(stripControls(text))
          .split("\n")
          .map((line) => this.paint.bold(`› ${line}`)),
      ];
    }
    if (message.role === "bashExecution") return this.renderCommand(message.command, message.output, message.exitCode);
    return [];
  }

  #piece(piece: Extract<AgentEvent, { type: "message_update" }>["piece"]): string[] {
    switch (piece.type) {
      case "text_delta":
      case "thinking_delta": {
        const isThinking = piece.type === "thinking_delta";
        if (isThinking && !this.thinking) return [];
        this.#isThinking = isThinking;
        const parts = (this.#tail + stripControls(piece.delta)).split("\n");
        this.#tail = parts.pop() ?? "";
        return parts.flatMap((line) => this.#renderLine(line, this.#isThinking));
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
    const lines = this.#renderLine(this.#tail, this.#isThinking);
    this.#tail = "";
    return lines;
  }

  #renderLine(line: string, isThinking = false): string[] {
    return isThinking ? this.prose(line, "dim") : this.#markdown.render(line, this.#width());
  }

  #foldText(text: string): string[] {
    const lines = stripControls(text).trimEnd().split("\n");
    const shown = this.expanded ? lines : lines.slice(0, FOLDED);
    const more = lines.length - shown.length;
    const rest = more > 0 ? [`… ${more} more line${more === 1 ? "" : "s"} (ctrl+o to show all)`] : [];
    const rows = [...shown, ...rest].filter((line, at) => line !== "" || at > 0);
    return rows.map((line) => this.paint.dim(`  ${line}`));
  }
}

function endOf({ reason, errorMessage }: Extract<AgentEvent, { type: "agent_settled" }>): string {
  return reason === "aborted" || errorMessage === undefined ? endText(reason) : stripControls(errorMessage);
}

/** The most relevant arguments in one line. Lists and objects are omitted; the result is shown below. */
function brief(args: unknown, cwd: string): string {
  const { path, command, pattern, url, prompt, ...others } = (args ?? {}) as Record<string, unknown>;
  const shortened = typeof path === "string" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  const main = [command, shortened, pattern, url, prompt].find((value) => typeof value === "string");
  const plain = Object.values(others).filter((value) => typeof value !== "object");
  const line = stripControls(String(main ?? plain.join(" "))).replaceAll("\n", " ↵ ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** Removes the anchor letters after line numbers, which only the model needs. */
function withoutAnchors(text: string): string {
  return text.replace(/^(\s*\d+)[a-z]{2}\|/gm, "$1  ");
}
