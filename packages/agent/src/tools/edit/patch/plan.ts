import { ToolError } from "../../../contract/tool.ts";
import { messageOf } from "../../define.ts";
import { linesOf } from "../../disk/lines.ts";
import { type LoadedText, loadText } from "../../disk/load.ts";
import type { EditDesk, FileEdit } from "../plan.ts";
import { applyChunks } from "./apply.ts";
import type { Chunk, PatchPart } from "./parse.ts";

export async function planPatch(parts: readonly PatchPart[], desk: EditDesk): Promise<FileEdit[]> {
  const edits: FileEdit[] = [];
  for (const part of parts) edits.push(...(await planPart(part, desk)));
  const paths = edits.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice) throw new ToolError(`The patch names ${twice} twice. Combine its changes.`);
  return edits;
}

async function planPart(part: PatchPart, desk: EditDesk): Promise<FileEdit[]> {
  const path = desk.real(part.path);
  if (part.op === "add") {
    const before = await loadText(path);
    if (before) throw new ToolError(`${part.path} already exists; update it, or delete it first.`);
    return [{ path, after: part.text, notes: [] }];
  }
  const before = await loadText(path);
  if (!before) throw new ToolError(`${part.path} does not exist.`);
  if (part.op === "delete") return [{ path, before, notes: [] }];
  const after = applyToText(before, part.path, part.chunks);
  if (!part.moveTo) return [{ path, before, after, notes: [] }];
  const target = desk.real(part.moveTo);
  if (target === path) return [{ path, before, after, notes: [] }];
  if (await loadText(target)) throw new ToolError(`${part.moveTo} exists already.`);
  return [
    { path: target, after, from: before, notes: [`moved from ${part.path}`] },
    { path, before, notes: [] },
  ];
}

function applyToText(before: LoadedText, name: string, chunks: readonly Chunk[]): string {
  const ended = before.text === "" || before.text.endsWith("\n");
  try {
    const lines = applyChunks(linesOf(before.text), chunks);
    return lines.join("\n") + (ended && lines.length > 0 ? "\n" : "");
  } catch (error) {
    throw new ToolError(`${name}: ${messageOf(error)}\nNothing was changed.`);
  }
}
