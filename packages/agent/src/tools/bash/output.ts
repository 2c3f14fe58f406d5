import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";

const TAIL_BYTES = 50 * 1024;
/** Of the whole output so much is kept beside the tail; what is between is counted and left out. */
const HEAD_BYTES = 8 * 1024 * 1024;
/** So much is passed on while it comes. */
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
 * Takes the output of a process as it comes, in bounded memory: the end of it here, the beginning in a file that is made
 * only when the end is not all of it. `tell` gets pieces of text while they come.
 */
export class OutputSink {
  readonly #decoder = new StringDecoder("utf8");
  readonly #file: string;
  readonly #tell: (text: string) => void;
  #chunks: Buffer[] = [];
  #held = 0;
  #told = 0;
  #descriptor: number | undefined;
  #written = 0;
  totalBytes = 0;
  #newlines = 0;

  constructor(file: string, tell: (text: string) => void) {
    this.#file = file;
    this.#tell = tell;
  }

  take(chunk: Buffer): void {
    this.totalBytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.#newlines++;
    this.#live(this.#decoder.write(chunk));
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#descriptor === undefined && this.#held > TAIL_BYTES) this.#spill(Buffer.concat(this.#chunks));
    else if (this.#descriptor !== undefined) this.#spill(chunk);
    while (this.#chunks.length > 1 && this.#held - this.#chunks[0]!.length >= TAIL_BYTES) {
      this.#held -= this.#chunks.shift()!.length;
    }
  }

  /** The end of the output, from the beginning of a line. */
  tail(): Tail {
    const all = Buffer.concat(this.#chunks);
    const truncated = this.totalBytes > TAIL_BYTES;
    let kept = truncated ? all.subarray(Math.max(0, all.length - TAIL_BYTES)) : all;
    const line = truncated ? kept.indexOf(10) : -1;
    if (line >= 0 && line < kept.length - 1) kept = kept.subarray(line + 1);
    const output = clean(kept.toString("utf8").replace(/^\uFFFD+/, ""));
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

  /** All of it, or its beginning and its end. Only where `truncated`; once. */
  whole(): string {
    this.#close();
    const head = this.#written > 0 ? readFileSync(this.#file, "utf8") : "";
    this.dispose();
    const left = this.totalBytes - this.#written;
    if (left <= 0) return clean(head);
    const tail = Buffer.concat(this.#chunks).toString("utf8");
    const between = left - Buffer.byteLength(tail);
    if (between <= 0) return clean(head + tail.slice(-left));
    return clean(`${head}\n[… ${between} bytes are left out …]\n${tail}`);
  }

  dispose(): void {
    this.#close();
    rmSync(this.#file, { force: true });
  }

  #live(text: string): void {
    if (text === "" || this.#told > LIVE_CHARS) return;
    this.#told += text.length;
    this.#tell(text);
    if (this.#told > LIVE_CHARS) this.#tell("\n[There is more; only its end is shown when it is done.]\n");
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

/** Without what only a terminal understands; of a line that was written over, what was left standing. */
function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replace(/^.*\r(?!$)/gm, "")
    .replace(/[\0-\x08\x0B-\x1F\x7F]/g, "");
}
