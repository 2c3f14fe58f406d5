import { createReadStream } from "node:fs";
import type { NumberedLine } from "./window.ts";

const KEEP = 64 * 1024;
const NEWLINE = 10;

export type LineScan = { lines: NumberedLine[] /** Known if the end was reached. */; total?: number };

/**
 * Reads lines from a file of any size. It stops at the last requested line and holds only the returned lines in memory,
 * each up to 64 KB.
 */
export async function scanLines(
  path: string,
  windows: readonly { first: number; last: number }[],
  maxLines: number,
  signal: AbortSignal,
): Promise<LineScan> {
  const stop = windows.at(-1)?.last ?? 0;
  const lines: NumberedLine[] = [];
  let number = 1;
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  let lineBytes = 0;
  const isWanted = () => windows.some(({ first, last }) => number >= first && number <= last);
  const take = (piece: Buffer) => {
    lineBytes += piece.length;
    if (heldBytes >= KEEP || piece.length === 0 || !isWanted()) return;
    // A copy, because a slice would hold the whole chunk.
    pieces.push(Buffer.from(piece.subarray(0, KEEP - heldBytes)));
    heldBytes += pieces.at(-1)!.length;
  };
  const end = () => {
    if (isWanted()) lines.push({ number, text: lineText(pieces), cut: lineBytes - heldBytes });
    number++;
    pieces = [];
    heldBytes = 0;
    lineBytes = 0;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, signal }) as AsyncIterable<Buffer>) {
    let at = 0;
    for (let next = chunk.indexOf(NEWLINE); next >= 0; next = chunk.indexOf(NEWLINE, at)) {
      take(chunk.subarray(at, next));
      end();
      at = next + 1;
      if (number > stop || lines.length > maxLines) return { lines };
    }
    take(chunk.subarray(at));
  }
  if (lineBytes > 0) end();
  return { lines, total: number - 1 };
}

function lineText(pieces: Buffer[]): string {
  return Buffer.concat(pieces).toString("utf8").replace(/\r$/, "");
}
