import { isUtf8 } from "node:buffer";
import { ToolError } from "../../contract/tool.ts";

/** A text's encoding on disk. A text written back with the same encoding changes no other bytes. */
export type TextShape = {
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "latin1";
  bom: boolean;
  /** Every line ends with CRLF. With mixed line ends the CRs stay in the text. */
  crlf: boolean;
};

export const PLAIN: TextShape = { encoding: "utf-8", bom: false, crlf: false };

/** Decodes to text with LF line ends; `undefined` if the bytes are not text. */
export function decodeText(bytes: Buffer): { text: string; shape: TextShape } | undefined {
  const { encoding, bom } = encodingOf(bytes);
  const raw = encoding && decodeBytes(bytes.subarray(bom), encoding);
  if (raw === undefined) return undefined;
  const crlf = raw.includes("\r\n") && !/(^|[^\r])\n|\r\r\n/.test(raw);
  return { text: crlf ? raw.replaceAll("\r\n", "\n") : raw, shape: { encoding: encoding!, bom: bom > 0, crlf } };
}

export function encodeText(text: string, shape: TextShape): Buffer {
  const raw = shape.crlf ? text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") : text;
  if (shape.encoding === "utf-8") return Buffer.from(shape.bom ? `\uFEFF${raw}` : raw, "utf8");
  if (shape.encoding === "latin1") {
    const foreign = /[^\u0000-\u00FF]/u.exec(raw);
    if (!foreign) return Buffer.from(raw, "latin1");
    throw new ToolError(
      `The file is in Latin-1, which has no ${JSON.stringify(foreign[0])}. Convert it to UTF-8 first.`,
    );
  }
  const little = Buffer.from(shape.bom ? `\uFEFF${raw}` : raw, "utf16le");
  return shape.encoding === "utf-16le" ? little : little.swap16();
}

function encodingOf(bytes: Buffer): { encoding?: TextShape["encoding"]; bom: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: "utf-8", bom: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", bom: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", bom: 2 };
  const sample = bytes.subarray(0, 8192);
  if (sample.includes(0)) return { ...(looksUtf16(sample) && { encoding: "utf-16le" as const }), bom: 0 };
  if (isUtf8(bytes)) return { encoding: "utf-8", bom: 0 };
  return { ...(looksLatin1(sample) && { encoding: "latin1" as const }), bom: 0 };
}

function decodeBytes(bytes: Buffer, encoding: TextShape["encoding"]): string | undefined {
  if (encoding === "latin1") return bytes.includes(0) ? undefined : bytes.toString("latin1");
  if (encoding === "utf-8") return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : undefined;
  if (bytes.length % 2 === 1) return undefined;
  const little = encoding === "utf-16le" ? bytes : Buffer.from(bytes).swap16();
  const text = little.toString("utf16le");
  return text.isWellFormed() && !text.includes("\0") ? text : undefined;
}

function looksUtf16(sample: Buffer): boolean {
  let odd = 0;
  let even = 0;
  for (const [at, byte] of sample.entries()) {
    if (at % 2 === 1 && byte === 0) odd++;
    // The low byte of a UTF-16 letter is rarely one of these.
    if (at % 2 === 0 && byte < 9) even++;
  }
  return even === 0 && odd > sample.length / 5;
}

function looksLatin1(sample: Buffer): boolean {
  let strange = 0;
  let high = 0;
  for (const byte of sample) {
    if (byte > 0x7f) high++;
    else if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) strange++;
  }
  return strange === 0 && high < sample.length / 3;
}
