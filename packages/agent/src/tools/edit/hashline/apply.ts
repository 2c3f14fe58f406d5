import { ToolError } from "../../../contract/tool.ts";
import { labelLine, pairOf } from "../../disk/anchor.ts";
import type { Anchor, LineOp } from "./parse.ts";

/** Lines `from` (counted from 0) up to but not including `to` become `payload`. */
export type Splice = { from: number; to: number; payload: string[] };

/** The anchors that do not match these lines. */
export function findMismatches(lines: readonly string[], ops: readonly LineOp[]): Anchor[] {
  return ops
    .flatMap((op) => (op.kind === "insert" ? [op.at] : [op.first, op.last]))
    .filter(({ line, hash }) => {
      const text = lines[line - 1];
      return hash !== undefined && (text === undefined || pairOf(text) !== hash);
    });
}

/** Operations as splices of these lines, in order. Refuses overlapping ones. */
export function splicesOf(lines: readonly string[], ops: readonly LineOp[]): Splice[] {
  const splices = ops.map((op) => spliceOf(lines.length, op)).sort((a, b) => a.from - b.from || a.to - b.to);
  for (const [index, splice] of splices.entries()) {
    const before = splices[index - 1];
    if (before && splice.from < before.to) {
      throw new ToolError(`Two operations overlap at line ${splice.from + 1}. Combine them.`);
    }
  }
  return splices;
}

function spliceOf(count: number, op: LineOp): Splice {
  if (op.kind === "replace") {
    return { from: Math.max(0, op.first.line - 1), to: Math.min(count, op.last.line), payload: op.payload };
  }
  const line = Math.min(op.at.line, count);
  const inner = op.at.hash !== undefined && op.side === "before";
  const at = inner ? line - 1 : line;
  return { from: at, to: at, payload: op.payload };
}

export function applySplices(lines: readonly string[], splices: readonly Splice[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const { from, to, payload } of splices) {
    for (; at < from; at++) result.push(lines[at]!);
    for (const line of payload) result.push(line);
    at = to;
  }
  for (; at < lines.length; at++) result.push(lines[at]!);
  return result;
}

/** A run of lines that both versions have, or the lengths of runs that only one has. */
export type Stretch = { count: number; side: "both" | "old" | "new" };

/**
 * Rebases splices from an older version to the newer one; `undefined` where the same lines, or the neighbours of an
 * insertion, were changed.
 */
export function carriedOver(splices: readonly Splice[], stretches: readonly Stretch[]): Splice[] | undefined {
  const place: number[] = [];
  let now = 0;
  let old = 0;
  for (const { count, side } of stretches) {
    if (side === "new") now += count;
    for (let step = 0; step < count && side !== "new"; step++) place[old++] = side === "both" ? now++ : -1;
  }
  place[old] = now;
  const result: Splice[] = [];
  for (const { from, to, payload } of splices) {
    const moved = from === to ? gap(place, from, old) : range(place, from, to);
    if (!moved) return undefined;
    result.push({ ...moved, payload });
  }
  return result;
}

function range(place: readonly number[], from: number, to: number): { from: number; to: number } | undefined {
  const start = place[from]!;
  for (let line = from; line < to; line++) if (place[line] !== start + line - from || start < 0) return undefined;
  return { from: start, to: start + to - from };
}

function gap(place: readonly number[], at: number, count: number): { from: number; to: number } | undefined {
  const before = at === 0 ? -1 : place[at - 1]!;
  const after = place[at]!;
  if (at > 0 && before < 0) return undefined;
  if (at < count && after < 0) return undefined;
  if (at > 0 && at < count && after !== before + 1) return undefined;
  const target = at === 0 ? 0 : at === count ? after : before + 1;
  return { from: target, to: target };
}

const AROUND = 2;

/** The current lines around anchors that do not match, with the anchored lines marked. */
export function mismatchText(lines: readonly string[], anchors: readonly Anchor[]): string {
  const meant = new Set(anchors.map(({ line }) => Math.min(line, lines.length)));
  const shown = new Set<number>();
  for (const line of meant) {
    for (let near = line - AROUND; near <= line + AROUND; near++)
      if (near >= 1 && near <= lines.length) shown.add(near);
  }
  const rows: string[] = [];
  let last = 0;
  for (const line of [...shown].sort((a, b) => a - b).slice(0, 60)) {
    if (last > 0 && line > last + 1) rows.push("…");
    const text = lines[line - 1]!;
    rows.push(`${meant.has(line) ? ">" : " "} ${labelLine(line, text, text.slice(0, 300), true)}`);
    last = line;
  }
  return rows.join("\n");
}
