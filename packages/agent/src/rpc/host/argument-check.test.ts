import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createArgumentCheck } from "./argument-check.ts";

type Schema = Record<string, unknown>;
type Pair = { schema: Schema; value: unknown };

const leaf: fc.Arbitrary<Pair> = fc.oneof(
  fc.string().map((value) => ({ schema: { type: "string", maxLength: 1_000 }, value })),
  fc.integer().map((value) => ({ schema: { type: "integer" }, value })),
  fc.boolean().map((value) => ({ schema: { type: ["boolean", "null"] }, value })),
  fc.constantFrom("a", "b").map((value) => ({ schema: { enum: ["a", "b"] }, value })),
  fc.string().map((value) => ({ schema: { type: "string", pattern: "unchecked", format: "uri", default: 1 }, value })),
);

/** Schemas with a value that is valid for each. */
const { pair } = fc.letrec<{ pair: Pair; object: Pair }>((tie) => ({
  object: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie("pair"), { maxKeys: 4 }).map((members) => ({
    schema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
      required: Object.keys(members),
      additionalProperties: false,
    },
    value: Object.fromEntries(Object.entries(members).map(([name, { value }]) => [name, value])),
  })),
  pair: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie("object"),
    tie("pair").map(({ schema, value }) => ({ schema: { type: "array", items: schema }, value: [value, value] })),
    tie("pair").map(({ schema, value }) => ({ schema: { oneOf: [schema, schema] }, value })),
  ),
}));

/** Tool parameters with one argument. */
const parameters = (schema: Schema): Schema => ({
  type: "object",
  properties: { argument: schema },
  required: ["argument"],
  additionalProperties: false,
});

describe("the check of a host tool's arguments", () => {
  it("passes every valid argument, also by reference", () => {
    fc.assert(
      fc.property(pair, ({ schema, value }) => {
        expect(createArgumentCheck(parameters(schema))({ argument: value })).toBeUndefined();
        const referring = { ...parameters({ $ref: "#/$defs/it" }), $defs: { it: schema } };
        expect(createArgumentCheck(referring)({ argument: value })).toBeUndefined();
      }),
    );
  });

  it("refuses a missing and an additional argument, whatever the schema", () => {
    fc.assert(
      fc.property(pair, ({ schema, value }) => {
        const check = createArgumentCheck(parameters(schema));
        expect(check({})).toContain("must have argument");
        expect(check({ argument: value, more: 1 })).toContain("must not have more");
      }),
    );
  });

  it.each([
    ["a text for a number", { type: "integer" }, "5"],
    ["a fraction for an integer", { type: "integer" }, 1.5],
    ["a value outside an enum", { enum: ["a", "b"] }, "c"],
    ["an empty text", { type: "string", minLength: 1 }, ""],
    ["a number out of range", { type: "number", maximum: 3 }, 4],
    ["a wrong item", { type: "array", items: { type: "string" } }, ["a", 1]],
    ["a value that fits no choice", { anyOf: [{ type: "string" }, { type: "null" }] }, 1],
    ["a wrong value behind a reference", { $ref: "#/properties/other" }, 1],
    ["any value where none is allowed", { not: {}, enum: [] }, 1],
  ])("refuses %s", (_what, schema, value) => {
    const declared = { type: "object", properties: { argument: schema, other: { type: "string" } } };
    expect(createArgumentCheck(declared)({ argument: value })).toMatch(/^argument/);
  });

  it("ends for a schema that refers to itself", () => {
    const tree = { type: "object", properties: { next: { $ref: "#" } }, required: ["name"] };
    const check = createArgumentCheck(tree);
    expect(check({ name: "a", next: { name: "b" } })).toBeUndefined();
    expect(check({ name: "a", next: {} })).toBe("next must have name");
  });

  it.each([{}, { type: "object", required: "name", enum: 5, items: 7, anyOf: [] }, { $ref: "https://example.com/x" }])(
    "ignores what it cannot check: %j",
    (declared) => expect(createArgumentCheck(declared)({ any: "thing" })).toBeUndefined(),
  );
});
