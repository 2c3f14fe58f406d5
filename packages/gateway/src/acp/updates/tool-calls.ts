import { isAbsolute, resolve } from "node:path";
import type { Envelope, FileChange, Text } from "@gantry/protocol";
import type { ToolContent, ToolFields, ToolStatus, Update } from "./update.ts";

type Started = Envelope<"tool.started">["data"];
type Patch = Envelope<"tool.updated">["data"]["patch"];
type Ended = Envelope<"tool.ended">["data"];
type OpenTool = { terminal: boolean; output: string };

const STATUSES: Record<Ended["status"], ToolStatus> = {
  ok: "completed",
  error: "failed",
  denied: "failed",
  interrupted: "cancelled",
};

/** The open tool calls. Each call is opened once, before its updates, and gets its final status once. */
export class ToolCalls {
  readonly #cwd: string;
  readonly #open = new Map<string, OpenTool>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Commands have a terminal. */
  start({ item, name, kind, title, input, locations, parent }: Started): Update[] {
    if (this.#open.has(item)) return [];
    const terminal = kind === "execute";
    this.#open.set(item, { terminal, output: "" });
    const content: ToolContent[] = terminal ? [{ type: "terminal" }] : [];
    const fields = {
      ...{ name, title, kind, status: "in_progress" as const, content, ...(parent ? { parent } : {}) },
      ...this.#locate(locations),
      ...(input === undefined ? {} : { input }),
    };
    const opened: Update[] = terminal ? [{ kind: "terminal", id: item, ...commandIn(input) }] : [];
    return [...opened, { kind: "tool", id: item, fields }];
  }

  update(item: string, { title, input, locations, output }: Patch): Update[] {
    const tool = this.#open.get(item);
    if (!tool) return [];
    const fields: ToolFields = {
      ...(title === undefined ? {} : { title }),
      ...(input === undefined ? {} : { input }),
      ...this.#locate(locations),
    };
    const text = output === undefined ? undefined : plain(output);
    if (text !== undefined && !tool.terminal) fields.content = [{ type: "text", text }];
    const shown = text !== undefined && tool.terminal ? this.#showOutput(item, tool, text) : [];
    return Object.keys(fields).length > 0 ? [...shown, { kind: "tool_change", id: item, fields }] : shown;
  }

  /** A chunk of a command's output. Other calls show their output when it is durable. */
  addOutput(item: string, offset: number, text: string): Update[] {
    const tool = this.#open.get(item);
    if (!tool?.terminal || offset > tool.output.length) return [];
    return this.#showOutput(item, tool, tool.output.slice(0, offset) + text);
  }

  end({ item, status, output, exitCode, changes, structured }: Ended): Update[] {
    const tool = this.#open.get(item);
    if (!tool) return [];
    this.#open.delete(item);
    const text = output === undefined ? "" : plain(output);
    const shown = tool.terminal && text !== "" ? this.#showOutput(item, tool, text) : [];
    const exit: Update[] = tool.terminal ? [{ kind: "terminal_exit", id: item, exitCode: exitCode ?? null }] : [];
    const diffs: ToolContent[] = (changes ?? []).map((change) => ({ type: "diff", change: this.#resolve(change) }));
    const content: ToolContent[] = tool.terminal
      ? [{ type: "terminal" }, ...diffs]
      : [...diffs, ...(text !== "" && diffs.length === 0 ? [{ type: "text" as const, text }] : [])];
    const raw = structured ?? (text === "" ? undefined : text);
    const fields: ToolFields = {
      status: STATUSES[status],
      ...(content.length > 0 ? { content } : {}),
      ...(changes?.length ? this.#locate(changes.map(({ path, to }) => ({ path: to ?? path }))) : {}),
      ...(raw === undefined ? {} : { output: raw }),
    };
    return [...shown, ...exit, { kind: "tool_change", id: item, fields }];
  }

  /** The part of the output that the client does not have. Output that differs from the streamed one is not sent again. */
  #showOutput(item: string, tool: OpenTool, text: string): Update[] {
    if (!text.startsWith(tool.output) || text === tool.output) return [];
    const rest = text.slice(tool.output.length);
    tool.output = text;
    return [{ kind: "terminal_output", id: item, text: rest }];
  }

  #locate(locations: Started["locations"]): Pick<ToolFields, "locations"> {
    if (!locations || locations.length === 0) return {};
    return {
      locations: locations.map(({ path, line }) => ({ path: this.#absolute(path), ...(line ? { line } : {}) })),
    };
  }

  #resolve(change: FileChange): FileChange {
    return { ...change, path: this.#absolute(change.path), ...(change.to ? { to: this.#absolute(change.to) } : {}) };
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : resolve(this.#cwd, path);
  }
}

/** The command of a shell tool, in the field that most agents use. */
function commandIn(input: unknown): { command?: string } {
  const command = (input as { command?: unknown } | null | undefined)?.command;
  if (typeof command === "string") return { command };
  return Array.isArray(command) ? { command: command.join(" ") } : {};
}

/** The text, or the start and the end of a large one. */
export function plain(text: Text): string {
  if (typeof text === "string") return text;
  const left = text.size - text.head.length - text.tail.length;
  return left > 0 ? `${text.head}\n… ${left} characters are left out here; Gantry has them …\n${text.tail}` : text.head;
}
