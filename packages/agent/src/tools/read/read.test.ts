import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ToolError } from "../../contract/tool.ts";
import { TestPlace } from "../testing-place.ts";
import { splitSelector } from "./selector.ts";
import { readTool } from "./tool.ts";

let place: TestPlace;
const read = readTool({ fetch: {} });
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.dispose());

const makeLines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

describe("text", () => {
  test("shows lines with anchors, and where to continue", async () => {
    writeFileSync(place.path("a.txt"), `${makeLines(400)}\n`);
    const text = await place.text(read, { path: "a.txt" });
    expect(text).toMatch(/^1[a-z]{2}\|line 1\n2[a-z]{2}\|line 2\n/);
    expect(text).toContain("|line 300\n");
    expect(text).not.toContain("|line 301");
    expect(text).toContain("line 300 of 400. Continue with a.txt:301");
  });

  test("shows one line before and three after a range, and marks gaps", async () => {
    writeFileSync(place.path("a.txt"), makeLines(100));
    const text = await place.text(read, { path: "a.txt:10-11,L50+2" });
    expect(text.match(/\|line \d+/g)).toEqual(
      [9, 10, 11, 12, 13, 14, 49, 50, 51, 52, 53, 54].map((line) => `|line ${line}`),
    );
    expect(text).toContain("\n…\n49");
  });

  test("raw returns only the file's text", async () => {
    writeFileSync(place.path("a.txt"), "one\ntwo\nthree\n");
    expect(await place.text(read, { path: "a.txt:raw" })).toBe("one\ntwo\nthree");
    expect(await place.text(read, { path: "a.txt:2-2:raw" })).toContain("two");
  });

  test("returns at most 3000 lines or 50 KB", async () => {
    writeFileSync(place.path("many.txt"), makeLines(9000));
    const many = await place.text(read, { path: "many.txt:1-9000" });
    expect(many.split("\n").filter((line) => line.includes("|line")).length).toBe(3000);
    writeFileSync(place.path("wide.txt"), `${"x".repeat(400)}\n`.repeat(1000));
    expect(Buffer.byteLength(await place.text(read, { path: "wide.txt:1-1000" }))).toBeLessThan(52_000);
    writeFileSync(place.path("one.txt"), "y".repeat(200_000));
    expect(await place.text(read, { path: "one.txt" })).toContain("198000 more characters");
  });

  test("reports a line beyond the end, and an empty file", async () => {
    writeFileSync(place.path("a.txt"), "x\n");
    writeFileSync(place.path("empty"), "");
    await expect(place.text(read, { path: "a.txt:7" })).rejects.toThrow("has 1 lines");
    expect(await place.text(read, { path: "empty" })).toContain("empty");
  });

  test("reads UTF-16, byte order marks, CRLF and Latin-1, and reports them", async () => {
    writeFileSync(place.path("u16"), Buffer.from("\uFEFFgrüß\r\ngott\r\n", "utf16le"));
    const text = await place.text(read, { path: "u16:raw" });
    expect(text).toContain("grüß\ngott");
    expect(text).toContain("UTF-16LE, byte order mark, CRLF");
    writeFileSync(place.path("latin"), Buffer.from("stra\xdfe im gr\xfcnen Tal der Berge\n", "latin1"));
    expect(await place.text(read, { path: "latin:raw" })).toContain("straße");
  });

  test("refuses binary files", async () => {
    writeFileSync(place.path("b"), Buffer.from([1, 0, 2, 0, 255, 3]));
    await expect(place.text(read, { path: "b" })).rejects.toThrow("binary");
  });

  test("reads a part of a 2 GB file with little memory", async () => {
    writeFileSync(place.path("huge"), `first\n${"a".repeat(70_000)}\nthird\n${makeLines(900_000)}`);
    expect(await place.text(read, { path: "huge:1-3" })).toMatch(/\|first\n.*characters\)\n.*\|third/);
    expect(await place.text(read, { path: "huge:800000-800001" })).toContain("|line 799997\n");
    writeFileSync(place.path("sparse"), "top\n".repeat(400_000));
    truncateSync(place.path("sparse"), 2 ** 31);
    const before = process.memoryUsage().rss;
    expect(await place.text(read, { path: "sparse:5-6" })).toContain("|top");
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test("an abort ends the reading of a large file", async () => {
    execFileSync("sh", ["-c", "yes abcdefghi | head -c 9000000 > long"], { cwd: place.cwd });
    const controller = new AbortController();
    const reading = place.text(read, { path: "long:899999" }, controller.signal);
    controller.abort();
    await expect(reading).rejects.toThrow(ToolError);
  });
});

describe("other content", () => {
  test("lists folders two levels deep; names links without following them", async () => {
    mkdirSync(place.path("src/deep/deeper"), { recursive: true });
    for (let index = 0; index < 15; index++) writeFileSync(place.path(`src/f${index}`), "");
    symlinkSync("..", place.path("src/deep/up"));
    symlinkSync("loop", place.path("loop"));
    writeFileSync(place.path("new\nline"), "");
    const text = await place.text(read, { path: "." });
    expect(text).toContain("src/\n  deep/\n  f0\n");
    expect(text).toContain("  … 4 more");
    expect(text).toContain("loop -> loop");
    expect(text).toContain('"new\\nline"');
    expect(text).not.toContain("deeper");
  });

  test("recognises images by content, not by name", async () => {
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]);
    writeFileSync(place.path("picture.txt"), png);
    const { content } = await place.run(read, { path: "picture.txt" });
    expect(content[1]).toEqual({ type: "image", mimeType: "image/png", data: png.toString("base64") });
    writeFileSync(place.path("fake.png"), "text");
    expect(await place.text(read, { path: "fake.png" })).toContain("|text");
    truncateSync(place.path("picture.txt"), 21 * 1024 * 1024);
    await expect(place.text(read, { path: "picture.txt" })).rejects.toThrow("at most");
  });

  test("shows notebooks as text, or as raw JSON", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Title\n", "text"] },
      {
        cell_type: "code",
        source: "1+1",
        outputs: [{ output_type: "execute_result", data: { "text/plain": ["2"], "image/png": "x" } }],
      },
    ];
    writeFileSync(place.path("n.ipynb"), JSON.stringify({ cells }));
    const text = await place.text(read, { path: "n.ipynb" });
    expect(text).toContain("[code] cell 2");
    expect(text).toContain("(image/png left out)");
    expect(await place.text(read, { path: "n.ipynb:raw" })).toContain('{"cells":');
    writeFileSync(place.path("broken.ipynb"), "{");
    expect(await place.text(read, { path: "broken.ipynb" })).toContain("|{");
  });

  test("refuses devices and cycles of links", async () => {
    symlinkSync("b", place.path("a"));
    symlinkSync("a", place.path("b"));
    await expect(place.text(read, { path: "a" })).rejects.toThrow("cycle");
    await expect(place.text(read, { path: "/dev/zero" })).rejects.toThrow("neither");
  });

  test("resolves a wrong path that only one file ends with, and reports it", async () => {
    mkdirSync(place.path("packages/one/src"), { recursive: true });
    writeFileSync(place.path("packages/one/src/thing.ts"), "here\n");
    expect(place.actions(read, { path: "src/thing.ts:1-1" })).toEqual([
      { kind: "file.read", path: place.path("packages/one/src/thing.ts") },
    ]);
    const text = await place.text(read, { path: "src/thing.ts" });
    expect(text).toContain("this is packages/one/src/thing.ts");
    expect(text).toContain("|here");
    mkdirSync(place.path("packages/two/src"), { recursive: true });
    writeFileSync(place.path("packages/two/src/thing.ts"), "there\n");
    await expect(place.text(read, { path: "src/thing.ts" })).rejects.toThrow(
      /one\/src[\s\S]*two\/src|two\/src[\s\S]*one\/src/,
    );
    await expect(place.text(read, { path: "src/nothing.ts" })).rejects.toThrow("does not exist");
  });

  test("reads files with odd names", async () => {
    for (const name of ["with space", "ünï—cödé", "new\nline", "a:12", "[x]*?{y}", "-rf", "'\"$(id)`"]) {
      writeFileSync(place.path(name), `I am ${name.length}\n`);
      expect(await place.text(read, { path: name })).toContain(`|I am ${name.length}`);
    }
    expect(await place.text(read, { path: "a:12:1-1" })).toContain("|I am 4");
  });
});

