import fc from "fast-check";
import { expect, it } from "vitest";
import { compareVersions } from "./versions.ts";

const ORDERED = [
  "0.1.0-alpha",
  "0.1.0-alpha.1",
  "0.1.0-alpha.beta",
  "0.1.0-beta.2",
  "0.1.0-beta.11",
  "0.1.0-rc-1",
  "0.1.0",
  "0.1.1",
  "0.2.0",
  "0.10.0",
  "1.0.0-rc.1",
  "1.0.0",
];

it("orders versions as semantic versioning does", () => {
  fc.assert(
    fc.property(fc.nat(ORDERED.length - 1), fc.nat(ORDERED.length - 1), (a, b) => {
      expect(Math.sign(compareVersions(ORDERED[a] ?? "", ORDERED[b] ?? ""))).toBe(Math.sign(a - b));
    }),
  );
});

it("ignores build metadata", () => {
  expect(compareVersions("1.0.0+a-1", "1.0.0+b")).toBe(0);
});
