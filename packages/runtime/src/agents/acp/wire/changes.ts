import type { FileChange } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, text } from "../../fields.ts";
import { blocksOf } from "./content.ts";
import { lineDiff } from "./diff.ts";

type Kind = FileChange["kind"];

const kinds: Record<string, Kind> = {
  add: "add",
  create: "add",
  modify: "update",
  update: "update",
  delete: "delete",
  remove: "delete",
  move: "move",
  rename: "move",
};

/**
 * The file changes in `diff` blocks. Version 1 has the texts before and after, version 2 a list of files and one git
 * patch.
 */
export function changesIn(content: unknown): FileChange[] {
  const blocks = blocksOf(content, "diff");
  return blocks.flatMap((block) => (Array.isArray(block.changes) ? patchChanges(block) : textChange(block)));
}

function textChange(block: Fields): FileChange[] {
  const path = nonBlank(block.path);
  if (!path) return [];
  const before = text(block.oldText) ?? "";
  const after = text(block.newText) ?? "";
  // Agents send `null` or an empty text for a new file.
  const kind = kinds[nonBlank(fields(block._meta).kind) ?? ""] ?? (before === "" ? "add" : "update");
  return [{ path, kind, ...lineDiff(before, after) }];
}

function patchChanges(block: Fields): FileChange[] {
  const sections = (text(fields(block.patch).text) ?? "").split(/^(?=diff --git )/m).filter(Boolean);
  return list(block.changes)
    .map(fields)
    .flatMap((change, index) => {
      const path = nonBlank(change.path) ?? nonBlank(change.oldPath);
      if (!path) return [];
      const kind = kinds[nonBlank(change.operation) ?? ""] ?? "update";
      const to = kind === "move" ? (nonBlank(change.newPath) ?? nonBlank(change.to)) : undefined;
      const from = kind === "move" ? (nonBlank(change.oldPath) ?? path) : path;
      return [compact({ path: from, kind, to, ...patchOf(sections[index]) })];
    });
}

/** The hunks of one file in a patch. */
function patchOf(section: string | undefined): Partial<FileChange> {
  const at = section?.search(/^@@ /m) ?? -1;
  if (section === undefined || at < 0) return {};
  const diff = section.slice(at);
  const countSigned = (sign: string) => diff.split("\n").filter((line) => line.startsWith(sign)).length;
  return { diff, additions: countSigned("+"), deletions: countSigned("-") };
}

/** The change in the input of a call without `diff` blocks: some agents put a unified diff there when they ask. */
export function changesInInput(content: unknown, rawInput: unknown): FileChange[] {
  const input = fields(rawInput);
  const path = nonBlank(input.filepath) ?? nonBlank(input.filePath) ?? nonBlank(input.path);
  const patch = patchOf(text(input.diff));
  if (!path || !patch.diff || changesIn(content).length > 0) return [];
  return [{ path, kind: /^@@ -0,0 /.test(patch.diff) ? "add" : "update", ...patch }];
}

const MAX_STORED_DIFF = 16_000;

/** The changes without long diffs, for storage until the tool call ends. */
export function withoutLongDiffs(changes: FileChange[]): FileChange[] {
  let room = MAX_STORED_DIFF;
  return changes.map((change) => {
    room -= change.diff?.length ?? 0;
    if (room >= 0) return change;
    const { diff: _, ...rest } = change;
    return rest;
  });
}
