import { stat } from "node:fs/promises";
import { type ToolContext, ToolError, type ToolOutput, type ToolPlace } from "../../contract/tool.ts";
import { textOutput } from "../define.ts";
import { labelLine } from "../disk/anchor.ts";
import { changeFiles, type FileChange } from "../disk/change.ts";
import { encodeText, PLAIN } from "../disk/encoding.ts";
import { generatedReason } from "../disk/generated.ts";
import { linesOf } from "../disk/lines.ts";
import type { LoadedText } from "../disk/load.ts";
import { displayPath } from "../disk/path.ts";
import { type Snapshots, snapshotsOf } from "../disk/snapshots.ts";

/** The planned change of one file. Without `before` it is new, without `after` it is deleted. */
export type FileEdit = {
  path: string;
  before?: LoadedText;
  after?: string;
  /** The file whose encoding and mode this one inherits. */
  from?: LoadedText;
  notes: string[];
};

/** Resolves paths and the versions that the model has seen. Planning changes nothing on disk. */
export type EditDesk = { real(path: string): string; snapshots: Snapshots; fuzzy: number };

export type EditGuards = { blockGenerated: boolean; force: boolean; anchors: boolean };

const SHOWN_LINES = 80;

/** Makes all edits or none, and returns the new lines of the files. */
export async function carryOut(
  edits: readonly FileEdit[],
  guards: EditGuards,
  context: ToolContext,
): Promise<ToolOutput> {
  for (const edit of edits) refuse(edit, guards, context);
  const changes: FileChange[] = [];
  for (const { path, before, after, from } of edits) {
    const shape = (before ?? from)?.shape ?? PLAIN;
    const mode = from && !before ? (await stat(from.path)).mode & 0o7777 : undefined;
    changes.push({
      path,
      before: before?.bytes,
      after: after === undefined ? undefined : encodeText(after, shape),
      ...(mode !== undefined && { mode }),
    });
  }
  await changeFiles(changes, context.signal);
  for (const { path, after } of edits) if (after !== undefined) snapshotsOf(context).remember(path, after);
  return report(edits, guards.anchors, context);
}

function refuse(edit: FileEdit, guards: EditGuards, place: ToolPlace): void {
  const name = displayPath(edit.path, place);
  if (edit.before && edit.before.text === edit.after) throw new ToolError(`The edit changes nothing in ${name}.`);
  if (!guards.blockGenerated || guards.force || !edit.before) return;
  const reason = generatedReason(edit.path, edit.before.text);
  if (!reason) return;
  throw new ToolError(
    `${name} is generated (${reason}): change its source instead. To change it anyway, set \`force: true\`.`,
  );
}

export async function unifiedDiff(edits: readonly FileEdit[], place: ToolPlace): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const patches = edits.map(({ path, before, after }) => {
    const name = displayPath(path, place);
    const names = [before ? `a/${name}` : "/dev/null", after === undefined ? "/dev/null" : `b/${name}`] as const;
    const options = { context: 3, timeout: 2000, headerOptions: FILE_HEADERS_ONLY };
    return createTwoFilesPatch(...names, before?.text ?? "", after ?? "", undefined, undefined, options) ?? "";
  });
  return patches.join("");
}

async function report(edits: readonly FileEdit[], anchors: boolean, context: ToolContext): Promise<ToolOutput> {
  const diff = await unifiedDiff(edits, context);
  const parts: string[] = [];
  for (const edit of edits) {
    parts.push(`${verb(edit)} ${displayPath(edit.path, context)}`, ...edit.notes.map((note) => `[${note}]`));
    if (edit.before && edit.after !== undefined)
      parts.push(...(await changedLines(edit.before.text, edit.after, anchors)));
  }
  const files = edits.map((edit) => ({ path: displayPath(edit.path, context), change: verb(edit).toLowerCase() }));
  return textOutput(parts.join("\n"), { diff, files });
}

function verb({ before, after }: FileEdit): string {
  if (after === undefined) return "Deleted";
  return before ? "Edited" : "Created";
}

/** The new lines with their anchors and one line of context, so that the next edit needs no reading. */
async function changedLines(before: string, after: string, anchors: boolean): Promise<string[]> {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context: 1, timeout: 2000 });
  const lines = linesOf(after);
  const shown: string[] = [];
  for (const hunk of patch?.hunks ?? []) {
    if (shown.length > 0) shown.push("…");
    for (let number = Math.max(1, hunk.newStart); number < hunk.newStart + hunk.newLines; number++) {
      const text = lines[number - 1];
      if (text !== undefined) shown.push(labelLine(number, text, text.slice(0, 500), anchors));
    }
  }
  return shown.length > SHOWN_LINES ? [...shown.slice(0, SHOWN_LINES), "… (read the file for the rest)"] : shown;
}
