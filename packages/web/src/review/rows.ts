import type { Comment, DiffSide, FileChange } from "@gantry/protocol";
import { type Pair, pairLines } from "../diff/line-pairs.ts";
import type { DiffLine, Hunk } from "../diff/parse-diff.ts";

/** The lines that a comment is or will be about. */
export type Place = { path: string; side: DiffSide; line: number; endLine?: number };

/** The patch of a file: its hunks, or why there are none. */
export type FilePatchState = { hunks: readonly Hunk[] } | { note: string };

/** A row of the virtual list. Side by side, a row has two lines; unified, it has one of them. */
export type ReviewRow = { key: string } & (
  | { kind: "file"; file: FileChange; open: boolean }
  | { kind: "load"; file: FileChange }
  | { kind: "note"; text: string }
  | { kind: "hunk"; file: FileChange; hunk: Hunk }
  | { kind: "line"; file: FileChange; hunk: Hunk; left?: DiffLine; right?: DiffLine }
  | { kind: "comment"; comment: Comment }
  | { kind: "form"; place: Place }
);

export type RowSource = {
  files: readonly FileChange[];
  patches: ReadonlyMap<string, FilePatchState>;
  isOpen: (file: FileChange) => boolean;
  layout: "unified" | "split";
  comments: readonly Comment[];
  form: Place | undefined;
};

/** The path by which a file is known: the new one of a moved file. */
export function nameOf({ path, to }: FileChange): string {
  return to ?? path;
}

/** All rows of the changes. Comments follow the last line that they are about; those without a visible line follow the file. */
export function reviewRows(source: RowSource): ReviewRow[] {
  const { files, isOpen, comments, form } = source;
  const rows: ReviewRow[] = [];
  const names = new Set(files.flatMap((file) => [nameOf(file), file.path]));
  for (const file of files) {
    const open = isOpen(file);
    rows.push({ kind: "file", key: `file ${nameOf(file)}`, file, open });
    if (open) rows.push(...fileRows(file, source));
  }
  const others = comments.filter(({ path }) => !names.has(path));
  if (others.length > 0) rows.push({ kind: "note", key: "others", text: "Comments on other files" });
  rows.push(...others.map(commentRow));
  if (form && !names.has(form.path)) rows.push({ kind: "form", key: "form", place: form });
  return rows;
}

function fileRows(file: FileChange, { patches, layout, comments, form }: RowSource): ReviewRow[] {
  const name = nameOf(file);
  const patch = patches.get(name);
  if (!patch) return [{ kind: "load", key: `load ${name}`, file }];
  const mine = comments.filter((comment) => isIn(file, comment));
  const place = form && isIn(file, form) ? form : undefined;
  const rows: ReviewRow[] = [];
  const placed = new Set<Comment>();
  const addAfter = (line: DiffLine | undefined, side: DiffSide) => {
    const number = side === "old" ? line?.old : line?.new;
    if (number === undefined || (side === "old" && line?.kind === "same")) return;
    for (const comment of mine) {
      if (lastOf(comment) !== number || comment.side !== side || placed.has(comment)) continue;
      placed.add(comment);
      rows.push(commentRow(comment));
    }
    if (place && lastOf(place) === number && place.side === side) rows.push({ kind: "form", key: "form", place });
  };
  for (const [index, hunk] of ("hunks" in patch ? patch.hunks : []).entries()) {
    rows.push({ kind: "hunk", key: `hunk ${name} ${index}`, file, hunk });
    for (const [at, { left, right }] of linesOf(hunk, layout).entries()) {
      rows.push({ kind: "line", key: `line ${name} ${index} ${at}`, file, hunk, left, right });
      addAfter(left, "old");
      addAfter(right, "new");
    }
  }
  if ("note" in patch) rows.push({ kind: "note", key: `note ${name}`, text: patch.note });
  const rest = mine.filter((comment) => !placed.has(comment)).map(commentRow);
  return [...rest, ...rows];
}

const cache = new WeakMap<Hunk, Partial<Record<RowSource["layout"], Pair[]>>>();

/** Unified, an unchanged line is the right one of its row. Cached, because every comment builds the rows again. */
function linesOf(hunk: Hunk, layout: RowSource["layout"]): Pair[] {
  const known = cache.get(hunk) ?? {};
  cache.set(hunk, known);
  known[layout] ??= layout === "split" ? pairLines(hunk.lines) : hunk.lines.map(toUnified);
  return known[layout];
}

function toUnified(line: DiffLine): Pair {
  return line.kind === "removed" ? { left: line } : { right: line };
}

function isIn(file: FileChange, { path, side }: Pick<Place, "path" | "side">): boolean {
  return path === (side === "old" ? file.path : nameOf(file));
}

function lastOf({ line, endLine = line }: Pick<Place, "line" | "endLine">): number {
  return endLine;
}

function commentRow(comment: Comment): ReviewRow {
  return { kind: "comment", key: comment.comment, comment };
}
