import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { candidate, rankPaths } from "./path-rank.ts";

const PATHS = [
  "README.md",
  "src/session/runner.ts",
  "src/session/runner.test.ts",
  "src/server/routes/sessions.ts",
  "src/server/http.ts",
  "docs/http.md",
  "web/src/SessionCard.tsx",
  "vendor/obscure-httpd/main.c",
];
const found = (q: string, limit = 10) =>
  rankPaths(
    PATHS.map((path) => candidate(path, "file")),
    q,
    limit,
  ).found.map(({ path }) => path);

describe("what is typed finds", () => {
  it.each([
    ["http", ["docs/http.md", "src/server/http.ts", "vendor/obscure-httpd/main.c"]],
    ["HTTP.ts", ["src/server/http.ts"]],
    ["runner", ["src/session/runner.ts", "src/session/runner.test.ts"]],
    ["routes/sess", ["src/server/routes/sessions.ts"]],
    ["card", ["web/src/SessionCard.tsx"]],
    ["rtt", ["src/session/runner.test.ts"]],
    ["  readme ", ["README.md"]],
    ["nothing like it", []],
    ["(.*)[", []],
  ])("%s", (q, expected) => expect(found(q).slice(0, Math.max(1, expected.length))).toEqual(expected));

  it("a beginning of a word before the middle of one", () => {
    expect(found("sc")[0]).toBe("web/src/SessionCard.tsx");
  });

  it("ranks by depth without a query, and reports that there is more", () => {
    expect(found("", 2)).toEqual(["README.md", "docs/http.md"]);
    expect(rankPaths([candidate("a", "file"), candidate("b", "folder")], "", 1).more).toBe(true);
  });
});

it("the one that is meant among fifty thousand", () => {
  const many = Array.from({ length: 50_000 }, (_, i) => `packages/part-${i % 500}/module-${Math.floor(i / 500)}.ts`);
  const candidates = many.map((path) => candidate(path, "file"));
  expect(rankPaths(candidates, "p499m99", 20)).toEqual({
    found: [{ path: "packages/part-499/module-99.ts", kind: "file" }],
    more: false,
  });
  expect(rankPaths(candidates, "module", 20).more).toBe(true);
});

it("exactly those that have the letters in their order, whatever is typed", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "C", "/", ".", "é"), maxLength: 8 });
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 8 }), text, (paths, q) => {
      const letters = [...q.trim().toLowerCase()].map((letter) => letter.replace(/[./]/, "\\$&"));
      const inOrder = new RegExp(letters.join(".*"), "su");
      const fits = (path: string) => inOrder.test(path.toLowerCase());
      const all = paths.map((path) => candidate(path, "file"));
      const ranked = rankPaths(all, q, 100).found.map(({ path }) => path);
      expect(ranked.toSorted()).toEqual(paths.filter(fits).toSorted());
    }),
  );
});
