import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frameOf, type Line, LineSplitter, lineOf, MAX_DEPTH, parseLine } from "./lines.ts";

function split(bytes: Buffer, cuts: number[], limit = 1000, start = 0): Line[] {
  const splitter = new LineSplitter(limit, start);
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return places.slice(1).flatMap((to, index) => {
    const chunk = Buffer.from(bytes.subarray(places[index], to));
    const lines = splitter.push(chunk);
    chunk.fill(0x21);
    return lines;
  });
}

const texts = (lines: Line[]) => lines.map((line) => (line.kind === "line" ? line.text : `oversize ${line.size}`));

describe("LineSplitter", () => {
  it("cuts at LF alone and drops a CR before it", () => {
    const lines = split(Buffer.from("a\r\nb\u2028c\u2029d\re\n\r\n  \n\nlast"), []);
    expect(texts(lines)).toEqual(["a", "b\u2028c\u2029d\re"]);
  });

  it("reports the offset after each line, blank lines included", () => {
    const splitter = new LineSplitter(100, 1000);
    expect(splitter.push(Buffer.from("ab\n\n\ncd\n\nrest"))).toEqual([
      { kind: "line", text: "ab", end: 1003 },
      { kind: "line", text: "cd", end: 1008 },
    ]);
    expect([splitter.offset, splitter.rest()]).toEqual([1009, 4]);
    expect(splitter.flush()).toEqual([{ kind: "line", text: "rest", end: 1013 }]);
    expect(splitter.flush()).toEqual([]);
  });

  it("replaces invalid UTF-8 and keeps characters that chunks cut in two", () => {
    const bytes = Buffer.concat([Buffer.from("é🎉\n"), Buffer.from([0xff, 0x61, 0x0a])]);
    expect(texts(split(bytes, [1, 3, 4, 5]))).toEqual(["é🎉", "\ufffda"]);
  });

  it("keeps only size and start of a line over the limit, and continues after it", () => {
    const splitter = new LineSplitter(1000);
    const seen: Line[] = [];
    for (let i = 0; i < 100; i++) seen.push(...splitter.push(Buffer.alloc(1000, "x")));
    seen.push(...splitter.push(Buffer.from("\nnext\n")));
    expect(seen).toEqual([
      { kind: "oversize", size: 100_000, head: "x".repeat(512), end: 100_001 },
      { kind: "line", text: "next", end: 100_006 },
    ]);
    expect(frameOf(seen[0]!)).toEqual({ dir: "out", oversize: 100_000, head: "x".repeat(512) });
  });

  it("does not cut the start of an oversize line inside a character", () => {
    const [line] = split(Buffer.from(`x${"é".repeat(600)}\n`), []);
    expect(line).toMatchObject({ kind: "oversize", head: `x${"é".repeat(255)}` });
  });

  it("gives the same lines however the bytes are cut into chunks", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }).map((text) => Buffer.from(text)),
      fc.constantFrom("\n", "\r\n", "\r", "\u2028", "\n\n", " ").map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
      fc.nat(1500).map((length) => Buffer.alloc(length, "long é")),
    );
    const cuts = fc.array(fc.nat(10_000), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), cuts, fc.constantFrom(1, 10, 600), (pieces, places, limit) => {
        const bytes = Buffer.concat(pieces);
        const whole = split(bytes, [], limit, 7);
        expect(split(bytes, places, limit, 7)).toEqual(whole);
        const byHand = bytes.toString("latin1").split("\n").slice(0, -1);
        const expected = byHand.filter((line) => line.length > limit || !/^[ \t\r]*$/.test(line));
        expect(whole.length).toBe(expected.length);
        for (const [index, line] of whole.entries()) {
          expect(line.kind === "oversize").toBe(expected[index]!.length > limit);
          if (line.kind === "oversize") expect(line.size).toBe(expected[index]!.length);
          expect(bytes[line.end - 7 - 1]).toBe(10);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("parseLine", () => {
  it("takes objects and arrays as messages and all else as text", () => {
    expect(parseLine(' {"a":1}')).toEqual({ dir: "out", msg: { a: 1 } });
    expect(parseLine("[1]")).toEqual({ dir: "out", msg: [1] });
    for (const text of ["1", '"x"', "null", "{broken", "[31mred", "plain"]) {
      expect(parseLine(text)).toEqual({ dir: "out", text });
    }
  });

  it("ignores a byte order mark", () => {
    expect(parseLine('\ufeff{"a":1}')).toEqual({ dir: "out", msg: { a: 1 } });
  });

  it("returns JSON that nests too deeply as text, and ignores brackets inside strings", () => {
    const nest = (depth: number) => `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;
    expect(parseLine(nest(MAX_DEPTH))).toHaveProperty("msg");
    for (const depth of [MAX_DEPTH + 2, 3000, 200_000])
      expect(parseLine(nest(depth))).toMatchObject({ text: nest(depth), problem: expect.stringContaining("nested") });
    const strings = JSON.stringify({ a: "[".repeat(3000), b: `\\"${"{".repeat(3000)}`, c: "\\".repeat(999) });
    expect(parseLine(strings)).toHaveProperty("msg");
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => parseLine(text).dir === "out"));
  });
});

it("encodes a line for an agent without any line separator, with the same meaning", () => {
  const msg = { text: "a\u2028b\u2029c\nd\re" };
  expect(lineOf(msg)).not.toMatch(/[\u2028\u2029\n\r]/);
  expect(JSON.parse(lineOf(msg))).toEqual(msg);
});
