import { ToolError } from "../../../contract/tool.ts";
import { linesOf } from "../../disk/lines.ts";
import { loadText } from "../../disk/load.ts";
import type { EditDesk, FileEdit } from "../plan.ts";
import {
  applySplices,
  carriedOver,
  findMismatches,
  mismatchText,
  type Splice,
  type Stretch,
  splicesOf,
} from "./apply.ts";
import type { LineOp, Section } from "./parse.ts";

const PATIENCE_MS = 2000;

export async function planHashline(sections: readonly Section[], desk: EditDesk): Promise<FileEdit[]> {
  const byPath = new Map<string, { name: string; ops: LineOp[] }>();
  for (const { path, ops } of sections) {
    const real = desk.real(path);
    const known = byPath.get(real);
    if (known) known.ops.push(...ops);
    else byPath.set(real, { name: path, ops: [...ops] });
  }
  return Promise.all([...byPath].map(([path, { name, ops }]) => planFile(path, name, ops, desk)));
}

async function planFile(path: string, name: string, ops: readonly LineOp[], desk: EditDesk): Promise<FileEdit> {
  const before = await loadText(path);
  if (!before && ops.some((op) => (op.kind === "insert" ? op.at.hash : (op.first.hash ?? op.last.hash))))
    throw new ToolError(`${name} does not exist.`);
  const text = before?.text ?? "";
  const lines = linesOf(text);
  const { splices, notes } = await resolveOperations(name, text, ops, desk.snapshots.versionsOf(path)).catch(
    (error) => {
      // The model has now seen the lines that a mismatch prints.
      if (before) desk.snapshots.remember(path, text);
      throw error;
    },
  );
  const result = applySplices(lines, splices);
  const ended = text === "" || text.endsWith("\n");
  const after = result.join("\n") + (ended && result.length > 0 ? "\n" : "");
  return { path, ...(before && { before }), after, notes };
}

/**
 * Resolves the operations against the current text. Anchors refer to a version that the model has seen: the current one
 * is used directly; from an older one the edit is rebased, and refused if the same place was changed. For a text that
 * the model has never seen, the hashes alone decide.
 */
async function resolveOperations(
  name: string,
  text: string,
  ops: readonly LineOp[],
  seen: readonly string[],
): Promise<{ splices: Splice[]; notes: string[] }> {
  const lines = linesOf(text);
  const wrong = findMismatches(lines, ops);
  const anchored = ops.some((op) => (op.kind === "insert" ? op.at.hash : (op.first.hash ?? op.last.hash)));
  if (wrong.length === 0 && (seen.includes(text) || !anchored)) return { splices: splicesOf(lines, ops), notes: [] };
  for (const version of seen) {
    if (version === text) continue;
    const old = linesOf(version);
    if (findMismatches(old, ops).length > 0) continue;
    const carried = carriedOver(splicesOf(old, ops), await stretchesOf(old, lines));
    if (carried) return { splices: carried, notes: [`${name} had changed since it was read; the edit was rebased.`] };
    const meant = ops.flatMap((op) => (op.kind === "insert" ? [op.at] : [op.first, op.last]));
    throw new ToolError(
      `${name} was changed at the same place since it was read. Nothing was changed. It is now:\n${mismatchText(lines, meant)}`,
    );
  }
  if (wrong.length === 0) return { splices: splicesOf(lines, ops), notes: [] };
  throw new ToolError(
    `${wrong.length === 1 ? "An anchor does" : `${wrong.length} anchors do`} not match ${name} (${wrong.map((at) => `${at.line}${at.hash}`).join(", ")}). Nothing was changed. The lines are now:\n${mismatchText(lines, wrong)}`,
  );
}

async function stretchesOf(old: string[], now: string[]): Promise<Stretch[]> {
  const { diffArrays } = await import("diff");
  const changes = diffArrays(old, now, { timeout: PATIENCE_MS });
  if (!changes)
    return [
      { count: old.length, side: "old" },
      { count: now.length, side: "new" },
    ];
  return changes.map(({ count, added, removed }) => ({ count, side: added ? "new" : removed ? "old" : "both" }));
}
