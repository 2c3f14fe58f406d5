import { expect, test } from "vitest";
import { fieldsOf, inputOf } from "./edited-input.ts";

test("an input goes into fields and comes back the same", () => {
  const input = { command: "ls\n-l", timeout: 5, env: { A: "1" }, dry: false };
  const fields = fieldsOf(input);
  expect(fields?.map(({ name, kind }) => [name, kind])).toEqual([
    ["command", "text"],
    ["timeout", "json"],
    ["env", "json"],
    ["dry", "json"],
  ]);
  expect(inputOf(fields ?? [])).toEqual({ input });
});

test("a field that is not JSON is named", () => {
  expect(inputOf([{ name: "timeout", kind: "json", value: "five" }])).toEqual({ wrong: "timeout" });
});

test("what is no object has nothing to edit", () => {
  for (const input of [undefined, null, "text", [1], {}]) expect(fieldsOf(input)).toBeUndefined();
});
