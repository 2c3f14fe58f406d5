import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInbound } from "./commands.ts";
import { readCommandLines } from "./lines.ts";

async function linesOf(chunks: Buffer[], limit?: number): Promise<{ lines: string[]; tooLong: number }> {
  const stream = new PassThrough();
  const lines: string[] = [];
  let tooLong = 0;
  const ended = new Promise<void>((resolve) => {
    const handlers = { line: (line: string) => lines.push(line), tooLong: () => (tooLong += 1), end: resolve };
    readCommandLines(stream, handlers, limit);
  });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await ended;
  return { lines, tooLong };
}

describe("lines of commands", () => {
  it("end only at LF", async () => {
    const { lines } = await linesOf([Buffer.from("a\u2028b\u2029c\rd\n\n  \nlast")]);
    expect(lines).toEqual(["a\u2028b\u2029c\rd", "last"]);
  });

  it("do not depend on how the bytes are chunked", async () => {
    const text = fc.array(fc.string({ unit: "grapheme" }).map((part) => part.replaceAll("\n", "")));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (parts, size) => {
        const bytes = Buffer.from(parts.join("\n"));
        const chunks = [];
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
        expect((await linesOf(chunks)).lines).toEqual(parts.filter((part) => part.trim() !== ""));
      }),
      { numRuns: 50 },
    );
  });

  it("over the limit are reported once and skipped", async () => {
    const { lines, tooLong } = await linesOf(
      [Buffer.from(`short\n${"x".repeat(50)}`), Buffer.from("yyyy\nnext\n")],
      20,
    );
    expect(lines).toEqual(["short", "next"]);
    expect(tooLong).toBe(1);
  });
});

describe("readInbound", () => {
  it("never throws and returns id and name", () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, id) => {
        expect(readInbound(json).kind).toBeTypeOf("string");
        const wrong = readInbound(JSON.stringify({ id, type: "prompt", message: 5 }));
        expect(wrong).toMatchObject({ kind: "wrong", id, command: "prompt" });
      }),
    );
  });

  it.each([
    ["not json", { command: "parse" }],
    ["[]", { command: "parse" }],
    ["null", { command: "parse" }],
    ['{"id":"a"}', { id: "a", command: "parse" }],
    ['{"id":"a","type":"dance"}', { id: "a", command: "dance", error: "Unknown command: dance" }],
    ['{"id":"a","type":"__proto__"}', { id: "a", command: "__proto__" }],
    ['{"id":7,"type":"set_model","provider":"p"}', { id: 7, command: "set_model" }],
    ['{"id":"a","type":"set_thinking_level","level":"hard"}', { id: "a", command: "set_thinking_level" }],
  ])("reports the error in %s", (line, expected) => {
    const inbound = readInbound(line);
    expect(inbound).toMatchObject({ kind: "wrong", ...expected });
    if (inbound.kind === "wrong") expect(inbound.error.length).toBeGreaterThan(5);
  });
});
