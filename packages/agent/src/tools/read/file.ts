import { open, readFile, stat } from "node:fs/promises";
import { type ToolContext, ToolError, type ToolOutput } from "../../contract/tool.ts";
import { textOutput } from "../define.ts";
import { decodeText, type TextShape } from "../disk/encoding.ts";
import { linesOf } from "../disk/lines.ts";
import { fileErrorText } from "../disk/load.ts";
import { displayPath } from "../disk/path.ts";
import { snapshotsOf } from "../disk/snapshots.ts";
import { readDirectory } from "./directory.ts";
import { imageType, readImage } from "./image.ts";
import { scanLines } from "./large-file.ts";
import { notebookText } from "./notebook.ts";
import type { Selector } from "./selector.ts";
import { type NumberedLine, printLines, type ReadLimits, windowsOf } from "./window.ts";

/** Larger files are read line by line and not stored as snapshots. */
const WHOLE_BYTES = 8 * 1024 * 1024;
const HEAD_BYTES = 8192;

/** Reads a file, folder or image at a real path. */
export async function readPath(
  path: string,
  selector: Selector,
  limits: ReadLimits,
  context: ToolContext,
): Promise<ToolOutput> {
  try {
    const info = await stat(path);
    if (info.isDirectory()) return await readDirectory(path, context);
    if (!info.isFile()) throw new ToolError(`${displayPath(path, context)} is neither a file nor a folder.`);
    const head = await headOf(path);
    const image = imageType(head);
    if (image) return await readImage(path, image, info.size, context);
    if (info.size > WHOLE_BYTES) return await readLarge(path, head, info.size, selector, limits, context);
    return await readWhole(path, selector, limits, context);
  } catch (error) {
    if (error instanceof ToolError || context.signal.aborted) throw error;
    throw new ToolError(fileErrorText(error, displayPath(path, context)), { cause: error });
  }
}

async function readWhole(path: string, selector: Selector, limits: ReadLimits, context: ToolContext) {
  const bytes = await readFile(path, { signal: context.signal });
  const decoded = decodeText(bytes);
  if (!decoded) throw binaryFileError(path, bytes.length, context);
  const notebook = !selector.raw && path.endsWith(".ipynb") ? notebookText(decoded.text) : undefined;
  if (notebook === undefined) snapshotsOf(context).remember(path, decoded.text);
  const notes = notebook === undefined ? shapeNotes(decoded.shape) : ["Notebook as text; `:raw` returns its JSON."];
  const shownLimits = notebook === undefined ? limits : { ...limits, anchors: false };
  return printText(notebook ?? decoded.text, displayPath(path, context), selector, shownLimits, notes);
}

/** The selected lines of a text with their numbers, and notes on what is left out. */
export function printText(
  text: string,
  name: string,
  selector: Selector,
  limits: ReadLimits,
  notes: string[] = [],
): ToolOutput {
  const lines = linesOf(text);
  const windows = windowsOf(selector, limits);
  const last = windows.at(-1)!.last;
  const beyond = selector.ranges[0] && selector.ranges[0].first > lines.length;
  if (beyond)
    throw new ToolError(`${name} has ${lines.length} lines; line ${selector.ranges[0]!.first} is beyond its end.`);
  const printed = printLines(selectLines(lines, windows), selector.raw, limits);
  const more = printed.lastShown < lines.length && (printed.full || last < lines.length);
  if (lines.length === 0) notes.push("The file is empty.");
  if (more)
    notes.push(
      `Shown up to line ${printed.lastShown} of ${lines.length}. Continue with ${name}:${printed.lastShown + 1}`,
    );
  return textOutput(withNotes(printed.text, notes), {
    path: name,
    totalLines: lines.length,
    shownLines: printed.lines,
    truncated: more,
  });
}

function* selectLines(lines: string[], windows: readonly { first: number; last: number }[]): Iterable<NumberedLine> {
  for (const { first, last } of windows) {
    for (let number = first; number <= Math.min(last, lines.length); number++) {
      yield { number, text: lines[number - 1]! };
    }
  }
}

async function readLarge(
  path: string,
  head: Buffer,
  size: number,
  selector: Selector,
  limits: ReadLimits,
  context: ToolContext,
) {
  const name = displayPath(path, context);
  if (head.includes(0)) throw binaryFileError(path, size, context);
  const windows = windowsOf(selector, limits);
  const scan = await scanLines(path, windows, limits.maxLines, context.signal);
  const first = selector.ranges[0]?.first;
  if (scan.lines.length === 0 && first)
    throw new ToolError(`${name} has ${scan.total} lines; line ${first} is beyond its end.`);
  const printed = printLines(scan.lines, selector.raw, limits);
  const more = printed.full || scan.total === undefined;
  const notes = [`A large file (${size} bytes), read in part.`];
  if (more) notes.push(`Shown up to line ${printed.lastShown}. Continue with ${name}:${printed.lastShown + 1}`);
  return textOutput(withNotes(printed.text, notes), { path: name, size, shownLines: printed.lines, truncated: more });
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(buffer, 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function binaryFileError(path: string, size: number, context: ToolContext): ToolError {
  return new ToolError(
    `${displayPath(path, context)} is a binary file of ${size} bytes and cannot be shown as text. Try a command such as \`file\` or \`xxd\`.`,
  );
}

function shapeNotes(shape: TextShape): string[] {
  const parts = [
    shape.encoding === "utf-8" ? "" : shape.encoding.toUpperCase(),
    shape.bom ? "byte order mark" : "",
    shape.crlf ? "CRLF line ends" : "",
  ].filter(Boolean);
  return parts.length ? [`On disk: ${parts.join(", ")}; edits preserve it.`] : [];
}

function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  return `${text}${text ? "\n\n" : ""}${notes.map((note) => `[${note}]`).join("\n")}`;
}
