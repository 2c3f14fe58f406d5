import { stripControls, type Theme, wrapText } from "@gantry/terminal";
import { endText } from "../../../contract/errors.ts";
import type { AgentEvent } from "../../../contract/events.ts";
import type { AgentMessage } from "../../../contract/messages.ts";
import type { ToolOutput } from "../../../contract/tool.ts";
import { foldAttachments } from "../typing/attach.ts";
import { AgentText } from "./agent-text.ts";
import { changeRows } from "./change-rows.ts";

type Style = "red" | "yellow" | "dim";
const FOLDED = 8;
const FOLDED_CHANGE = 60;
const FOLDED_MESSAGE = 12;
/** The most characters of a running command that are stored for its live rows. */
const LONGEST_TAIL = 50_000;
/** Tools whose output has line anchors for the model. */
const ANCHORED: ReadonlySet<string> = new Set(["read", "grep"]);

/** A running call or command with what it has printed. */
export type Running = { title: string; output: string };

/** Rows to append, and the parts that still change. */
export type Shown = { lines: string[]; tail: string[]; running: readonly Running[] };

/** Converts the events of a session into rows. Complete blocks of an answer are returned once; the open one is the tail. */
export class TranscriptView {
  thinking = true;
  /** The lines with which an extension shows a result. */
  renderTool: ((toolName: string, result: ToolOutput) => readonly string[] | undefined) | undefined;
  readonly paint: Theme;
  readonly #width: () => number;
  readonly #cwd: string;
  readonly #text: AgentText;
  /** The incomplete line of thinking. */
  #thought = "";
  readonly #running = new Map<string, Running>();
  #command: Running | undefined;
  /** The last output that was folded, in full. */
  #folded: string[] | undefined;

  /** `width`: the current width of the terminal, for word wrap. */
  constructor(paint: Theme, width: () => number = () => 80, cwd = "/") {
    this.paint = paint;
    this.#width = width;
    this.#cwd = cwd;
    this.#text = new AgentText(paint, width);
  }

