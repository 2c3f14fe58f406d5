import { expect, test } from "vitest";
import { z } from "zod";
import { McpServerSettings } from "../kit/schema.ts";
import { issuesOf } from "./issues.ts";

function complaints(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error ? issuesOf(error).map(({ path, message }) => `${path.join(".")}: ${message}`) : [];
}

test("reports what is missing from the closest of several alternatives", () => {
  expect(complaints(McpServerSettings, { command: "npx" })).toEqual([expect.stringMatching(/^command: .*array/)]);
  expect(complaints(McpServerSettings, { url: "x", headers: {} })).toEqual([expect.stringMatching(/^url: /)]);
  const nested = z.record(z.string(), McpServerSettings);
  expect(complaints(nested, { a: { command: ["x"], env: { A: 1 } } })).toEqual([expect.stringMatching(/^a\.env\.A: /)]);
});

test("reports why a key is invalid", () => {
  const schema = z.record(z.string().regex(/^[a-z]+$/, "must be small"), z.number());
  expect(complaints(schema, { BIG: 1 })).toEqual(["BIG: must be small"]);
});

test("all other complaints stay as they are", () => {
  expect(complaints(z.strictObject({ a: z.number() }), { a: "x" })).toEqual([expect.stringMatching(/^a: .*number/)]);
});
