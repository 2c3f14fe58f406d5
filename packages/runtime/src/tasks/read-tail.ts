import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * The last bytes of a regular file as text; `undefined` if there is none. A path may name a FIFO or a device: neither is
 * waited for. A cut text starts with a whole line.
 */
export function readTail(path: string, bytes: number): { text: string; cut: boolean } | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const about = fstatSync(file);
    if (!about.isFile()) return undefined;
    const start = Math.max(0, about.size - bytes);
    const buffer = Buffer.alloc(Math.min(bytes, about.size));
    const read = readSync(file, buffer, 0, buffer.length, start);
    const text = buffer.subarray(0, read).toString("utf8");
    return { text: start === 0 ? text : text.slice(text.indexOf("\n") + 1), cut: start > 0 };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