  /** Wraps prose to the terminal, in one style. */
  prose(text: string, style?: Style): string[] {
    const rows = wrapText(text, this.#width());
    return style ? rows.map((row) => this.paint[style](row)) : rows;
  }

  show(event: AgentEvent): Shown {
    const lines = this.#lines(event);
    const thought = this.#thought === "" ? [] : this.prose(this.#thought, "dim");
    const running = [...this.#running.values(), ...(this.#command ? [this.#command] : [])];
    return { lines, tail: [...thought, ...this.#text.tail()], running };
  }

  /** The rows of the last folded output, once. */
  unfold(): string[] | undefined {
    const rows = this.#folded;
    this.#folded = undefined;
    return rows;
  }

  #lines(event: AgentEvent): string[] {
    switch (event.type) {
      case "message_start":
        return event.message.role === "assistant" ? [""] : this.#message(event.message);
      case "message_update":
        return this.#piece(event.piece);
      case "message_end":
        return [...this.#endThought(), ...this.#text.finish()];
      case "tool_execution_start":
        this.#running.set(event.toolCallId, { title: `${event.toolName} ${brief(event.args, this.#cwd)}`, output: "" });
        return [];
      case "tool_execution_update":
        append(this.#running.get(event.toolCallId), event.delta);
        return [];
      case "bash_execution_update":
        append(this.#command, event.delta);
        return [];
      case "tool_execution_end":
        return this.#toolEnd(event);
      default:
        return this.#notice(event);
    }
  }

  #notice(event: AgentEvent): string[] {
    switch (event.type) {
      case "auto_retry_start":
        return this.prose(
          `Retrying in ${Math.round(event.delayMs / 1000)} s: ${stripControls(event.errorMessage)}`,
          "yellow",
        );
      case "auto_compaction_start":
        return [this.paint.dim("Compacting the conversation …")];
      case "model_changed": {
        const thinking = event.thinkingLevel === "off" ? "" : `, thinking ${event.thinkingLevel}`;
        return [this.paint.dim(`Model: ${event.model}${thinking}`)];
      }
      case "notice":
        return this.prose(stripControls(event.message), event.level === "error" ? "red" : "yellow");
      case "agent_settled":
        return event.reason === "completed" ? [] : this.prose(endOf(event), event.reason === "aborted" ? "dim" : "red");
      default:
        return [];
    }
  }

  #toolEnd(event: Extract<AgentEvent, { type: "tool_execution_end" }>): string[] {
    const { toolCallId, toolName, result, isError } = event;
    const title = this.#running.get(toolCallId)?.title ?? toolName;
    this.#running.delete(toolCallId);
    const mark = isError ? this.paint.red("✗") : this.paint.green("✓");
    const head = `${mark} ${this.paint.cyan(title)}`;
    const own = isError ? undefined : this.renderTool?.(toolName, result);
    if (own) return [head, ...own.map((line) => `  ${stripControls(line)}`)];
    const { diff } = (result.details ?? {}) as { diff?: unknown };
    if (!isError && typeof diff === "string" && diff !== "")
      return [head, ...this.#fold(changeRows(diff, this.paint, this.#width() - 2), FOLDED_CHANGE, head)];
    const text = result.content.map((block) => (block.type === "text" ? block.text : "[picture]")).join("\n");
    const rows = this.#outputRows(ANCHORED.has(toolName) ? withoutAnchors(text) : text);
    return [head, ...this.#fold(rows, FOLDED, head)];
  }

  /** Renders a complete message, for example of a resumed session. */
  renderMessage(message: AgentMessage): string[] {
    if (message.role !== "assistant") return this.#message(message);
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const calls = message.content.flatMap((block) =>
      block.type === "toolCall" ? [this.paint.dim(`· ${block.name} ${brief(block.arguments, this.#cwd)}`)] : [],
    );
    const body = text.trim() === "" ? [] : this.#text.render(text);
    return body.length + calls.length === 0 ? [] : ["", ...body, ...calls];
  }

  /** A command of the user: it runs until `endCommand`, which returns the rows with its output. */
  startCommand(command: string): void {
    this.#command = { title: `! ${stripControls(command)}`, output: "" };
  }

  endCommand(command: string, output: string, exitCode: number | undefined): string[] {
    this.#command = undefined;
    return this.renderCommand(command, output, exitCode);
  }

  renderCommand(command: string, output: string, exitCode: number | undefined): string[] {
    const status = exitCode ? this.paint.red(` (${exitCode})`) : "";
    const head = this.paint.bold(`! ${stripControls(command)}`) + status;
    return ["", head, ...this.#fold(this.#outputRows(output), FOLDED, head)];
  }

  #message(message: AgentMessage): string[] {
    if (message.role === "user") {
      const { content } = message;
      const text =
        typeof content === "string"
          ? content
          : content.map((block) => ("text" in block ? block.text : "[picture]")).join("\n");
      return this.#userRows(wrapText(foldAttachments(stripControls(text)), this.#width() - 2));
    }
    if (message.role === "bashExecution") return this.renderCommand(message.command, message.output, message.exitCode);
    return [];
  }

  #userRows(rows: readonly string[]): string[] {
    const { bold, dim } = this.paint;
    const print = (row: string, at: number) => `${at === 0 ? "›" : " "} ${bold(row)}`;
    const more = rows.length - FOLDED_MESSAGE;
    if (more <= 1) return ["", ...rows.map(print)];
    this.#folded = rows.map(print);
    return ["", ...rows.slice(0, FOLDED_MESSAGE).map(print), dim(`  … ${more} more lines (ctrl+o shows all)`)];
  }

  #piece(piece: Extract<AgentEvent, { type: "message_update" }>["piece"]): string[] {
    switch (piece.type) {
      case "text_delta":
        return [...this.#endThought(), ...this.#text.add(piece.delta)];
      case "thinking_delta": {
        if (!this.thinking) return [];
        const parts = (this.#thought + stripControls(piece.delta)).split("\n");
        this.#thought = parts.pop() ?? "";
        return parts.flatMap((line) => this.prose(line, "dim"));
      }
      case "text_end":
        return this.#text.finish();
      case "thinking_end":
        return this.#endThought();
      default:
        return [];
    }
  }

  #endThought(): string[] {
    if (this.#thought === "") return [];
    const rows = this.prose(this.#thought, "dim");
    this.#thought = "";
    return rows;
  }

  #outputRows(text: string): string[] {
    const lines = stripControls(text).trimEnd().split("\n");
    const width = this.#width() - 2;
    return lines.flatMap((line) => wrapText(line, width)).map((line) => this.paint.dim(line));
  }

  /** The first rows. The rest is stored for `unfold`, under the same head. */
  #fold(rows: readonly string[], limit: number, head: string): string[] {
    const all = rows.filter((row, at) => row !== "" || at > 0);
    const more = all.length - limit;
    if (more <= 1) return all.map((row) => `  ${row}`);
    this.#folded = [head, ...all.map((row) => `  ${row}`)];
    const note = `… ${more} more lines (ctrl+o shows all)`;
    return [...all.slice(0, limit), this.paint.dim(note)].map((row) => `  ${row}`);
  }
}

function append(running: Running | undefined, delta: string): void {
  if (running) running.output = (running.output + delta).slice(-LONGEST_TAIL);
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
