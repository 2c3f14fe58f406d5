import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { LineSplitter } from "../../framing/lines.ts";
import { damagedFileError } from "./errors.ts";
import { limits } from "./format.ts";

/**
 * The lines of a packed file, in bounded memory. Throws `damaged_file` for another format or too much content, and the
 * reason of `signal` once it is aborted.
 */
export async function* unpackLines(path: string, signal?: AbortSignal): AsyncGenerator<string> {
  const splitter = new LineSplitter(limits.lineBytes);
  const file = createReadStream(path);
  const gunzip = file.pipe(createGunzip());
  file.on("error", (error) => gunzip.destroy(error));
  let bytes = 0;
  let end = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      if (bytes > limits.unpackedBytes) throw damagedFileError("it holds more than a session can");
      // A line without an end must exhaust neither memory nor time.
      if (splitter.rest() > limits.lineBytes) throw damagedFileError("a line in it is too long");
      for (const line of splitter.push(chunk)) {
        if (line.kind === "oversize") throw damagedFileError("a line in it is too long");
        end = line.end;
        yield line.text;
      }
      // No export has blank lines. A file of a few bytes can expand to billions of them.
      if (end !== splitter.offset) throw damagedFileError("it has blank lines");
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
  return String(code).startsWith("Z_") ? damagedFileError("it is not a file that `gantry export` writes") : error;
}
