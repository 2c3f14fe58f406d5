import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ToolError } from "../../contract/tool.ts";
import { editTool } from "../edit/tool.ts";
import { TestPlace } from "../testing-place.ts";
import { findTool } from "./find.ts";
import { grepTool } from "./grep.ts";
import { ripgrep } from "./ripgrep.ts";

let place: TestPlace;
const grep = grepTool();
const find = findTool();
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.dispose());

const put = (name: string, text = "") => {
  mkdirSync(place.path(name, ".."), { recursive: true });
  writeFileSync(place.path(name), text);
};

describe("grep", () => {
  test("returns hits with anchors that edit accepts", async () => {
    put("src/a.ts", "const a = 1;\nconst b = 2;\n");
    const text = await place.text(grep, { pattern: "b = \\d" });
    const [, anchor] = /^src\/a\.ts\n> (\d+[a-z]{2})\|const b = 2;$/m.exec(text)!;
    await place.run(editTool(), { input: `§src/a.ts\n≔${anchor}\nconst b = 3;` });
    expect(await place.text(grep, { pattern: "b = 3", path: "src" })).toContain("b = 3");
  });

  test("honours gitignore, skips .git, includes hidden files", async () => {
    execFileSync("git", ["init", "-q"], { cwd: place.cwd });
    put(".gitignore", "dist\n");
    put("dist/x", "needle");
    put(".github/y", "needle");
    put("z", "needle");
    put(".git/info/needle", "needle");
    const names = (text: string) => text.match(/^[^\s>[].*$/gm);
    expect(names(await place.text(grep, { pattern: "needle" }))).toEqual([".github/y", "z"]);
    expect(names(await place.text(grep, { pattern: "needle", gitignore: false }))).toEqual([
      ".github/y",
      "dist/x",
      "z",
    ]);
    expect(names(await place.text(grep, { pattern: "needle", hidden: false }))).toEqual(["z"]);
    expect(names(await place.text(grep, { pattern: "needle", glob: "**/*" }))).toEqual([".github/y", "z"]);
  });

  test("a glob does not include ignored files", async () => {
    put(".gitignore", "secret.ts\n");
    put("secret.ts", "needle");
    put("src/a.ts", "needle");
    expect(await place.text(grep, { pattern: "needle", glob: "*.ts" })).not.toContain("secret");
    expect(await place.text(find, { pattern: "**/*.ts" })).toBe("src/a.ts");
    expect(await place.text(find, { pattern: "src/*.{ts,js}" })).toBe("src/a.ts");
  });

  test("combines paths, globs in paths and a glob", async () => {
    for (const name of ["src/a.ts", "src/a.js", "lib/a.ts", "src/deep/b.ts"]) put(name, "needle");
    const names = async (args: object) => (await place.text(grep, { pattern: "needle", ...args })).match(/^\w.*$/gm);
    expect(await names({ paths: ["src/**/*.ts"] })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await names({ paths: ["src/**/*.ts"], glob: "a.*" })).toEqual(["src/a.ts"]);
    expect(await names({ path: "src", glob: "!*.js" })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await names({ paths: ["lib", "src/a.js"] })).toEqual(["lib/a.ts", "src/a.js"]);
    await expect(names({ path: "none" })).rejects.toThrow("does not exist");
  });

  test("supports case, literal text, context and several lines", async () => {
    put("a", "one\nTwo(\nthree\nfour\n");
    expect(await place.text(grep, { pattern: "two", i: true })).toContain("Two(");
    expect(await place.text(grep, { pattern: "Two(", literal: true, context: 1 })).toMatch(
      / {2}1..\|one\n> 2..\|Two\(\n {2}3..\|three/,
    );
    expect(await place.text(grep, { pattern: "Two\\(\\nthree" })).toMatch(/> 2..\|Two\(\n> 3..\|three/);
    expect(await place.text(grep, { pattern: "five" })).toBe("Nothing found.");
    await expect(place.text(grep, { pattern: "(" })).rejects.toThrow("regex parse error");
  });

  test("pages neither overlap nor skip hits", async () => {
    for (let index = 10; index < 40; index++) put(`f${index}`, "needle\nneedle\n");
    const seen: string[] = [];
    for (let skip = 0; skip < 60; skip += 7) {
      const text = await place.text(grep, { pattern: "needle", limit: 7, skip });
      let name = "";
      for (const line of text.split("\n")) {
        if (line.startsWith("f")) name = line;
        const number = /^> (\d+)/.exec(line)?.[1];
        if (number) seen.push(`${name}:${number}`);
      }
    }
    expect(new Set(seen).size).toBe(60);
    expect(seen.length).toBe(60);
  });

  test("shows 20 hits of a file among many, 200 of a single file", async () => {
    put("a", "x\n".repeat(300));
    expect(await place.text(grep, { pattern: "x", limit: 1000 })).toContain("280 more hits");
    expect((await place.run(grep, { pattern: "x", path: "a", limit: 1000 })).details).toMatchObject({ hits: 200 });
  });

  test("does not treat a pattern or name as an option", async () => {
    put("--files", "-e secret\n");
    expect(await place.text(grep, { pattern: "-e secret" })).toContain("--files\n> 1");
    expect(await place.text(grep, { pattern: "secret", path: "--files" })).toContain("> 1");
  });

  test("refuses the whole disk, also behind a link", async () => {
    symlinkSync("/", place.path("root"));
    await expect(place.text(grep, { pattern: "x", path: "/" })).rejects.toThrow("refused");
    await expect(place.text(grep, { pattern: "x", path: "root" })).rejects.toThrow("refused");
    symlinkSync("/etc", place.path("out"));
    expect(place.actions(grep, { pattern: "x", path: "out" })).toEqual([{ kind: "file.read", path: "/etc" }]);
  });
});

describe("find", () => {
  test("lists newest first, by name, path and folder", async () => {
    for (const [index, name] of ["old.ts", "src/new.ts", "src/mid.ts", "x.js"].entries()) {
      put(name);
      utimesSync(place.path(name), 1000 + index, [1000, 3000, 2000, 500][index]!);
    }
    expect(await place.text(find, { pattern: "*.ts" })).toBe("src/new.ts\nsrc/mid.ts\nold.ts");
    expect(await place.text(find, { paths: ["src/*.ts"] })).toBe("src/new.ts\nsrc/mid.ts");
    expect(await place.text(find, { pattern: "m*", path: "src" })).toBe("src/mid.ts");
    expect(await place.text(find, { pattern: "*.ts", limit: 1, skip: 1 })).toMatch(/^src\/mid\.ts\n\[2 of 3/);
    expect(await place.text(find, { pattern: "*.rs" })).toBe("Nothing found.");
  });

  test("finds similar names for a pattern without wildcards that no name matches", async () => {
    for (const name of ["src/a.test.ts", "src/thing.ts", ".hidden/thirst.md", "dist/thin.ts", "other/thick.ts"])
      put(name);
    put(".gitignore", "dist\n");
    const similar = async (args: object) =>
      (await place.text(find, args)).split("\n").filter((line) => !line.startsWith("["));
    expect(await similar({ pattern: "a.t" })).toEqual(["src/a.test.ts"]);
    expect(await similar({ pattern: "thi" })).toEqual(["src/thing.ts", "other/thick.ts"]);
    expect(await similar({ pattern: "thi", path: "src" })).toEqual(["src/thing.ts"]);
    expect(await place.text(find, { pattern: "thi" })).toContain("these are similar");
    expect(await similar({ pattern: "thi", path: "src/a.test.ts" })).toEqual(["Nothing found."]);
    expect(await similar({ pattern: "thi*x" })).toEqual(["Nothing found."]);
  });

  test("handles odd names", async () => {
    put("with space");
    put("new\nline");
    put("ünï");
    const text = await place.text(find, {});
    expect(text.split("\n").sort()).toEqual(['"new\\nline"', "with space", "ünï"].sort());
  });
});

test("an abort kills the process", async () => {
  execFileSync("sh", ["-c", "mkfifo pipe"], { cwd: place.cwd });
  const controller = new AbortController();
  // The pipe has no writer: ripgrep blocks in open until it is killed.
  const search = ripgrep(["x", "pipe"], { cwd: place.cwd, signal: controller.signal }, () => true);
  const stuck = expect(search).rejects.toThrow(ToolError);
  setTimeout(() => controller.abort(), 100);
  await stuck;
});
