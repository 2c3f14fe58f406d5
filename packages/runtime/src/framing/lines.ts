import type { Frame } from "../agents/contract.ts";
import { hideTokens } from "./redact.ts";

/** Longer lines are dropped except for their start. */
export const DEFAULT_LINE_LIMIT = 16 * 1024 * 1024;

const HEAD_BYTES = 512;
const LF = 10;
const CR = 13;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * A line without its line end. `end` is the absolute offset of the byte after its LF. Of an oversize line only the
 * length (without the LF) and the beginning are known.
 */
export type Line =
  | { kind: "line"; text: string; end: number }
  | { kind: "oversize"; size: number; head: string; end: number };

/**
 * Cuts a byte stream into lines at LF and nowhere else. A CR before the LF is dropped, invalid UTF-8 is replaced, and
 * blank lines are skipped, though their bytes count in `end`. The result does not depend on where chunks were cut.
 * Memory stays below the limit plus a chunk; a chunk may be reused by the caller after `push`.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #headBytes: number;
  #parts: Buffer[] = [];
  /** Bytes since the last LF, dropped ones included. */
  #size = 0;
  #offset: number;

  constructor(limitBytes: number = DEFAULT_LINE_LIMIT, startOffset = 0) {
    this.#limit = limitBytes;
    this.#headBytes = Math.min(HEAD_BYTES, limitBytes);
    this.#offset = startOffset;
  }

  /** The absolute offset after the last LF seen: everything before it has been returned. */
  get offset(): number {
    return this.#offset;
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, from)) {
      const line = this.#close(chunk.subarray(from, lf), 1);
      if (line) lines.push(line);
      from = lf + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from), true);
    return lines;
  }

  /** Bytes of the unfinished last line. */
  rest(): number {
    return this.#size;
  }

  /** The beginning of the unfinished last line. */
  head(): string {
    return headOf((this.#parts[0] ?? Buffer.alloc(0)).subarray(0, this.#headBytes));
  }

  /** Hands out the unfinished last line as if it had ended: for a stream that has ended. */
  flush(): Line[] {
    if (this.#size === 0) return [];
    const line = this.#close(Buffer.alloc(0), 0);
    return line ? [line] : [];
  }

  #close(tail: Buffer, lineEnd: number): Line | undefined {
    this.#keep(tail, false);
    const size = this.#size;
    const bytes = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    this.#offset += size + lineEnd;
    if (size > this.#limit) return { kind: "oversize", size, head: headOf(bytes), end: this.#offset };
    const text = bytes.toString("utf8", 0, bytes[size - 1] === CR ? size - 1 : size);
    return isBlank(text) ? undefined : { kind: "line", text, end: this.#offset };
  }

  #keep(part: Buffer, copy: boolean): void {
    const before = this.#size;
    this.#size += part.length;
    if (this.#size <= this.#limit) {
      this.#parts.push(copy ? Buffer.from(part) : part);
      return;
    }
    if (before > this.#limit) return;
    const head = Buffer.concat([...this.#parts, part.subarray(0, this.#headBytes)]);
    this.#parts = [Buffer.from(head.subarray(0, this.#headBytes))];
  }
}

/**
 * Deeper JSON is not read: functions that recurse over a message, such as JSON.stringify, fail on it at a depth that
 * depends on the caller's stack.
 */
export const MAX_DEPTH = 200;

/**
 * A line of stdout as a frame: JSON objects and arrays are messages, anything else is text. A byte order mark is
 * ignored.
 */
export function parseLine(text: string): Frame {
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "[") return { dir: "out", text };
  if (text.length > 2 * MAX_DEPTH && isDeep(text))
    return { dir: "out", text, problem: `nested deeper than ${MAX_DEPTH} levels` };
  try {
    // trimStart removes a byte order mark, which JSON.parse does not accept.
    return { dir: "out", msg: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch {
    return { dir: "out", text };
  }
}

/** Whether JSON nests deeper than `MAX_DEPTH`. Brackets inside strings do not count. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return true;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--;
  }
  return false;
}

/** The place of the quote that ends the string; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/** A line as a frame, oversize ones included. */
export function frameOf(line: Line): Frame {
  if (line.kind === "oversize") return { dir: "out", oversize: line.size, head: hideTokens(line.head) };
  return parseLine(hideTokens(line.text));
}

function isBlank(text: string): boolean {
  return text === "" || /^[ \t\r]*$/.test(text);
}

/** The text of a line's first bytes, without a character that was cut in two. */
function headOf(head: Buffer): string {
  let end = head.length;
  const lead = lastLead(head);
  if (lead !== -1 && lead + sequenceLength(head[lead]!) > end) end = lead;
  return head.toString("utf8", 0, end);
}

function lastLead(bytes: Buffer): number {
  for (let i = bytes.length - 1; i >= Math.max(0, bytes.length - 4); i--) {
    if ((bytes[i]! & 0xc0) === 0xc0) return i;
    if (bytes[i]! < 0x80) return -1;
  }
  return -1;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** A message as one line for an agent. Escapes U+2028 and U+2029, which many line readers treat as line ends. */
export function lineOf(msg: unknown): string {
  return JSON.stringify(msg).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
