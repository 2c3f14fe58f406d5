import type { ImageBlock, TextBlock } from "@gantry/models";
import type { ToolOutput } from "../../contract/tool.ts";

/** Sizes in UTF-8 bytes; columns in characters. */
export type SpillLimits = { threshold: number; head: number; tail: number; columns: number };

export type Shortened = { text: string; artifactId?: string };

/**
 * Shortens an output for the conversation. A long text is spilled through `keep`, and its beginning and end stay; wide
 * lines are cut.
 */
export function shortenOutput(
  output: ToolOutput,
  limits: SpillLimits,
  keep: (text: string) => string | undefined,
): ToolOutput {
  const text = output.content.map((each) => (each.type === "text" ? each.text : "")).join("\n");
  if (Buffer.byteLength(text) <= limits.threshold && !hasWideLine(text, limits.columns)) return output;
  const images = output.content.filter((each): each is ImageBlock => each.type === "image");
  const short: TextBlock = { type: "text", text: shortenText(text, limits, keep).text };
  return { ...output, content: [short, ...images] };
}

export function shortenText(text: string, limits: SpillLimits, keep: (text: string) => string | undefined): Shortened {
  const bytes = Buffer.byteLength(text);
  const narrow = hasWideLine(text, limits.columns) ? cutColumns(text, limits.columns) : text;
  if (bytes <= limits.threshold) return { text: narrow };
  const artifactId = keep(text);
  const buffer = Buffer.from(narrow);
  if (buffer.length <= limits.head + limits.tail) return { text: `${narrow}\n${artifactNote(artifactId)}`, artifactId };
  const head = wholeLinesHead(buffer.subarray(0, limits.head));
  const tail = wholeLinesTail(buffer.subarray(buffer.length - limits.tail));
  const left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return { text: `${head}\n[… ${left} bytes omitted. ${artifactNote(artifactId)} …]\n${tail}`, artifactId };
}

function artifactNote(artifactId: string | undefined): string {
  return artifactId === undefined ? "The rest could not be stored." : `Full output: artifact://${artifactId}`;
}

function hasWideLine(text: string, columns: number): boolean {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    if ((end < 0 ? text.length : end) - from > columns) return true;
    if (end < 0) return false;
    from = end + 1;
  }
  return false;
}

function cutColumns(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) =>
      line.length > columns ? `${trimPair(line.slice(0, columns))}… [${line.length - columns} more]` : line,
    )
    .join("\n");
}

/** Drops half a surrogate pair at the end. */
function trimPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** Cuts at the last line break, or at least between characters. */
function wholeLinesHead(bytes: Buffer): string {
  const end = bytes.lastIndexOf(10);
  if (end > bytes.length / 2) return bytes.subarray(0, end).toString();
  let cut = bytes.length;
  while (cut > 0 && isContinuation(bytes[cut - 1])) cut -= 1;
  return bytes.subarray(0, Math.max(0, cut - 1)).toString();
}

function wholeLinesTail(bytes: Buffer): string {
  const start = bytes.indexOf(10);
  if (start >= 0 && start < bytes.length / 2) return bytes.subarray(start + 1).toString();
  let cut = 0;
  while (cut < bytes.length && isContinuation(bytes[cut])) cut += 1;
  return bytes.subarray(cut).toString();
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
