import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Enough for a dozen large images in one prompt. A longer line means that the input is not line-based. */
export const MAX_LINE = 64 * 1024 * 1024;

export type LineHandlers = {
  line(text: string): void;
  /** A line exceeded the limit and is skipped to its end. Called once per line, as soon as the limit is exceeded. */
  tooLong(limit: number): void;
  /** Once, when the stream ends or breaks. */
  end(): void;
};

/** Splits a byte stream at LF only: CR, U+2028 and U+2029 are text. Includes a last line without LF; skips blank lines. */
export function readCommandLines(stream: Readable, handlers: LineHandlers, limit = MAX_LINE): void {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let length = 0;
  let skipping = false;
  let ended = false;

  const add = (text: string) => {
    if (skipping || text === "") return;
    length += text.length;
    if (length <= limit) return void parts.push(text);
    skipping = true;
    parts = [];
    handlers.tooLong(limit);
  };
  const finishLine = () => {
    const line = parts.join("");
    const skipped = skipping;
    parts = [];
    length = 0;
    skipping = false;
    if (!skipped && line.trim() !== "") handlers.line(line);
  };
  const take = (text: string) => {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      add(text.slice(from, at));
      finishLine();
      from = at + 1;
    }
    add(text.slice(from));
  };
  const finish = () => {
    if (ended) return;
    ended = true;
    take(decoder.end());
    finishLine();
    handlers.end();
  };
  stream.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
  stream.on("end", finish);
  stream.on("close", finish);
  stream.on("error", finish);
}
