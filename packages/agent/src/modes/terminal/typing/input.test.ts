import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attachFiles, foldAttachments } from "./attach.ts";
import { readInput } from "./read-input.ts";

describe("a submitted text", () => {
  const commands = ["help", "new"];
  const read = (text: string) => readInput(text, commands, (path) => ["/etc", "/tmp", "/new"].includes(path));

  it.each([
    ["/help", { kind: "command", name: "help", rest: "" }],
    ["/new  a b ", { kind: "command", name: "new", rest: "a b" }],
    ["/nonsense", { kind: "command", name: "nonsense", rest: "" }],
    ["/etc", { kind: "message" }],
    ["/etc is a folder", { kind: "message" }],
    ["/etc/hosts is a file", { kind: "message" }],
    ["/tmp\nis next", { kind: "message" }],
    ["/skill:lamps now", { kind: "message" }],
    ["see /help", { kind: "message" }],
    ["!ls -l", { kind: "shell", command: "ls -l", excluded: false }],
    ["!! ls", { kind: "shell", command: "ls", excluded: true }],
    ["!", { kind: "message" }],
    ["$ print(1)", { kind: "shell", command: "python3 -c 'print(1)'", excluded: false }],
    ["$$ print('a')", { kind: "shell", command: "python3 -c 'print('\\''a'\\'')'", excluded: true }],
    ["$5 is enough", { kind: "message" }],
    ["$HOME is set", { kind: "message" }],
  ])("%j is understood", (text, expected) => expect(read(text)).toMatchObject(expected));

  it("is a message with the same text unless it begins with a command or a mark", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^([!/]|\$\$?\s)/.test(text)),
        (text) => {
          expect(read(text)).toEqual({ kind: "message", text });
        },
      ),
    );
  });
});

describe("files after @", () => {
  let cwd: string;
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "gantry-attach-"));
    mkdirSync(join(cwd, "folder"));
    writeFileSync(join(cwd, "a.txt"), "one\ntwo\n");
    writeFileSync(join(cwd, "folder", "b.md"), "three");
    writeFileSync(join(cwd, "p.png"), "png");
    writeFileSync(join(cwd, "binary"), "a\0b");
    writeFileSync(join(cwd, "large"), "x".repeat(300 * 1024));
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  it("are attached before the message, each once, also with punctuation behind them", () => {
    const typed = "compare @a.txt, with @folder/b.md and @a.txt.";
    const { text, images, problems } = attachFiles(typed, cwd);
    expect(text).toContain(`<file name="${join(cwd, "a.txt")}">\none\ntwo\n\n</file>`);
    expect(text).toContain(`<file name="${join(cwd, "folder/b.md")}">\nthree\n</file>`);
    expect(text.endsWith(`\n\n${typed}`)).toBe(true);
    expect([images, problems]).toEqual([[], []]);
  });

  it("are images if they are pictures", () => {
    const { text, images } = attachFiles("@p.png what is it?", cwd);
    expect(text).toBe("@p.png what is it?");
    expect(images).toEqual([{ type: "image", data: Buffer.from("png").toString("base64"), mimeType: "image/png" }]);
  });

  it.each(["@large", "@binary"])("are reported if they cannot be attached: %s", (typed) => {
    const { text, problems } = attachFiles(typed, cwd);
    expect(text).toBe(typed);
    expect(problems).toEqual([expect.stringContaining(`${typed} was not attached`)]);
  });

  it.each(["@missing is no file", "@folder", "me@a.txt", "@", "@/dev/null"])("are only files: %s", (typed) => {
    expect(attachFiles(typed, cwd)).toEqual({ text: typed, images: [], problems: [] });
  });

  it("are one line each on the screen", () => {
    const { text } = attachFiles("compare @a.txt and @folder/b.md", cwd);
    expect(foldAttachments(text).split("\n")).toEqual([
      `[${join(cwd, "a.txt")}, 2 lines]`,
      `[${join(cwd, "folder/b.md")}, 1 line]`,
      "compare @a.txt and @folder/b.md",
    ]);
  });
});
