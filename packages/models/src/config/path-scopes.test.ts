import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { inForce, isWithin } from "./path-scopes.ts";

const part = fc.stringMatching(/^[a-z]{1,3}[a-z0-9_-]{0,2}$/);
const path = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`);

it("a folder is within itself and within those above it", () => {
  fc.assert(
    fc.property(path, fc.array(part, { maxLength: 3 }), (folder, below) => {
      expect(isWithin(join(folder, ...below), folder)).toBe(true);
    }),
  );
});

it("nothing is within a folder whose name only begins alike, or below it", () => {
  fc.assert(
    fc.property(path, part, part, (folder, name, more) => {
      expect(isWithin(join(folder, `${name}${more}`), join(folder, name))).toBe(false);
      expect(isWithin(folder, join(folder, name))).toBe(false);
    }),
  );
});

it("two that are within each other are the same", () => {
  fc.assert(fc.property(path, path, (a, b) => (isWithin(a, b) && isWithin(b, a)) === (a === b)));
});

it("words without a folder count everywhere, the others there", () => {
  const entries = ["a", { paths: ["~/work", "/srv"], values: ["b", "c"] }, { paths: ["private"], values: ["d"] }];
  expect(inForce(entries, "/home/me", "/home/me")).toEqual(["a"]);
  expect(inForce(entries, "/home/me/work", "/home/me")).toEqual(["a", "b", "c"]);
  expect(inForce(entries, "/home/me/work/deep/er", "/home/me")).toEqual(["a", "b", "c"]);
  expect(inForce(entries, "/home/me/workshop", "/home/me")).toEqual(["a"]);
  expect(inForce(entries, "/srv/x/..", "/home/me")).toEqual(["a", "b", "c"]);
  expect(inForce(entries, "/home/me/private/x", "/home/me")).toEqual(["a", "d"]);
});
