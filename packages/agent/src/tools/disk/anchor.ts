const PAIRS = 647;
const A = 97;

/** A line's anchor, `LINEhh`: its number and two letters that hash its trimmed text. */
function anchorOf(line: number, text: string): string {
  return `${line}${pairOf(text)}`;
}

/** Formats a line: with an anchor for `edit`, or only with its number where edits take text. */
export function labelLine(line: number, text: string, shown: string, anchors: boolean): string {
  return `${anchors ? anchorOf(line, text) : line}|${shown}`;
}

export function pairOf(text: string): string {
  const index = xxHash32(Buffer.from(text.trim(), "utf8")) % PAIRS;
  return String.fromCharCode(A + Math.floor(index / 26), A + (index % 26));
}

const P1 = 0x9e3779b1;
const P2 = 0x85ebca77;
const P3 = 0xc2b2ae3d;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;

const rotl = (value: number, by: number) => (value << by) | (value >>> (32 - by));
const round = (acc: number, lane: number) => Math.imul(rotl((acc + Math.imul(lane, P2)) | 0, 13), P1);

/** xxHash32 with seed 0. */
export function xxHash32(bytes: Buffer): number {
  let at = 0;
  let hash = P5 | 0;
  if (bytes.length >= 16) {
    const lanes = [(P1 + P2) | 0, P2 | 0, 0, -P1 | 0];
    for (; at + 16 <= bytes.length; at += 16) {
      for (let lane = 0; lane < 4; lane++) lanes[lane] = round(lanes[lane]!, bytes.readInt32LE(at + lane * 4));
    }
    hash = rotl(lanes[0]!, 1) + rotl(lanes[1]!, 7) + rotl(lanes[2]!, 12) + rotl(lanes[3]!, 18);
  }
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(rotl((hash + Math.imul(bytes.readInt32LE(at), P3)) | 0, 17), P4);
  }
  for (; at < bytes.length; at++) hash = Math.imul(rotl((hash + Math.imul(bytes[at]!, P5)) | 0, 11), P1);
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
