import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { isBranchName } from "./git/commits.ts";
import { Git } from "./git/git.ts";
import { freeName, LONGEST_NAME, nameFrom, slugOf } from "./names.ts";
import { TestRepository, testGitEnvironment } from "./testing/test-repository.ts";

const repo = new TestRepository();
const git = new Git(testGitEnvironment);
afterAll(() => repo.remove());

it.each([
  ["Fix the login page, please, now", "fix-the-login-page"],
  ["  don't   break\nthe API v2! ", "dont-break-the-api"],
  ["Füge Größe & Ærø hinzu", "fuge-grosse-aero-hinzu"],
  ["修复 登录 页面", "修复-登录-页面"],
  ["修复 login", "login"],
  ["🚀 🎉", "lane"],
  ["", "lane"],
  ["a".repeat(100), "a".repeat(48)],
  ["../../etc/passwd -rf --force .lock", "etc-passwd-rf-force-lock"],
])("names a lane for %j %s", (prompt, name) => {
  expect(nameFrom(prompt)).toBe(name);
});

it("makes a short name that is valid as a branch and as a folder, for any prompt", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 120 }), async (prompt) => {
      for (const name of [nameFrom(prompt), slugOf(prompt)]) {
        expect([...name].length).toBeLessThanOrEqual(LONGEST_NAME);
        expect(name).not.toMatch(/[/\0\s]|^[-.]|^$/);
        expect(await isBranchName(git, repo.path, `gantry/${name}`)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

it("appends the next free number to a taken name, within the length limit", () => {
  const taken = new Set(["fix", "fix-2", "a".repeat(48)]);
  expect(freeName("fix", (name) => taken.has(name))).toBe("fix-3");
  expect(freeName("a".repeat(48), (name) => taken.has(name))).toBe(`${"a".repeat(46)}-2`);
  expect(freeName("new", (name) => taken.has(name))).toBe("new");
});
