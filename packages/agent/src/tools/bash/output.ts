import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";

const TAIL_BYTES = 50 * 1024;
/** How much of the beginning is stored in addition to the tail. The bytes in between are counted and dropped. */
const HEAD_BYTES = 8 * 1024 * 1024;
/** How much is streamed while the process runs. */
const LIVE_CHARS = 1024 * 1024;

export type Tail = {
  output: string;
  truncated: boolean;
  totalLines: number;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
};

/**
 * Collects the output of a process in bounded memory: the end in memory, the beginning in a file, which is created only
 * when the output exceeds the tail. `onText` receives pieces of text as they arrive.
 */
export class OutputSink {
  readonly #decoder = new StringDecoder("utf8");
  readonly #file: string;
  readonly #onText: (text: string) => void;
  #chunks: Buffer[] = [];
  #held = 0;
  #streamed = 0;
  #descriptor: number | undefined;
  #written = 0;
  totalBytes = 0;
  #newlines = 0;

  constructor(file: string, onText: (text: string) => void) {
    this.#file = file;
    this.#onText = onText;
  }

  take(chunk: Buffer): void {
    this.totalBytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.#newlines++;
    this.#showLive(this.#decoder.write(chunk));
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#descriptor === undefined && this.#held > TAIL_BYTES) this.#spill(Buffer.concat(this.#chunks));
    else if (this.#descriptor !== undefined) this.#spill(chunk);
    while (this.#chunks.length > 1 && this.#held - this.#chunks[0]!.length >= TAIL_BYTES) {
      this.#held -= this.#chunks.shift()!.length;
    }
  }

  /** The end of the output, from the start of a line. */
  tail(): Tail {
    const all = Buffer.concat(this.#chunks);
    const truncated = this.totalBytes > TAIL_BYTES;
    let end = truncated ? all.subarray(Math.max(0, all.length - TAIL_BYTES)) : all;
    const line = truncated ? end.indexOf(10) : -1;
    if (line >= 0 && line < end.length - 1) end = end.subarray(line + 1);
    const output = cleanOutput(end.toString("utf8").replace(/^\uFFFD+/, ""));
    const open = this.totalBytes > 0 && all.at(-1) !== 10 ? 1 : 0;
    return {
      output,
      truncated,
      totalLines: this.#newlines + open,
      totalBytes: this.totalBytes,
      outputLines: output === "" ? 0 : output.replace(/\n$/, "").split("\n").length,
      outputBytes: Buffer.byteLength(output),
    };
  }

  /** The whole output, or its beginning and end. Only where `truncated`, and once. */
  readWhole(): string {
    this.#close();
    const head = this.#written > 0 ? readFileSync(this.#file, "utf8") : "";
    this.dispose();
    const left = this.totalBytes - this.#written;
    if (left <= 0) return cleanOutput(head);
    const tail = Buffer.concat(this.#chunks).toString("utf8");
    const between = left - Buffer.byteLength(tail);
    if (between <= 0) return cleanOutput(head + tail.slice(-left));
    return cleanOutput(`${head}\n[… ${between} bytes left out …]\n${tail}`);
  }

  dispose(): void {
    this.#close();
    rmSync(this.#file, { force: true });
  }

  #showLive(text: string): void {
    if (text === "" || this.#streamed > LIVE_CHARS) return;
    this.#streamed += text.length;
    this.#onText(text);
    if (this.#streamed > LIVE_CHARS)
      this.#onText("\n[More output follows; its end is shown when the command has ended.]\n");
  }

  #spill(chunk: Buffer): void {
    this.#descriptor ??= openSync(this.#file, "w", 0o600);
    const piece = chunk.subarray(0, Math.max(0, HEAD_BYTES - this.#written));
    if (piece.length > 0) this.#written += writeSync(this.#descriptor, piece);
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Removes terminal control sequences. Of a line that was overwritten, only the last version stays. */
function cleanOutput(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replace(/^.*\r(?!$)/gm, "")
    .replace(/[\0-\x08\x0B-\x1F\x7F]/g, "");
}
