import type { FileChange } from "@gantry/protocol";
import { type LineDiff, lineDiff } from "../../acp/wire/diff.ts";
import { count, type Fields, fields, isFields, list, nonBlank, text, texts } from "../../fields.ts";

/** Longer diffs are omitted from events; the counts and the tool's input remain. */
const MAX_DIFF = 64_000;

/** The changes made by an edit tool, from `tool_use_result`. */
export function doneChanges(result: unknown): FileChange[] | undefined {
  if (!isFields(result)) return undefined;
  const path = nonBlank(result.filePath);
  if (!path || !Array.isArray(result.structuredPatch)) return undefined;
  if (result.type === "create") return [joinParts(path, "add", [lineDiff("", text(result.content) ?? "")])];
  return [change(path, "update", list(result.structuredPatch).map(hunk))];
}

/**
 * The change that an edit tool will make, from its input. The position in the file and whether it exists are unknown,
 * so lines count from the start of the snippet and the kind is `update`.
 */
export function wantedChanges(name: string, input: Fields): FileChange[] | undefined {
  const path = nonBlank(input.file_path) ?? nonBlank(input.notebook_path);
  if (!path) return undefined;
  if (name === "Write") return [joinParts(path, "update", [lineDiff("", text(input.content) ?? "")])];
  if (name === "Edit") return [joinParts(path, "update", [replacement(input)])];
  if (name === "MultiEdit") {
    const edits = list(input.edits).map((edit) => replacement(fields(edit)));
    return [joinParts(path, "update", edits)];
  }
  return name === "NotebookEdit" ? [{ path, kind: "update" }] : undefined;
}

type Hunk = { header: string; lines: string[] };

function hunk(value: unknown): Hunk {
  const patch = fields(value);
  const range = (start: unknown, lines: unknown) => `${count(start)},${count(lines)}`;
  const header = `@@ -${range(patch.oldStart, patch.oldLines)} +${range(patch.newStart, patch.newLines)} @@`;
  return { header, lines: texts(patch.lines) };
}

function replacement(input: Fields): LineDiff {
  return lineDiff(text(input.old_string) ?? "", text(input.new_string) ?? "");
}

/** The change of one file by several replacements. */
function joinParts(path: string, kind: FileChange["kind"], parts: readonly LineDiff[]): FileChange {
  const sum = (key: "additions" | "deletions") => parts.reduce((total, part) => total + part[key], 0);
  const counted = { path, kind, additions: sum("additions"), deletions: sum("deletions") };
  const diff = parts.map((part) => part.diff).join("");
  return diff === "" || diff.length > MAX_DIFF ? counted : { ...counted, diff };
}

function change(path: string, kind: FileChange["kind"], hunks: Hunk[]): FileChange {
  const lines = hunks.flatMap((entry) => entry.lines);
  const additions = lines.filter((line) => line.startsWith("+")).length;
  const deletions = lines.filter((line) => line.startsWith("-")).length;
  const diff = hunks.flatMap((entry) => [entry.header, ...entry.lines, ""]).join("\n");
  const counted = { path, kind, additions, deletions };
  return diff === "" || diff.length > MAX_DIFF ? counted : { ...counted, diff };
}
