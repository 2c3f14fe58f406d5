import { expect, test } from "vitest";
import { takeGlobals } from "./globals.ts";

test("accepts global flags anywhere before --", () => {
  expect(takeGlobals(["--json", "ls", "--all"])).toEqual({ json: true, noColor: false, rest: ["ls", "--all"] });
  expect(takeGlobals(["run", "hi", "--no-color"])).toEqual({ json: false, noColor: true, rest: ["run", "hi"] });
  expect(takeGlobals(["run", "--", "--json"])).toEqual({ json: false, noColor: false, rest: ["run", "--", "--json"] });
});

test("reads a lone -v as the version, and leaves it to commands otherwise", () => {
  expect(takeGlobals(["-v"]).rest).toEqual(["--version"]);
  expect(takeGlobals(["run", "-v"]).rest).toEqual(["run", "-v"]);
});
