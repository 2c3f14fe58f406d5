import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isWithin, valuesFor } from "./path-scopes.ts";

const part = fc.stringMatching(/^[a-z]{1,3}[a-z0-9_-]{0,2}$/);
const path = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`);

it("finds a folder within itself and within its ancestors", () => {
  fc.assert(
    fc.property(path, fc.array(part, { maxLength: 3 }), (folder, below) => {
      expect(isWithin(join(folder, ...below), folder)).toBe(true);
    }),
  );
});

it("does not find a path within a sibling with the same prefix, or within its own child", () => {
  fc.assert(
    fc.property(path, part, part, (folder, name, more) => {
      expect(isWithin(join(folder, `${name}${more}`), join(folder, name))).toBe(false);
      expect(isWithin(folder, join(folder, name))).toBe(false);
    }),
  );
});

it("finds two paths within each other only if they are equal", () => {
  fc.assert(fc.property(path, path, (a, b) => (isWithin(a, b) && isWithin(b, a)) === (a === b)));
});

it("applies values without a path everywhere, and others below their paths", () => {
  const entries = ["a", { paths: ["~/work", "/srv"], values: ["b", "c"] }, { paths: ["private"], values: ["d"] }];
  expect(valuesFor(entries, "/home/me", "/home/me")).toEqual(["a"]);
  expect(valuesFor(entries, "/home/me/work", "/home/me")).toEqual(["a", "b", "c"]);
  expect(valuesFor(entries, "/home/me/work/deep/er", "/home/me")).toEqual(["a", "b", "c"]);
  expect(valuesFor(entries, "/home/me/workshop", "/home/me")).toEqual(["a"]);
  expect(valuesFor(entries, "/srv/x/..", "/home/me")).toEqual(["a", "b", "c"]);
  expect(valuesFor(entries, "/home/me/private/x", "/home/me")).toEqual(["a", "d"]);
});
