import type { FileChange } from "@gantry/protocol";
import { type Fields, fields, list, nonBlank, text } from "../../fields.ts";

/** The changes of a patch item. Added and deleted files carry their content instead of a diff. */
export function patchChanges(value: unknown): FileChange[] {
  return list(value).map((entry) => patchChange(fields(entry)));
}

function patchChange(change: Fields): FileChange {
  const path = text(change.path) ?? "";
  const kind = typeof change.kind === "string" ? { type: change.kind } : fields(change.kind);
  const body = text(change.diff);
  const move = nonBlank(kind.move_path);
  if (kind.type === "add") return wholeFile(path, "add", body);
  if (kind.type === "delete") return wholeFile(path, "delete", body);
  const what: Pick<FileChange, "path" | "kind" | "to"> = move
    ? { path, kind: "move", to: move }
    : { path, kind: "update" };
  return body === undefined ? what : { ...what, ...countLines(body), diff: body };
}

/** The same for the older shape: `{ [path]: { type, content | unified_diff, move_path } }`. */
export function legacyChanges(value: unknown): FileChange[] {
  return Object.entries(fields(value)).map(([path, entry]) => {
    const change = fields(entry);
    return patchChange({
      path,
      kind: { type: change.type, move_path: change.move_path },
      diff: change.unified_diff ?? change.content,
    });
  });
}

function wholeFile(path: string, kind: "add" | "delete", content: string | undefined): FileChange {
  if (content === undefined) return { path, kind };
  const lines = content === "" ? [] : content.replace(/\n$/, "").split("\n");
  const sign = kind === "add" ? "+" : "-";
  const range = lines.length === 0 ? "0,0" : `1,${lines.length}`;
  const header = kind === "add" ? `@@ -0,0 +${range} @@` : `@@ -${range} +0,0 @@`;
  const diff = [header, ...lines.map((line) => sign + line), ""].join("\n");
  return {
    path,
    kind,
    additions: kind === "add" ? lines.length : 0,
    deletions: kind === "add" ? 0 : lines.length,
    diff,
  };
}

/** The files of a git-style unified diff, with their counts. */
export function diffFiles(diff: string): FileChange[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((section) => section.startsWith("diff --git "))
    .map(diffFile);
}

function diffFile(section: string): FileChange {
  const hunks = section.search(/^@@ /m);
  const header = hunks < 0 ? section : section.slice(0, hunks);
  const counts = countLines(hunks < 0 ? "" : section.slice(hunks));
  const before = headerPath(header, /^--- (.+)$/m) ?? headerPath(header, /^rename from (.+)$/m);
  const after = headerPath(header, /^\+\+\+ (.+)$/m) ?? headerPath(header, /^rename to (.+)$/m);
  const named = /^diff --git (?:"?a\/)(.+?)"? "?b\//.exec(header)?.[1] ?? "";
  const path = before ?? after ?? named;
  if (/^new file mode/m.test(header)) return { path: after ?? path, kind: "add", ...counts };
  if (/^deleted file mode/m.test(header)) return { path, kind: "delete", ...counts };
  if (before && after && before !== after) return { path: before, kind: "move", to: after, ...counts };
  return { path, kind: "update", ...counts };
}

function headerPath(header: string, pattern: RegExp): string | undefined {
  const found = pattern.exec(header)?.[1]?.replace(/\t.*$/, "").replace(/^"|"$/g, "");
  if (!found || found === "/dev/null") return undefined;
  return pattern.source.includes("rename") ? found : found.replace(/^[ab]\//, "");
}

/** Lines before the first hunk are headers. */
function countLines(diff: string): { additions: number; deletions: number } {
  const lines = diff.slice(Math.max(0, diff.search(/^@@ /m))).split("\n");
  const countSigned = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { additions: countSigned("+"), deletions: countSigned("-") };
}

const KEPT_DIFF = 16_000;

/** The changes without long diffs, for storage in the state. */
export function withoutLongDiffs(changes: FileChange[]): FileChange[] {
  let room = KEPT_DIFF;
  return changes.map((change) => {
    room -= change.diff?.length ?? 0;
    if (room >= 0) return change;
    const { diff: _, ...rest } = change;
    return rest;
  });
}

/** A short non-cryptographic hash to detect a changed text. */
export function fingerprint(value: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193) >>> 0;
  return `${value.length}:${hash.toString(36)}`;
}
