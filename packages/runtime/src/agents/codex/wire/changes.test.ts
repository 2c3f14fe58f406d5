import { expect, test } from "vitest";
import { diffFiles, fingerprint, patchChanges, withoutLongDiffs } from "./changes.ts";
import { unwrapShell } from "./shell.ts";

test("lists the files of a unified diff with their line counts", () => {
  const diff = [
    "diff --git a/new.txt b/new.txt",
    "new file mode 100644",
    "--- /dev/null",
    "+++ b/new.txt",
    "@@ -0,0 +1,2 @@",
    "+++ not a header",
    "+two",
    "diff --git a/gone b/gone",
    "deleted file mode 100644",
    "--- a/gone",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "--- once",
    "diff --git a/old name b/new name",
    "similarity index 100%",
    "rename from old name",
    "rename to new name",
    "diff --git a/run.sh b/run.sh",
    "old mode 100644",
    "new mode 100755",
    "",
  ].join("\n");
  expect(diffFiles(diff)).toEqual([
    { path: "new.txt", kind: "add", additions: 2, deletions: 0 },
    { path: "gone", kind: "delete", additions: 0, deletions: 1 },
    { path: "old name", kind: "move", to: "new name", additions: 0, deletions: 0 },
    { path: "run.sh", kind: "update", additions: 0, deletions: 0 },
  ]);
  expect(diffFiles("")).toEqual([]);
  expect(diffFiles("garbage\n+++ x")).toEqual([]);
});

test("turns whole files of a patch into diffs", () => {
  const changes = patchChanges([
    { path: "a", kind: { type: "add" }, diff: "one\ntwo" },
    { path: "b", kind: { type: "delete" }, diff: "x\n" },
    { path: "c", kind: { type: "update", move_path: null }, diff: "@@ -1 +1 @@\n-a\n+b\n" },
    { path: "d", kind: "add" },
    "garbage",
  ]);
  expect(changes).toEqual([
    { path: "a", kind: "add", additions: 2, deletions: 0, diff: "@@ -0,0 +1,2 @@\n+one\n+two\n" },
    { path: "b", kind: "delete", additions: 0, deletions: 1, diff: "@@ -1,1 +0,0 @@\n-x\n" },
    { path: "c", kind: "update", additions: 1, deletions: 1, diff: "@@ -1 +1 @@\n-a\n+b\n" },
    { path: "d", kind: "add" },
    { path: "", kind: "update" },
  ]);
});

test("does not store long diffs in the state", () => {
  const long = { path: "a", kind: "update" as const, additions: 9, diff: "x".repeat(20_000) };
  expect(withoutLongDiffs([{ path: "s", kind: "add", diff: "+a" }, long])).toEqual([
    { path: "s", kind: "add", diff: "+a" },
    { path: "a", kind: "update", additions: 9 },
  ]);
});

test("gives different texts different fingerprints", () => {
  expect(fingerprint("a")).not.toBe(fingerprint("b"));
  expect(fingerprint("ab")).toBe(fingerprint("ab"));
});

test.each([
  ["/bin/bash -lc 'make test'", "make test"],
  ["bash -lc make", "make"],
  ['/bin/zsh -c "echo \\"hi\\" \\$x"', 'echo "hi" $x'],
  ["/bin/bash -lc 'it'\\''s'", "it's"],
  [`bash -c 'a '"'"'b'`, "a 'b"],
  ["bash -lc 'open", "bash -lc 'open"],
  ["bash -c one two", "bash -c one two"],
  ["git status", "git status"],
])("extracts from %s the command %s", (command, inner) => {
  expect(unwrapShell(command)).toBe(inner);
});
