import { crc32 } from "node:zlib";

/** Encodes AWS's framing, for tests. */
export const EventStreamCodec = {
  event: (name: string, payload: string): Buffer =>
    message([text(":event-type", name), text(":message-type", "event")], payload),
  exception: (name: string, payload: string): Buffer =>
    message([text(":exception-type", name), text(":message-type", "exception")], payload),
  withOddHeaders: (name: string, payload: string): Buffer =>
    message(
      [
        header("yes", 0, Buffer.alloc(0)),
        header("byte", 2, Buffer.alloc(1)),
        header("number", 4, Buffer.alloc(4)),
        header("bytes", 6, Buffer.from([0, 3, 1, 2, 3])),
        header("time", 8, Buffer.alloc(8)),
        header("uuid", 9, Buffer.alloc(16)),
        text(":event-type", name),
        text(":message-type", "event"),
      ],
      payload,
    ),
};

function header(name: string, type: number, value: Buffer): Buffer {
  const key = Buffer.from(name);
  return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([type]), value]);
}

function text(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(bytes.length);
  return header(name, 7, Buffer.concat([size, bytes]));
}

function message(headers: Buffer[], payload: string): Buffer {
  const head = Buffer.concat(headers);
  const body = Buffer.from(payload);
  const whole = Buffer.alloc(12 + head.length + body.length + 4);
  whole.writeUInt32BE(whole.length, 0);
  whole.writeUInt32BE(head.length, 4);
  whole.writeUInt32BE(crc32(whole.subarray(0, 8)), 8);
  head.copy(whole, 12);
  body.copy(whole, 12 + head.length);
  whole.writeUInt32BE(crc32(whole.subarray(0, -4)), whole.length - 4);
  return whole;
}
