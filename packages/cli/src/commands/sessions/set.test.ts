import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nextFolders } from "./set.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-set-")));
  mkdirSync(join(root, "library"));
  symlinkSync(join(root, "library"), join(root, "link"));
});
afterEach(() => rmSync(root, { recursive: true }));

it("removes a folder by its path or by a link to it, and also one that no longer exists", () => {
  const folders = [join(root, "library"), "/gone"];
  expect(nextFolders(folders, { removeDir: [join(root, "library", "..", "link")] })).toEqual(["/gone"]);
  expect(nextFolders(folders, { removeDir: ["/gone"], addDir: ["/new"] })).toEqual([join(root, "library"), "/new"]);
});

it("refuses to remove a folder that the session does not have, and names those that it has", () => {
  expect(() => nextFolders(["/a"], { removeDir: ["/b"] })).toThrow("/b is not a further folder of the session");
});
