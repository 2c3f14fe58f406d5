import { Transform } from "node:stream";
import { formatBytes } from "@gantry/terminal";
import type { Output } from "./output.ts";

const SHOWN_AFTER_MS = 400;
const PAUSE_MS = 120;

/** A progress line on the terminal for slow operations; nothing in a pipe. */
export class Progress {
  readonly #output: Output;
  readonly #begun = performance.now();
  #last = 0;
  #shown = false;

  constructor(output: Output) {
    this.#output = output;
  }

  show(text: string): void {
    const now = performance.now();
    if (!this.#output.interactive || now - this.#begun < SHOWN_AFTER_MS || now - this.#last < PAUSE_MS) return;
    this.#last = now;
    this.#shown = true;
    process.stderr.write(`\r\u001b[2K${this.#output.notePaint.dim(text)}`);
  }

  end(): void {
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}

/** A pass-through stream that counts its bytes and shows the progress. */
export function countBytes(output: Output, what: string, total?: number) {
  const progress = new Progress(output);
  let size = 0;
  const through = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length;
      progress.show(`${what} ${formatBytes(size)}${total ? ` of ${formatBytes(total)}` : ""}`);
      done(null, piece);
    },
  });
  return { through, bytes: () => size, end: () => progress.end() };
}
