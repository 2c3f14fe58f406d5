import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads a file that a repository supplies. Throws for anything but a regular file of bounded size: a FIFO would block the
 * caller for ever, and a device has no end.
 */
export function readRegularFile(path: string, most = MOST_BYTES): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const kind = fstatSync(file);
    if (!kind.isFile()) throw new Error(`${path} is not a regular file.`);
    if (kind.size > most) throw new Error(`${path} has more than ${Math.round(most / 1024)} KB.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
