import { expect, it } from "vitest";
import { formatSetting, parseSetting } from "./setting-text.ts";

it("parses the text that it formats", () => {
  expect(parseSetting("number", formatSetting(300))).toBe(300);
  expect(parseSetting("list", formatSetting(["a.example", "b.example:80"]))).toEqual(["a.example", "b.example:80"]);
  expect(parseSetting("text", formatSetting("Be brief."))).toBe("Be brief.");
});

it("treats an empty text as the default and rejects an invalid number", () => {
  expect(parseSetting("number", "  ")).toBeNull();
  expect(parseSetting("number", "many")).toBeUndefined();
});
