import type { EventData, FileChange } from "@gantry/protocol";
import { oneLine } from "./line.ts";

/** The current state of a tool call, and the event that last set each part of it. */
export type StartedTool = {
  data: EventData<"tool.started">;
  seqs: { title: number; input: number; locations: number };
};
export type Command = {
  seq: number;
  command: string;
  end: { seq: number; exitCode?: number; status: EventData<"tool.ended">["status"] };
};
export type TouchedFile = { seq: number; path: string; kind?: string; additions?: number; deletions?: number };

const MAX_FILES = 500;
const CHANGING = new Set<string>(["edit", "delete", "move"]);

/** The files that the work touched, each with its newest event; the newest last. */
export class FileLedger {
  readonly #files = new Map<string, TouchedFile>();

  addChanges(seq: number, changes: readonly FileChange[]): void {
    for (const { path, kind, to, additions, deletions } of changes) {
      this.#put({ seq, path: to ?? path, kind, additions, deletions });
    }
  }

  /** A tool that reports locations but no changes. */
  addLocations({ data: { kind, locations = [] }, seqs }: StartedTool): void {
    if (!CHANGING.has(kind)) return;
    for (const { path } of locations) if (!this.#files.has(path)) this.#put({ seq: seqs.locations, path });
  }

  /**
   * The files, with paths below `folder` relative to it. Agents name a file by its absolute path and git by its relative
   * one; it is listed once, with its newest change.
   */
  list(folder?: string): TouchedFile[] {
    const files = new Map<string, TouchedFile>();
    for (const file of this.#files.values()) {
      const path = relativePath(file.path, folder);
      const before = files.get(path);
      files.delete(path);
      files.set(path, { ...(file.kind === undefined && before ? before : file), path });
    }
    return [...files.values()];
  }

  #put(file: TouchedFile): void {
    this.#files.delete(file.path);
    this.#files.set(file.path, file);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_FILES && oldest !== undefined) this.#files.delete(oldest);
  }
}

function relativePath(path: string, folder: string | undefined): string {
  const plain = path.replace(/^(\.\/)+/, "");
  return folder && plain.startsWith(`${folder}/`) ? plain.slice(folder.length + 1) : plain;
}

export function startedTool(seq: number, data: EventData<"tool.started">): StartedTool {
  return { data, seqs: { title: seq, input: seq, locations: seq } };
}

export function updatedTool(tool: StartedTool, seq: number, patch: EventData<"tool.updated">["patch"]): StartedTool {
  const { title, input, locations } = patch;
  const data = { ...tool.data };
  const seqs = { ...tool.seqs };
  if (title !== undefined) [data.title, seqs.title] = [title, seq];
  if (input !== undefined) [data.input, seqs.input] = [input, seq];
  if (locations !== undefined) [data.locations, seqs.locations] = [locations, seq];
  return { data, seqs };
}

/** The command of a tool call and its result; `undefined` for a tool that runs no command. */
export function commandOf(
  { data: { kind, input, title }, seqs }: StartedTool,
  end: { seq: number; data: EventData<"tool.ended"> },
): Command | undefined {
  if (kind !== "execute") return undefined;
  const stated = commandText(input);
  const command = oneLine(stated ?? title);
  if (command === "") return undefined;
  const { status, exitCode } = end.data;
  const how = { seq: end.seq, status, ...(typeof exitCode === "number" ? { exitCode } : {}) };
  return { seq: stated === undefined ? seqs.title : seqs.input, command, end: how };
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
