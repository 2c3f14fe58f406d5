import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ToolError } from "../../contract/tool.ts";
import { changeFiles } from "../disk/change.ts";
import { TestPlace } from "../testing-place.ts";
import { writeTool } from "./tool.ts";

let place: TestPlace;
const write = writeTool();
const signal = new AbortController().signal;
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.dispose());

const file = (name: string) => readFileSync(place.path(name), "utf8");

describe("write", () => {
  test("counts bytes, not characters, and creates folders", async () => {
    const answer = await place.text(write, { path: "deep/er/ü.txt", content: "grüß 😀\n" });
    expect(answer).toBe("Created deep/er/ü.txt: 12 bytes, 1 line");
    expect(statSync(place.path("deep/er/ü.txt")).size).toBe(12);
  });

  test("preserves mode, CRLF, byte order mark and encoding of a file that it overwrites", async () => {
    writeFileSync(place.path("a"), Buffer.from("\uFEFFone\r\ntwo\r\n", "utf16le"));
    chmodSync(place.path("a"), 0o640);
    await place.run(write, { path: "a", content: "uno\ndos\n" });
    expect(readFileSync(place.path("a")).toString("utf16le")).toBe("\uFEFFuno\r\ndos\r\n");
    expect(statSync(place.path("a")).mode & 0o777).toBe(0o640);
  });

  test("writes through a link, also a dangling one", async () => {
    symlinkSync("target", place.path("link"));
    expect(place.actions(write, { path: "link", content: "" })).toEqual([
      { kind: "file.write", path: place.path("target") },
    ]);
    await place.run(write, { path: "link", content: "x" });
    expect(file("target")).toBe("x");
  });

  test("refuses folders and generated files, unless forced", async () => {
    mkdirSync(place.path("dir"));
    await expect(place.run(write, { path: "dir", content: "" })).rejects.toThrow("folder");
    writeFileSync(place.path("package-lock.json"), "{}");
    await expect(place.run(write, { path: "package-lock.json", content: "[]" })).rejects.toThrow("generated");
    await place.run(write, { path: "package-lock.json", content: "[]", force: true });
    expect(file("package-lock.json")).toBe("[]");
  });

  test("sends addresses to their host", async () => {
    expect(place.actions(write, { path: "note://x", content: "hi" })).toEqual([
      { kind: "host_uri.write", url: "note://x" },
    ]);
    await place.run(write, { path: "note://x", content: "hi" });
    expect(place.urls.get("note://x")).toBe("hi");
    await expect(place.run(write, { path: "https://example.org/", content: "" })).rejects.toThrow("cannot be written");
  });

  test("leaves nothing behind except the file", async () => {
    await place.run(write, { path: "a", content: "1" });
    await place.run(write, { path: "a", content: "2" });
    expect(readdirSync(place.cwd)).toEqual(["a"]);
  });
});

describe("changing several files", () => {
  const bytes = (text: string) => Buffer.from(text);

  test("changes nothing if another writer changed one of the files", async () => {
    writeFileSync(place.path("a"), "a");
    writeFileSync(place.path("b"), "theirs");
    const changes = [
      { path: place.path("a"), before: bytes("a"), after: bytes("A") },
      { path: place.path("new/x"), before: undefined, after: bytes("x") },
      { path: place.path("b"), before: bytes("b"), after: bytes("B") },
    ];
    await expect(changeFiles(changes, signal)).rejects.toThrow("changed meanwhile");
    expect([file("a"), file("b")]).toEqual(["a", "theirs"]);
    expect(readdirSync(place.cwd).sort()).toEqual(["a", "b"]);
  });

  test("rolls back when a change fails in the middle", async () => {
    writeFileSync(place.path("a"), "a");
    writeFileSync(place.path("c"), "c");
    mkdirSync(place.path("d"));
    const changes = [
      { path: place.path("a"), before: bytes("a"), after: bytes("A") },
      { path: place.path("c"), before: bytes("c"), after: undefined },
      // A file in the place of a folder, which is noticed only when the change reaches it.
      { path: place.path("a", "below"), before: undefined, after: bytes("x") },
    ];
    await expect(changeFiles(changes, signal)).rejects.toThrow(ToolError);
    expect([file("a"), file("c")]).toEqual(["a", "c"]);
  });

  test("an abort changes nothing", async () => {
    writeFileSync(place.path("a"), "a");
    const changes = [{ path: place.path("a"), before: bytes("a"), after: bytes("A") }];
    await expect(changeFiles(changes, AbortSignal.abort())).rejects.toThrow("Aborted");
    expect(file("a")).toBe("a");
    expect(readdirSync(place.cwd)).toEqual(["a"]);
  });

  test("a concurrent reader never sees half a file", async () => {
    const [one, two] = [bytes("1".repeat(300_000)), bytes("2".repeat(300_000))];
    writeFileSync(place.path("a"), one);
    let [now, next] = [one, two];
    for (let round = 0; round < 20; round++) {
      const changing = changeFiles([{ path: place.path("a"), before: now, after: next }], signal);
      const seen = readFileSync(place.path("a"));
      expect(seen.equals(one) || seen.equals(two)).toBe(true);
      await changing;
      [now, next] = [next, now];
    }
  });
});