describe("the reported actions", () => {
  test("treat a link out of the folder as outside", () => {
    symlinkSync("/etc", place.path("innocent"));
    expect(place.actions(read, { path: "innocent/hostname" })).toEqual([{ kind: "file.read", path: "/etc/hostname" }]);
  });

  test("treat a folder reached by a link as the folder", () => {
    const other = new TestPlace();
    symlinkSync(place.cwd, other.path("home"));
    writeFileSync(place.path("a"), "");
    const prepared = read.prepare({ path: "a" }, { cwd: other.path("home"), folders: [], env: {} });
    expect(prepared).toMatchObject({ actions: [{ kind: "file.read", path: other.path("home/a") }] });
    other.dispose();
  });

  test("a link that was changed after the permission is not followed", async () => {
    mkdirSync(place.path("dir"));
    writeFileSync(place.path("dir/a"), "mine");
    const prepared = place.prepare(read, { path: "dir/a" });
    execFileSync("sh", ["-c", "rm -r dir && ln -s /etc dir"], { cwd: place.cwd });
    await expect(prepared.run(place.context())).rejects.toThrow(ToolError);
  });

  test("reads addresses", async () => {
    expect(place.actions(read, { path: "https://example.org/a:1-5" })).toEqual([
      { kind: "net.fetch", url: "https://example.org/a" },
    ]);
    expect(place.actions(read, { path: "artifact://3:raw" })).toEqual([{ kind: "inner" }]);
    expect(place.actions(read, { path: "note://x" })).toEqual([{ kind: "host_uri.read", url: "note://x" }]);
    place.urls.set("note://x", "one\ntwo");
    expect(await place.text(read, { path: "note://x:2-2:raw" })).toBe("two");
    await expect(place.text(read, { path: "other://x" })).rejects.toThrow("Known: artifact, note");
  });
});

test("a selector throws only ToolErrors", () => {
  const piece = fc.constantFrom(":", "raw", "L", "-", "+", ",", "0", "1", "99999999999999999999", "a", "/", "://");
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      try {
        const { path, selector } = splitSelector(text);
        expect(text.startsWith(path)).toBe(true);
        for (const { first, last } of selector.ranges) expect(last === undefined || last >= first).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ToolError);
      }
    }),
  );
});
