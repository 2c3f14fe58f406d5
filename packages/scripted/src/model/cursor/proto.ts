/** The part of protobuf's wire format that the backend needs. Messages are lists of numbered fields. */
export type Field = [number: number, value: number | Buffer];

export function encodeText(number: number, text: string): Buffer {
  return encodeMessage(number, Buffer.from(text));
}

export function encodeMessage(number: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([encodeVarint((number << 3) | 2), encodeVarint(body.length), body]);
}

export function encodeNumber(number: number, value: number): Buffer {
  return Buffer.concat([encodeVarint(number << 3), encodeVarint(value)]);
}

/** The fields of a message, in order. Throws for bytes that are no message. */
export function decodeMessage(bytes: Buffer): Field[] {
  const found: Field[] = [];
  let at = 0;
  const readVarint = () => {
    let [result, shift] = [0n, 0n];
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("the message is cut off");
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(result);
      shift += 7n;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = readVarint();
    const [number, type] = [key >>> 3, key & 7];
    if (type === 0) found.push([number, readVarint()]);
    else if (type === 2) found.push([number, take(readVarint())]);
    else if (type === 1 || type === 5) found.push([number, take(type === 1 ? 8 : 4)]);
    else throw new Error(`unknown wire type ${type}`);
  }
  return found;
}

/** The bytes at a path of field numbers; the last field of that number wins. `undefined` if one is missing. */
export function bytesAt(bytes: Buffer | undefined, ...path: number[]): Buffer | undefined {
  return path.reduce<Buffer | undefined>((message, number) => message && allBytes(message, number).at(-1), bytes);
}

export function textAt(bytes: Buffer | undefined, ...path: number[]): string {
  return bytesAt(bytes, ...path)?.toString() ?? "";
}

/** Every value of a repeated field. */
export function allBytes(bytes: Buffer | undefined, number: number): Buffer[] {
  return decodeMessage(bytes ?? Buffer.alloc(0)).flatMap(([found, value]) =>
    found === number && Buffer.isBuffer(value) ? [value] : [],
  );
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
}

/** A frame of Connect's streams: a flag, a length and the message. */
export function connectFrame(bytes: Buffer, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** The number in a field; `undefined` if it is missing. */
export function numberAt(bytes: Buffer, number: number): number | undefined {
  const value = decodeMessage(bytes).find(([found]) => found === number)?.[1];
  return typeof value === "number" ? value : undefined;
}
