import { crc32 } from "node:zlib";
import type { RawFrame } from "../transport.ts";

/** Larger than any message of a model. A greater length means that this is not an event stream. */
const MAX_BYTES = 24 * 1024 * 1024;
const PRELUDE = 12;
const STRING_HEADER = 7;
/** Size of a header value by type. Strings and byte arrays carry their own length. */
const SIZES: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

/**
 * AWS's binary framing: total length, header length, checksum; headers; payload; checksum. A violation gives a frame named
 * `broken`, and nothing is read after it.
 */
export class EventStreamDecoder {
  #rest = Buffer.alloc(0);
  #broken = false;

  push(bytes: Uint8Array): RawFrame[] {
    if (this.#broken) return [];
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes]);
    const frames: RawFrame[] = [];
    while (this.#rest.length >= PRELUDE) {
      const total = this.#rest.readUInt32BE(0);
      const headers = this.#rest.readUInt32BE(4);
      const isValid = total >= PRELUDE + 4 && total <= MAX_BYTES && headers <= total - PRELUDE - 4;
      if (!isValid || crc32(this.#rest.subarray(0, 8)) !== this.#rest.readUInt32BE(8)) return [...frames, this.#stop()];
      if (this.#rest.length < total) break;
      const message = this.#rest.subarray(0, total);
      this.#rest = this.#rest.subarray(total);
      if (crc32(message.subarray(0, total - 4)) !== message.readUInt32BE(total - 4)) return [...frames, this.#stop()];
      const names = readHeaders(message.subarray(PRELUDE, PRELUDE + headers));
      const data = message.subarray(PRELUDE + headers, total - 4).toString("utf8");
      frames.push({ event: nameOf(names), data });
    }
    return frames;
  }

  flush(): RawFrame[] {
    return this.#rest.length > 0 && !this.#broken ? [this.#stop()] : [];
  }

  #stop(): RawFrame {
    this.#broken = true;
    this.#rest = Buffer.alloc(0);
    return { event: "broken", data: '{"message":"The event stream is broken."}' };
  }
}

function nameOf(headers: Map<string, string>): string {
  const name = headers.get(":event-type") ?? headers.get(":exception-type") ?? headers.get(":error-code") ?? "";
  return headers.get(":message-type") === "event" ? name : `exception:${name}`;
}

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameLength = bytes[at] ?? 0;
    const name = bytes.toString("utf8", at + 1, at + 1 + nameLength);
    const type = bytes[at + 1 + nameLength] ?? -1;
    at += 2 + nameLength;
    const fixed = SIZES[type];
    if (fixed !== undefined) {
      at += fixed;
      continue;
    }
    if ((type !== 6 && type !== STRING_HEADER) || at + 2 > bytes.length) break;
    const size = bytes.readUInt16BE(at);
    if (type === STRING_HEADER) headers.set(name, bytes.toString("utf8", at + 2, at + 2 + size));
    at += 2 + size;
  }
  return headers;
}
