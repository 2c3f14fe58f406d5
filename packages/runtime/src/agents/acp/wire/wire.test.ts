import fc from "fast-check";
import { expect, test } from "vitest";
import { changesIn } from "./changes.ts";
import { lineDiff } from "./diff.ts";
import { readRawOutput } from "./raw-output.ts";
import { readUsage } from "./usage.ts";

test("makes a diff with three lines of context", () => {
  const before = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`).join("\n");
  const after = before.replace("line 3", "LINE 3").replace("line 17\n", "");
  const { diff, additions, deletions } = lineDiff(before, after);
  expect({ additions, deletions }).toEqual({ additions: 1, deletions: 2 });
  expect(diff.split("\n").filter((line) => line.startsWith("@@"))).toEqual(["@@ -1,6 +1,6 @@", "@@ -14,7 +14,6 @@"]);
  expect(lineDiff("", "a\nb\n").diff).toBe("@@ -0,0 +1,2 @@\n+a\n+b\n");
  expect(lineDiff("same\n", "same\n")).toEqual({ diff: "", additions: 0, deletions: 0 });
});

test("makes a diff that turns the first text into the second", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const [before, after] = [a.map((line) => `${line}\n`).join(""), b.map((line) => `${line}\n`).join("")];
      expect(apply(before, lineDiff(before, after).diff)).toBe(after);
    }),
  );
});

function apply(before: string, diff: string): string {
  const source = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const out: string[] = [];
  let at = 0;
  for (const hunk of diff.split(/^(?=@@ )/m).filter(Boolean)) {
    const [header = "", ...body] = hunk.replace(/\n$/, "").split("\n");
    const [, start = "0", count = "0"] = /^@@ -(\d+),(\d+)/.exec(header) ?? [];
    const from = Number(count) === 0 ? Number(start) : Number(start) - 1;
    out.push(...source.slice(at, from));
    at = from + Number(count);
    out.push(...body.filter((line) => !line.startsWith("-")).map((line) => line.slice(1)));
  }
  out.push(...source.slice(at));
  return out.map((line) => `${line}\n`).join("");
}

test("makes a diff of a large rewrite", () => {
  const text = (word: string) => Array.from({ length: 2000 }, (_, i) => `${word} ${i}`).join("\n");
  expect(lineDiff(text("a"), text("b"))).toMatchObject({ additions: 2000, deletions: 2000 });
});

test("reads the changes of both protocol versions", () => {
  expect(changesIn([{ type: "diff", path: "/n", oldText: null, newText: "x" }])).toMatchObject([
    { kind: "add", additions: 1 },
  ]);
  const patch =
    "diff --git /a /a\n--- /a\n+++ /a\n@@ -1 +1 @@\n-x\n+y\ndiff --git /b /c\nrename from /b\nrename to /c\n";
  const changes = [
    { operation: "modify", path: "/a" },
    { operation: "move", oldPath: "/b", newPath: "/c" },
  ];
  expect(changesIn([{ type: "diff", changes, patch: { format: "git_patch", text: patch } }])).toEqual([
    { path: "/a", kind: "update", diff: "@@ -1 +1 @@\n-x\n+y\n", additions: 1, deletions: 1 },
    { path: "/b", kind: "move", to: "/c" },
  ]);
});

test.each([
  ["cached tokens apart", { inputTokens: 1100, outputTokens: 34, totalTokens: 1234, cachedReadTokens: 100 }],
  [
    "cached tokens within",
    { inputTokens: 1200, outputTokens: 34, totalTokens: 1234, thoughtTokens: 7, cachedReadTokens: 100 },
  ],
  [
    "thoughts apart too",
    { inputTokens: 1100, outputTokens: 27, totalTokens: 1234, thoughtTokens: 7, cachedReadTokens: 100 },
  ],
])("reads tokens with %s", (_, tokens) => {
  expect(readUsage(tokens)).toMatchObject({ input: 1200, output: 34, cacheRead: 100 });
});

test("reads the output of tools in every known shape", () => {
  expect(readRawOutput("plain")).toEqual({ text: "plain" });
  expect(readRawOutput({ output: "o", metadata: { exit: 3 } })).toEqual({ text: "o", exitCode: 3 });
  expect(readRawOutput({ content: [{ type: "text", text: "c" }], details: { exitCode: 7, wallTimeMs: 1.5 } })).toEqual({
    text: "c",
    exitCode: 7,
    durationMs: 2,
  });
  expect(readRawOutput({ content: "c", contents: [{ exitCode: 0 }] })).toEqual({ text: "c", exitCode: 0 });
  expect(readRawOutput({ exit_code: 1 })).toEqual({ exitCode: 1 });
  expect(readRawOutput(null)).toEqual({});
});
