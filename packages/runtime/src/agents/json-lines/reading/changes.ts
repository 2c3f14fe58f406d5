import type { FileChange } from "@gantry/protocol";
import { type LineDiff, lineDiff } from "../../acp/wire/diff.ts";
import { compact, type Fields, fields, list, nonBlank, text } from "../../fields.ts";

/** Longer diffs are omitted from events; the counts and the tool's input remain. */
const MAX_DIFF = 64_000;
/** Size limit for diffs stored until the tool has run. */
const MAX_STORED_DIFF = 1_500;

export function pathIn(input: Fields): string | undefined {
  const keys = ["file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename"];
  return keys.map((key) => nonBlank(input[key])).find((path) => path !== undefined);
}

/**
 * The change that an edit tool will make, from its input in any known shape. The position in the file and whether it
 * exists are unknown, so lines count from the start of the snippet and the kind is `update`.
 */
export function plannedChanges(input: Fields): FileChange[] | undefined {
  const path = pathIn(input);
  if (!path) return undefined;
  const edits = list(input.edits).map(fields).filter(isReplacement);
  if (edits.length > 0) return [makeChange(path, edits.map(replacement))];
  if (isReplacement(input)) return [makeChange(path, [replacement(input)])];
  const content = [input.content, input.file_text, input.fileText, input.new_text].map(text).find(isText);
  return content === undefined ? undefined : [makeChange(path, [lineDiff("", content)])];
}

/** The change in a unified diff; `undefined` if it is none. */
export function diffChange(path: string, diff: string, kind: FileChange["kind"] = "update"): FileChange | undefined {
  const start = diff.search(/^@@ /m);
  if (start < 0) return undefined;
  const hunks = diff.slice(start);
  return countLines({ path, kind }, hunks.split("\n"), hunks);
}

/** The change in a display format whose lines start with a sign and a line number. */
export function numberedChange(path: string, printed: string): FileChange | undefined {
  const lines = printed.split("\n").flatMap((line) => {
    const [, sign, body] = /^([-+ ])\s*\d+ (.*)$/.exec(line) ?? [];
    return sign === undefined ? [] : [`${sign}${body}`];
  });
  if (!lines.some((line) => /^[-+]/.test(line))) return undefined;
  const countLinesWithout = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length;
  const header = `@@ -1,${countLinesWithout("+")} +1,${countLinesWithout("-")} @@`;
  return countLines({ path, kind: "update" }, lines, [header, ...lines, ""].join("\n"));
}

/** The changes without long diffs, for storage in the state. */
export function storableChanges(changes: FileChange[]): FileChange[] {
  let room = MAX_STORED_DIFF;
  return changes.slice(0, 20).map((change) => {
    room -= change.diff?.length ?? 0;
    return room >= 0 ? change : compact({ ...change, diff: undefined });
  });
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

function isReplacement(edit: Fields): boolean {
  return oldText(edit) !== undefined && newText(edit) !== undefined;
}

function oldText(edit: Fields): string | undefined {
  return [edit.old_string, edit.oldString, edit.oldText, edit.old_str, edit.old_text].map(text).find(isText);
}

function newText(edit: Fields): string | undefined {
  return [edit.new_string, edit.newString, edit.newText, edit.new_str, edit.new_text].map(text).find(isText);
}

function replacement(edit: Fields): LineDiff {
  return lineDiff(oldText(edit) ?? "", newText(edit) ?? "");
}

/** The change of one file by several replacements. */
function makeChange(path: string, parts: readonly LineDiff[]): FileChange {
  const sum = (key: "additions" | "deletions") => parts.reduce((total, part) => total + part[key], 0);
  const counts = { path, kind: "update" as const, additions: sum("additions"), deletions: sum("deletions") };
  const diff = parts.map((part) => part.diff).join("");
  return diff === "" || diff.length > MAX_DIFF ? counts : { ...counts, diff };
}

function countLines(change: Pick<FileChange, "path" | "kind">, lines: string[], diff: string): FileChange {
  const countSigned = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const counts = { ...change, additions: countSigned("+"), deletions: countSigned("-") };
  return diff === "" || diff.length > MAX_DIFF ? counts : { ...counts, diff };
}
