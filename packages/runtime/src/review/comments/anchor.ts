import { createHash } from "node:crypto";
import { COMMENT_LIMITS, type Comment } from "@gantry/protocol";
import { type RawPath, rawPathFrom } from "../../checkpoints/work-tree/paths.ts";
import type { WorkTree } from "../../checkpoints/work-tree/work-tree.ts";
import { changeOf, followRange, type PatchHunk, splitHunks } from "../hunks.ts";

/** Files above this size are not read for comments. */
export const MOST_BYTES = 8 * 1024 * 1024;

/** Where the lines of a comment are now. */
export type Followed = { state: "same" | "changed" | "deleted"; line: number; blob?: string; change?: string };

type Range = { line: number; endLine?: number };

/** The blob of a file in a commit; `undefined` if it does not exist or is no regular file. */
export async function blobAt({ shadow }: WorkTree, commit: string, path: RawPath): Promise<string | undefined> {
  const name = Buffer.from(path, "latin1").toString("utf8");
  const { out } = await shadow.read(["ls-tree", "-z", "--full-tree", commit, "--", name]);
  const [, blob] = /^100\d{3} blob ([0-9a-f]+)\t/.exec(out) ?? [];
  return blob;
}

export async function textOf({ shadow }: WorkTree, blob: string): Promise<string> {
  return (await shadow.read(["cat-file", "blob", blob], { most: MOST_BYTES })).out;
}

/** The quoted lines of a text; `undefined` if it has fewer lines. */
export function quoteLines(text: string, { line, endLine = line }: Range): string | undefined {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (endLine > lines.length) return undefined;
  const quote = lines.slice(line - 1, endLine).join("\n");
  return quote.length > COMMENT_LIMITS.quote ? `${quote.slice(0, COMMENT_LIMITS.quote)}…` : quote;
}

/** A hash of what replaced lines of an old text. Equal as long as that change stays the same. */
export async function changeHash(tree: WorkTree, blobs: [string, string | undefined], range: Range): Promise<string> {
  const [old, now] = blobs;
  if (now === undefined) return "deleted";
  const text = changeOf(await hunksBetween(tree, old, now), range.line, range.endLine ?? range.line);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Follows a comment from the blob that it was placed on to the file's blob `now`. */
export async function followComment(tree: WorkTree, comment: Comment, now: string | undefined): Promise<Followed> {
  const { line, endLine = line, side, blob = "" } = comment;
  if (side === "old") {
    const change = await changeHash(tree, [blob, now], comment);
    return { state: change === comment.change ? "same" : "changed", line, blob, change };
  }
  if (now === undefined) return { state: "deleted", line };
  if (now === blob) return { state: "same", line, blob };
  const { changed, line: moved } = followRange(await hunksBetween(tree, blob, now), line, endLine);
  return { state: changed ? "changed" : "same", line: moved, blob: now };
}

/**
 * The same for a file outside a repository, which has no earlier version: the nearest place of the quoted lines. A quote
 * that was shortened is compared by its whole lines.
 */
export function followQuote(comment: Comment, text: string | undefined): Followed {
  const { line, quote } = comment;
  if (text === undefined) return { state: "deleted", line };
  const wanted = quote.endsWith("…") ? quote.split("\n").slice(0, -1) : quote.split("\n");
  const lines = text.split("\n");
  const isAt = (start: number) => wanted.every((content, index) => lines[start - 1 + index] === content);
  if (isAt(line)) return { state: "same", line };
  const places = wanted.some((content) => content.trim() !== "")
    ? lines.map((_, index) => index + 1).filter((start) => isAt(start))
    : [];
  const nearest = places.sort((one, other) => Math.abs(one - line) - Math.abs(other - line))[0];
  return nearest === undefined ? { state: "changed", line } : { state: "same", line: nearest };
}

export function pathIn(tree: WorkTree, cwd: string, path: string): RawPath | undefined {
  return path.includes("\0") ? undefined : rawPathFrom(tree.place.root, cwd, path);
}

async function hunksBetween({ shadow }: WorkTree, old: string, now: string): Promise<PatchHunk[]> {
  if (old === now) return [];
  const args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--text", "-U0", old, now];
  const { bytes } = await shadow.read(args, { answers: [1], most: 4 * MOST_BYTES });
  return splitHunks(bytes.toString("latin1")).hunks;
}
