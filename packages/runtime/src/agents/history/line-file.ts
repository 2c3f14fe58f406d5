import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type Line, LineSplitter } from "../../framing/lines.ts";

const CHUNK = 256 * 1024;
/** Longer lines are skipped; no user message is this long. */
const LONGEST = 32 * 1024 * 1024;

/**
 * Streams the lines of a file; of a file that is being written, up to the last complete line. At most one line and one
 * chunk are in memory. Refuses symbolic links.
 */
export async function* linesOf(path: string, longest = LONGEST): AsyncGenerator<Line> {
  const file = await openFile(path);
  try {
    const splitter = new LineSplitter(longest);
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK);
      if (bytesRead === 0) break;
      yield* splitter.push(chunk.subarray(0, bytesRead));
    }
    // Some writers omit the final line break. An incomplete line is not valid JSON and is dropped.
    yield* splitter.flush().filter((line) => line.kind === "line" && isWhole(line.text));
  } finally {
    await file.close();
  }
}

/** The complete lines within the first `bytes` of a file. */
export async function headLines(path: string, bytes: number): Promise<string[]> {
  const file = await openFile(path);
  try {
    const chunk = Buffer.allocUnsafe(bytes);
    const { bytesRead } = await file.read(chunk, 0, bytes, 0);
    const splitter = new LineSplitter(bytes);
    const lines = splitter.push(chunk.subarray(0, bytesRead));
    if (bytesRead < bytes) lines.push(...splitter.flush());
    return lines.flatMap((line) => (line.kind === "line" ? [line.text] : []));
  } finally {
    await file.close();
  }
}

function openFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
