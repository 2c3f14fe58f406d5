/**
 * The last output of a terminal in a ring buffer of fixed size. Bytes are addressed by their offset in the whole output.
 */
export class Scrollback {
  readonly #ring: Buffer;
  #end = 0;

  constructor(limit: number) {
    this.#ring = Buffer.alloc(limit);
  }

  /** The first byte that is still there. */
  get start(): number {
    return Math.max(0, this.#end - this.#ring.length);
  }

  /** The byte after the last one. */
  get end(): number {
    return this.#end;
  }

  append(bytes: Uint8Array): void {
    const size = this.#ring.length;
    const tail = bytes.subarray(Math.max(0, bytes.length - size));
    const at = (this.#end + bytes.length - tail.length) % size;
    const head = tail.subarray(0, size - at);
    this.#ring.set(head, at);
    this.#ring.set(tail.subarray(head.length), 0);
    this.#end += bytes.length;
  }

  /** At most `most` bytes from `from` on, or from the oldest stored byte; `offset` is the first byte returned. */
  read(from: number, most: number): { offset: number; bytes: Buffer } {
    const offset = Math.min(Math.max(from, this.start), this.#end);
    const length = Math.min(most, this.#end - offset);
    const at = offset % this.#ring.length;
    const head = this.#ring.subarray(at, at + length);
    return { offset, bytes: Buffer.concat([head, this.#ring.subarray(0, length - head.length)]) };
  }
}
