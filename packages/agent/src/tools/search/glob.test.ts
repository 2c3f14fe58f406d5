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
