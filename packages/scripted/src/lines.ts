import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/**
 * Calls `onLine` for every line of a byte stream, split at LF only (U+2028 and CR are text), and `onEnd` once when
 * the stream ends or breaks. A last line without LF still counts.
 */
export function readLines(stream: Readable, onLine: (line: string) => void, onEnd: () => void = () => {}): void {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let ended = false;
  const take = (text: string) => {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      parts.push(text.slice(from, at));
      const line = parts.join("");
      parts = [];
      from = at + 1;
      onLine(line);
    }
    if (from < text.length) parts.push(text.slice(from));
  };
  const finish = () => {
    if (ended) return;
    ended = true;
    take(decoder.end());
    if (parts.length > 0) onLine(parts.join(""));
    onEnd();
  };
  stream.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
  stream.on("end", finish);
  stream.on("close", finish);
  stream.on("error", finish);
}
