import { expect, it } from "vitest";
import { readSetting, writtenSetting } from "./setting-text.ts";

it("reads what it writes", () => {
  expect(readSetting("number", writtenSetting(300))).toBe(300);
  expect(readSetting("list", writtenSetting(["a.example", "b.example:80"]))).toEqual(["a.example", "b.example:80"]);
  expect(readSetting("text", writtenSetting("Be brief."))).toBe("Be brief.");
});

it("takes nothing for the default, and refuses what is no number", () => {
  expect(readSetting("number", "  ")).toBeNull();
  expect(readSetting("number", "many")).toBeUndefined();
});
