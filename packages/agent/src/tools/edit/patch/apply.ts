import { ToolError } from "../../../contract/tool.ts";
import { plainText } from "../replace/normalize.ts";
import type { Chunk } from "./parse.ts";

const LOOKS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plainText(line).trim(),
];

/** The lines with all chunks applied. Chunks are searched from top to bottom, each after the one before. */
export function applyChunks(lines: readonly string[], chunks: readonly Chunk[]): string[] {
  const result: string[] = [];
  let copied = 0;
  let from = 0;
  for (const chunk of chunks) {
    for (const header of chunk.after) {
      const at = seek(lines, [header], from, false);
      if (at < 0) throw new ToolError(`there is no line "${header.slice(0, 100)}" after line ${from}.`);
      from = at + 1;
    }
    const { at, length } = placeOf(lines, chunk, from);
    for (; copied < at; copied++) result.push(lines[copied]!);
    for (const line of replacement(lines, chunk, at)) result.push(line);
    copied = at + length;
    from = copied;
  }
  for (; copied < lines.length; copied++) result.push(lines[copied]!);
  return result;
}

function placeOf(lines: readonly string[], chunk: Chunk, from: number): { at: number; length: number } {
  if (chunk.old.length === 0) {
    return { at: chunk.after.length > 0 && !chunk.atEnd ? from : lines.length, length: 0 };
  }
  const at = seek(lines, chunk.old, from, chunk.atEnd);
  if (at >= 0) return { at, length: chunk.old.length };
  // A blank last line is often only the end of the patch.
  if (chunk.old.at(-1) === "" && chunk.old.length > 1) {
    const shorter = seek(lines, chunk.old.slice(0, -1), from, chunk.atEnd);
    if (shorter >= 0) return { at: shorter, length: chunk.old.length - 1 };
  }
  throw new ToolError(`these lines are not in the file after line ${from}:\n${chunk.old.slice(0, 12).join("\n")}`);
}

/** Context lines keep the file's own spacing, even if the patch differs. */
function replacement(lines: readonly string[], chunk: Chunk, at: number): string[] {
  const context = new Map<string, string[]>();
  for (const [index, line] of chunk.old.entries()) {
    const own = lines[at + index];
    if (own !== undefined) context.set(line, [...(context.get(line) ?? []), own]);
  }
  const short = chunk.old.at(-1) === "" && lines[at + chunk.old.length - 1] !== "" && chunk.new.at(-1) === "";
  const wanted = short ? chunk.new.slice(0, -1) : chunk.new;
  return wanted.map((line) => context.get(line)?.shift() ?? line);
}

function seek(lines: readonly string[], wanted: readonly string[], from: number, atEnd: boolean): number {
  const last = lines.length - wanted.length;
  for (const look of LOOKS) {
    const target = wanted.map(look);
    const fits = (at: number) => target.every((line, index) => look(lines[at + index]!) === line);
    if (atEnd && last >= from && fits(last)) return last;
    for (let at = from; at <= last; at++) if (fits(at)) return at;
  }
  return -1;
}
