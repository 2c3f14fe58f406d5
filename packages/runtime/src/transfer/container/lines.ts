import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { LineSplitter } from "../../framing/lines.ts";
import { damaged } from "./errors.ts";
import { limits } from "./format.ts";

/** The lines of a packed file, in bounded memory. Throws `damaged_file` for another format or too much content. */
export async function* unpacked(path: string): AsyncGenerator<string> {
  const splitter = new LineSplitter(limits.lineBytes);
  const file = createReadStream(path);
  const gunzip = file.pipe(createGunzip());
  file.on("error", (error) => gunzip.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limits.unpackedBytes) throw damaged("it holds more than a session can");
      // A line without an end must exhaust neither memory nor time.
      if (splitter.rest() > limits.lineBytes) throw damaged("a line in it is too long");
      for (const line of splitter.push(chunk)) {
        if (line.kind === "oversize") throw damaged("a line in it is too long");
        yield line.text;
      }
    }
  } catch (error) {
    throw explained(error);
  } finally {
    file.destroy();
    gunzip.destroy();
  }
  if (splitter.rest() > 0) throw damaged("it ends in the middle of a line");
}

function explained(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return damaged("it is cut off");
  return code?.startsWith("Z_") ? damaged("it is not a file that `gantry export` writes") : error;
}
