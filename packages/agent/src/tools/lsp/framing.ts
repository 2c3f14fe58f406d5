/** Splits a byte stream into messages with a `Content-Length` header. Skips anything that is not a header. */
export class Framing {
  #rest: Buffer = Buffer.alloc(0);

  /** The messages that this chunk completes. */
  take(chunk: Buffer): string[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const texts: string[] = [];
    for (;;) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end < 0) return texts;
      const length = /content-length:\s*(\d+)/i.exec(this.#rest.toString("latin1", 0, end))?.[1];
      if (length === undefined) {
        this.#rest = this.#rest.subarray(end + 4);
        continue;
      }
      const from = end + 4;
      const to = from + Number(length);
      if (this.#rest.length < to) return texts;
      texts.push(this.#rest.toString("utf8", from, to));
      this.#rest = this.#rest.subarray(to);
    }
  }
}

export function framed(message: unknown): string {
  const text = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
