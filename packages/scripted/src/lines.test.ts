import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readLines } from "./lines.ts";

test("splits lines at LF only, across chunks, with a last line without LF", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  const ended = new Promise<void>((resolve) => readLines(stream, (line) => lines.push(line), resolve));
  const bytes = Buffer.from("a\u2028b\r\n\n🚀 end");
  for (const byte of bytes) stream.write(Buffer.of(byte));
  stream.end();
  await ended;
  expect(lines).toEqual(["a\u2028b\r", "", "🚀 end"]);
});
