import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFileIndex, type FileIndex } from "./file-index.ts";

let root: string;
let index: FileIndex;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gantry-index-"));
  index = createFileIndex(root);
});
afterEach(() => {
  index.close();
  rmSync(root, { recursive: true, force: true });
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
const put = (...paths: string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
};
const search = async (query = "") => (await index.search(query, 100)).map(({ path, kind }) => `${kind} ${path}`).sort();

it("has the files that git has or would take, and their folders", async () => {
  git("init", "--quiet");
  put("src/deep/thing.ts", "gone.ts", "ignored/x.o", "new.ts", "ö \n x.ts");
  writeFileSync(join(root, ".gitignore"), "ignored/\n");
  git("add", "src", "gone.ts");
  rmSync(join(root, "gone.ts"));
  expect(await search()).toEqual(
    [
      "file .gitignore",
      "file new.ts",
      "file src/deep/thing.ts",
      "file ö \n x.ts",
      "folder src",
      "folder src/deep",
    ].sort(),
  );
  expect(await search("thi")).toEqual(["file src/deep/thing.ts"]);
});

it("leaves out ignored files, hidden folders and links without git, too", async () => {
  put("src/a.ts", "node_modules/x/index.js", ".cache/y", ".env", "out/z.o");
  writeFileSync(join(root, ".gitignore"), "out/\n");
  symlinkSync(root, join(root, "src", "around"));
  expect(await search()).toEqual(["file .env", "file .gitignore", "file src/a.ts", "folder src"]);
});

it("sees new files after a refresh", async () => {
  expect(await search()).toEqual([]);
  put("new.ts");
  await Promise.all([index.refresh(), index.refresh()]);
  expect(await search("new")).toEqual(["file new.ts"]);
  expect(index.isCut).toBe(false);
});

it("finds nothing in a folder that does not exist, and after it was closed", async () => {
  const missing = createFileIndex(join(root, "missing"));
  expect(await missing.search("", 5)).toEqual([]);
  put("a.ts");
  const pending = index.refresh();
  index.close();
  await pending;
  expect(await search("a")).toEqual([]);
});

it("handles timers while it builds the index of many files", async () => {
  git("init", "--quiet");
  for (let folder = 0; folder < 20; folder++) {
    mkdirSync(join(root, `folder-${folder}`));
    for (let file = 0; file < 200; file++) writeFileSync(join(root, `folder-${folder}`, `file-${file}.ts`), "");
  }
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await index.refresh();
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(0);
  expect((await index.search("f19f199", 1))[0]?.path).toBe("folder-19/file-199.ts");
});
