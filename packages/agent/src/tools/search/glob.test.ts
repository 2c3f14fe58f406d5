import fc from "fast-check";
import { expect, test } from "vitest";
import { globPattern } from "./glob.ts";

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "deep/er/.a.ts", true],
  ["*.ts", "a.tsx", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "lib/src/a.ts", false],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/a/.b/c.ts", true],
  ["src/**", "src/a/b", true],
  ["./src/a?c", "src/abc", true],
  ["*.{ts,js}", "x.js", true],
  ["*.{ts,{m,c}js}", "x.cjs", true],
  ["[a-c].x", "b.x", true],
  ["[!a-c].x", "b.x", false],
  ["a+b(c).ts", "a+b(c).ts", true],
  ["*a*b*c", "xaxbaxc", true],
  ["*a*b*c", "xbxaxc", false],
  ["a*b?d*e", "abbcd.abcde", true],
  ["*1*2", "a1b2", true],
  ["*/*a*b.ts", "src/xaxb.ts", true],
  ["\\*", "*", true],
  ["\\*", "a", false],
])("%s and %s: %s", (glob, path, expected) => {
  expect(globPattern(glob).test(path)).toBe(expected);
});

test("no glob throws", () => {
  const sign = fc.constantFrom("*", "**", "/", "[", "]", "{", "}", ",", "!", "\\", "a", "-", "^", "?");
  fc.assert(
    fc.property(
      fc.array(fc.oneof(sign, fc.string()), { maxLength: 12 }),
      (parts) => void globPattern(parts.join("")).test("a/b"),
    ),
  );
});

test("a glob with many stars takes bounded time", () => {
  const started = performance.now();
  expect(globPattern("*a*a*a*a*a*a*b.ts").test("a".repeat(200))).toBe(false);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("stars match like a regular expression without atomic groups", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(letters, { minLength: 2, maxLength: 4 }), letters, (parts, name) => {
      const glob = parts.filter((part, at) => part !== "" || at === 0 || at === parts.length - 1).join("*");
      expect(globPattern(glob).test(name)).toBe(new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(name));
    }),
  );
});

test.each([
  "*a*a*a*a*a*a*a*a*b",
  "{*a,*a*a}*{a*,a*a*}b",
  "*{a,b}*{a,b}*{a,b}*{a,b}*{a,b}*c",
  "*?*?*?*?*?*?*?*b",
  "*[a]*[!b]*[a]*[a]*[a]*b",
  "**a**a**a**a**a**b",
  "{{{{a,*}*,*}*,*}*,*}*b",
  "**/a*/**/a*/**/a*/**/a*/**/b",
])("%s takes bounded time on long names and deep folders", (glob) => {
  const begun = performance.now();
  for (const path of ["a".repeat(4000), "a/".repeat(2000)]) expect(globPattern(glob).test(path)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(10_000);
});
