import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { LineSplitter } from "../../framing/lines.ts";
import { damagedFileError } from "./errors.ts";
import { limits } from "./format.ts";

/** The lines of a packed file, in bounded memory. Throws `damaged_file` for another format or too much content. */
export async function* unpackLines(path: string): AsyncGenerator<string> {
  const splitter = new LineSplitter(limits.lineBytes);
  const file = createReadStream(path);
  const gunzip = file.pipe(createGunzip());
  file.on("error", (error) => gunzip.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limits.unpackedBytes) throw damagedFileError("it holds more than a session can");
      // A line without an end must exhaust neither memory nor time.
      if (splitter.rest() > limits.lineBytes) throw damagedFileError("a line in it is too long");
      for (const line of splitter.push(chunk)) {
        if (line.kind === "oversize") throw damagedFileError("a line in it is too long");
        yield line.text;
      }
    }
  } catch (error) {
    throw toFileError(error);
  } finally {
    file.destroy();
    gunzip.destroy();
  }
  if (splitter.rest() > 0) throw damagedFileError("it ends in the middle of a line");
}

function toFileError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return damagedFileError("it is cut off");
  return code?.startsWith("Z_") ? damagedFileError("it is not a file that `gantry export` writes") : error;
}
