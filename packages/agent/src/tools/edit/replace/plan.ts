import { ToolError } from "../../../contract/tool.ts";
import { loadText } from "../../disk/load.ts";
import type { EditDesk, FileEdit } from "../plan.ts";
import { findPlaces, type Place } from "./find.ts";

export type Replacement = { old_text: string; new_text: string; all?: boolean | undefined };

/** All replacements are searched in the original text. */
export async function planReplace(path: string, edits: readonly Replacement[], desk: EditDesk): Promise<FileEdit[]> {
  const before = await loadText(desk.real(path));
  if (!before) throw new ToolError(`${path} does not exist; use \`write\` for a new file.`);
  const places = edits.flatMap((edit, index) => placesOf(before.text, edit, path, index, edits.length, desk.fuzzy));
  places.sort((a, b) => a.start - b.start);
  let after = "";
  let at = 0;
  for (const place of places) {
    if (place.start < at)
      throw new ToolError(`Two edits of ${path} overlap at line ${lineAt(before.text, place.start)}. Combine them.`);
    after += before.text.slice(at, place.start) + place.replacement;
    at = place.end;
  }
  after += before.text.slice(at);
  const loose = places.filter(({ how }) => how !== "exact");
  const notes = loose.map(({ start, how }) => {
    const line = lineAt(before.text, start);
    return `Line ${line}: the old text was found ${how === "plain" ? "with different spaces or characters" : "as an approximate match"}.`;
  });
  return [{ path: before.path, before, after, notes }];
}

function placesOf(text: string, edit: Replacement, path: string, index: number, count: number, fuzzy: number): Place[] {
  const which = count > 1 ? `Edit ${index + 1} of ${count}: ` : "";
  const oldText = edit.old_text.replaceAll("\r\n", "\n");
  const newText = edit.new_text.replaceAll("\r\n", "\n");
  if (oldText === "") throw new ToolError(`${which}old_text is empty.`);
  if (oldText === newText) throw new ToolError(`${which}old_text and new_text are the same.`);
  const places = findPlaces(text, oldText, newText, fuzzy);
  if (places.length === 0)
    throw new ToolError(`${which}old_text is not in ${path}. Read the file; nothing was changed.`);
  if (places.length === 1 || edit.all) return places;
  const lines = places.slice(0, 10).map(({ start }) => lineAt(text, start));
  throw new ToolError(
    `${which}old_text occurs in ${path} ${places.length} times (lines ${lines.join(", ")}${places.length > 10 ? ", …" : ""}). Include more context, or set \`all: true\`.`,
  );
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
