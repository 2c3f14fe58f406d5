import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { splitPatch, withPatch } from "./split-patch.ts";

const folder = mkdtempSync(join(tmpdir(), "gantry-patch-"));
afterAll(() => rmSync(folder, { recursive: true }));
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
const write = (path: string, text: string | Buffer) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};

it("finds every file of a git patch: changed, deleted, moved, binary, and with unusual names", () => {
  git("init", "-q", "-b", "main");
  write("other.txt", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\nsame\n");
  write("gone.txt", "gone\n");
  write("old name.txt", "one\ntwo\nthree\nfour\n");
  write("run.sh", "#!/bin/sh\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  write("other.txt", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\nother\n");
  rmSync(join(folder, "gone.txt"));
  rmSync(join(folder, "old name.txt"));
  write("new name.txt", "one\ntwo\nthree\nfour\n");
  write("with a space/ünï — 文.txt", "hello\n");
  write('odd"quote\nline.txt', "odd\n");
  write("bytes.bin", Buffer.from([0, 1, 2, 0, 255]));
  write("empty.txt", "");
  execFileSync("chmod", ["+x", join(folder, "run.sh")]);
  git("add", "-A");
  const patch = git("diff", "--cached", "-M");
  const parts = splitPatch(patch);
  expect([...parts.keys()].sort()).toEqual(
    [
      "bytes.bin",
      "empty.txt",
      "gone.txt",
      "other.txt",
      "new name.txt",
      'odd"quote\nline.txt',
      "run.sh",
      "with a space/ünï — 文.txt",
    ].sort(),
  );
  expect([...parts.values()].join("")).toBe(patch);
  const [other, missing] = withPatch(
    [
      { path: "other.txt", kind: "update" as const },
      { path: "elsewhere.txt", kind: "update" as const },
    ],
    patch,
  );
  expect(other?.diff).toContain("+other");
  expect(missing?.diff).toBeUndefined();
});
