import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildTable } from "./path-table.ts";
import { PathSearch } from "./rank-paths.ts";

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
const searchIn = async (paths: readonly string[]) => new PathSearch(await buildTable([{ paths, kind: "file" }]));
const found = async (q: string, limit = 10) => (await searchIn(PATHS)).find(q, limit).map(({ path }) => path);

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
  ])("%s", async (q, expected) => {
    expect((await found(q)).slice(0, Math.max(1, expected.length))).toEqual(expected);
  });

  it("a beginning of a word before the middle of one", async () => {
    expect((await found("sc"))[0]).toBe("web/src/SessionCard.tsx");
  });

  it("the shallowest paths without a query", async () => {
    expect(await found("", 2)).toEqual(["README.md", "docs/http.md"]);
    expect(await found("", 0)).toEqual([]);
  });

  it("the characters that the query matched", async () => {
    const positions = async (q: string) => (await searchIn(PATHS)).find(q, 1)[0]?.positions;
    expect(await positions("card")).toEqual([15, 16, 17, 18]);
    expect(await positions("rtt")).toEqual([12, 19, 22]);
    expect(await positions("srcru")).toEqual([0, 1, 2, 12, 13]);
    expect(await positions("")).toEqual([]);
  });
});

it("finds the one that is meant among a hundred thousand, with less than 20 ms of processor time for each key", async () => {
  const many = Array.from({ length: 100_000 }, (_, i) => `packages/part-${i % 500}/module-${Math.floor(i / 500)}.ts`);
  const search = await searchIn(many);
  const type = () => {
    const keys = ["p", "p4", "p49", "p499", "p499m", "p499m1", "p499m19", "p499m199"];
    return keys.map((query) => {
      const before = process.threadCpuUsage();
      const [best] = search.find(query, 20);
      const { user, system } = process.threadCpuUsage(before);
      return { best: best?.path, ms: (user + system) / 1000 };
    });
  };
  // The first rounds are compiled code's warm-up; a shared machine can disturb any one round.
  const rounds = Array.from({ length: 6 }, type);
  expect(rounds.at(-1)?.at(-1)?.best).toBe("packages/part-499/module-199.ts");
  const fastest = rounds[0]!.map((_, key) => Math.min(...rounds.map((round) => round[key]!.ms)));
  expect(Math.max(...fastest)).toBeLessThan(20);
});

const text = fc.string({ unit: fc.constantFrom("a", "b", "C", "/", ".", "é", "İ"), maxLength: 8 });
const paths = fc.uniqueArray(text, { maxLength: 8 });

it("finds exactly the paths that have the letters in their order, for any query", async () => {
  await fc.assert(
    fc.asyncProperty(paths, text, async (all, q) => {
      const lower = (one: string) =>
        [...one].map((letter) => (letter === "İ" ? letter : letter.toLowerCase())).join("");
      const letters = [...lower(q.trim())].map((letter) => letter.replace(/[./]/, "\\$&"));
      const inOrder = new RegExp(letters.join(".*"), "su");
      const ranked = (await searchIn(all)).find(q, 100);
      expect(ranked.map(({ path }) => path).toSorted()).toEqual(
        all.filter((one) => inOrder.test(lower(one))).toSorted(),
      );
      for (const { path, positions } of ranked) {
        expect(lower(positions.map((at) => path[at]).join(""))).toBe(lower(q.trim()));
        expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      }
    }),
  );
});

it("finds the same after any typed and erased letters as for the query alone", async () => {
  await fc.assert(
    fc.asyncProperty(paths, fc.array(text, { maxLength: 6 }), async (all, queries) => {
      const search = await searchIn(all);
      for (const q of queries.flatMap((one) => Array.from(one, (_, end) => one.slice(0, end + 1))))
        expect(search.find(q, 5)).toEqual((await searchIn(all)).find(q, 5));
    }),
  );
});
