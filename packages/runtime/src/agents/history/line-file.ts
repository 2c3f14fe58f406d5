import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type Line, LineSplitter } from "../../framing/lines.ts";

const CHUNK = 256 * 1024;
/** Lines longer than this are left out: nothing that a person said is so long. */
const LONGEST = 32 * 1024 * 1024;

/**
 * The lines of a file, as they are when it is read; of one that is being written, up to its last whole line. Never
 * more than a line and a chunk of it is in memory. A link in place of the file is refused.
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
    // Some writers leave the last line end out; half a line is not JSON.
    yield* splitter.flush().filter((line) => line.kind === "line" && isWhole(line.text));
  } finally {
    await file.close();
  }
}

/** The first lines of a file, as far as `bytes` go; a line that is cut there is left out. */
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
