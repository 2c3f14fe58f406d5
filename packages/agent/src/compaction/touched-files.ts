import type { ToolCall } from "@gantry/models";
import type { AgentMessage } from "../contract/messages.ts";

/** Read and modified files, sorted. A modified file is listed only in `modifiedFiles`. */
export type TouchedFiles = { readFiles: string[]; modifiedFiles: string[] };

const READING: ReadonlySet<string> = new Set(["read"]);
const CHANGING: ReadonlySet<string> = new Set(["write", "edit", "ast_edit", "apply_patch"]);
const PATCHED = /^(?:\*\*\* (?:Add|Update|Delete) File: |§)(.+)$|^\*\*\* Move to: (.+)$/gm;

/** The files of these messages and of an earlier compaction (`before`). Failed calls are ignored. */
export function touchedFiles(messages: readonly AgentMessage[], before: unknown): TouchedFiles {
  const earlier = earlierFiles(before);
  const read = new Set(earlier.readFiles);
  const modified = new Set(earlier.modifiedFiles);
  const failed = new Set(
    messages.flatMap((each) => (each.role === "toolResult" && each.isError ? [each.toolCallId] : [])),
  );
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const each of message.content) {
      if (each.type !== "toolCall" || failed.has(each.id)) continue;
      if (READING.has(each.name)) for (const path of pathsOf(each)) read.add(path);
      if (CHANGING.has(each.name)) for (const path of pathsOf(each)) modified.add(path);
    }
  }
  for (const path of modified) read.delete(path);
  return { readFiles: [...read].sort(), modifiedFiles: [...modified].sort() };
}

export function formatTouchedFiles({ readFiles, modifiedFiles }: TouchedFiles): string {
  const lines: string[] = [];
  if (readFiles.length > 0) lines.push("<read-files>", ...readFiles, "</read-files>");
  if (modifiedFiles.length > 0) lines.push("<modified-files>", ...modifiedFiles, "</modified-files>");
  return lines.join("\n");
}

function pathsOf(call: ToolCall): string[] {
  const { path, file_path, paths, input, patch } = call.arguments;
  const named = [path, file_path, ...(Array.isArray(paths) ? paths : [])].filter((each) => typeof each === "string");
  const text = typeof input === "string" ? input : typeof patch === "string" ? patch : "";
  const patched = [...text.matchAll(PATCHED)].map(([, file, moved]) => (file ?? moved ?? "").trim());
  return [...named, ...patched];
}

function earlierFiles(details: unknown): TouchedFiles {
  const { readFiles, modifiedFiles } = (details ?? {}) as Partial<Record<keyof TouchedFiles, unknown>>;
  return { readFiles: texts(readFiles), modifiedFiles: texts(modifiedFiles) };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
