import type { EventData, FileChange } from "@gantry/protocol";
import { oneLine } from "./line.ts";

/** A tool call as it stands, and the event that last said each part of it. */
export type StartedTool = {
  data: EventData<"tool.started">;
  said: { title: number; input: number; locations: number };
};
export type Command = {
  seq: number;
  command: string;
  end: { seq: number; exitCode?: number; status: EventData<"tool.ended">["status"] };
};
export type TouchedFile = { seq: number; path: string; kind?: string; additions?: number; deletions?: number };

const MOST_FILES = 500;
const CHANGING = new Set<string>(["edit", "delete", "move"]);

/** The files that the work touched, each with the newest event that says so; the newest last. */
export class FileLedger {
  readonly #files = new Map<string, TouchedFile>();

  changed(seq: number, changes: readonly FileChange[]): void {
    for (const { path, kind, to, additions, deletions } of changes) {
      this.#put({ seq, path: to ?? path, kind, additions, deletions });
    }
  }

  /** A tool that says where it worked and not what it changed. */
  located({ data: { kind, locations = [] }, said }: StartedTool): void {
    if (!CHANGING.has(kind)) return;
    for (const { path } of locations) if (!this.#files.has(path)) this.#put({ seq: said.locations, path });
  }

  list(): TouchedFile[] {
    return [...this.#files.values()];
  }

  #put(file: TouchedFile): void {
    this.#files.delete(file.path);
    this.#files.set(file.path, file);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MOST_FILES && oldest !== undefined) this.#files.delete(oldest);
  }
}

export function startedTool(seq: number, data: EventData<"tool.started">): StartedTool {
  return { data, said: { title: seq, input: seq, locations: seq } };
}

export function updatedTool(tool: StartedTool, seq: number, patch: EventData<"tool.updated">["patch"]): StartedTool {
  const { title, input, locations } = patch;
  const data = { ...tool.data };
  const said = { ...tool.said };
  if (title !== undefined) [data.title, said.title] = [title, seq];
  if (input !== undefined) [data.input, said.input] = [input, seq];
  if (locations !== undefined) [data.locations, said.locations] = [locations, seq];
  return { data, said };
}

/** The command that a tool call ran and how it ended; `undefined` for a tool that runs none. */
export function commandOf(
  { data: { kind, input, title }, said }: StartedTool,
  end: { seq: number; data: EventData<"tool.ended"> },
): Command | undefined {
  if (kind !== "execute") return undefined;
  const stated = commandText(input);
  const command = oneLine(stated ?? title);
  if (command === "") return undefined;
  const { status, exitCode } = end.data;
  const how = { seq: end.seq, status, ...(typeof exitCode === "number" ? { exitCode } : {}) };
  return { seq: stated === undefined ? said.title : said.input, command, end: how };
}

function commandText(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { command, cmd } = input as { command?: unknown; cmd?: unknown };
  for (const value of [command, cmd]) {
    if (typeof value === "string" && value.trim() !== "") return value;
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string"))
      return value.join(" ");
  }
  return undefined;
}
