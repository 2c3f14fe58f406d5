import { expect, test } from "vitest";
import { fromFields, toFields } from "./input-fields.ts";

test("round-trips an input through its fields", () => {
  const input = { command: "ls\n-l", timeout: 5, env: { A: "1" }, dry: false };
  const fields = toFields(input);
  expect(fields?.map(({ name, kind }) => [name, kind])).toEqual([
    ["command", "text"],
    ["timeout", "json"],
    ["env", "json"],
    ["dry", "json"],
  ]);
  expect(fromFields(fields ?? [])).toEqual({ input });
});

test("names the field that is not valid JSON", () => {
  expect(fromFields([{ name: "timeout", kind: "json", value: "five" }])).toEqual({ invalid: "timeout" });
});

test("gives no fields for an input that is not an object", () => {
  for (const input of [undefined, null, "text", [1], {}]) expect(toFields(input)).toBeUndefined();
});
