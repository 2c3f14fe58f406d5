import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asObject, type Json } from "../json.ts";
import { googleParameters } from "./google.ts";
import { strictParameters, withoutNulls } from "./strict.ts";

const object = (properties: Json, required: string[] = [], more: Json = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});

describe("strict mode", () => {
  test("closes objects, requires every property and makes optional ones nullable", () => {
    const schema = object({ a: { type: "string" }, b: { type: "number", description: "count", default: 3 } }, ["a"]);
    expect(strictParameters(schema)).toEqual({
      type: "object",
      properties: {
        a: { type: "string" },
        b: { anyOf: [{ type: "number" }, { type: "null" }], description: "count (default: 3)" },
      },
      required: ["a", "b"],
      additionalProperties: false,
    });
  });

  test("keeps optional properties for Anthropic", () => {
    const schema = object({ a: { type: "string" }, b: { type: "number" } }, ["a"]);
    expect(strictParameters(schema, "unchanged")).toEqual({ ...schema, additionalProperties: false });
  });

  test("inlines references and single allOf parts, and describes rules in text", () => {
    const schema = object(
      { a: { $ref: "#/$defs/A", description: "mine" }, b: { allOf: [{ type: "string", pattern: "^x" }] } },
      ["a", "b"],
      {
        $defs: { A: { type: "integer", minimum: 1 } },
      },
    );
    expect(strictParameters(schema)?.properties).toEqual({
      a: { type: "integer", description: "mine [minimum: 1]" },
      b: { type: "string", description: '[pattern: "^x"]' },
    });
  });

  test.each([
    ["an open object", object({ a: { type: "object", additionalProperties: true } })],
    ["a map", object({ a: { type: "object", additionalProperties: { type: "string" } } })],
    ["any object", object({ a: { type: "object" } })],
    ["mixed values", object({ a: { enum: [1, "a"] } })],
    ["no type", object({ a: {} })],
    ["a list of anything", object({ a: { type: "array" } })],
    ["recursion", { ...object({ a: { $ref: "#" } }) }],
    ["reference to nothing", object({ a: { $ref: "#/$defs/X" } })],
    ["several parts of allOf", object({ a: { allOf: [{ type: "string" }, { type: "string" }] } })],
    ["no object", { type: "string" }],
  ])("cannot express %s", (_name, schema) => expect(strictParameters(schema)).toBeUndefined());

  test("returns undefined or closed objects with all properties required, for any schema", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const strict = strictParameters(object(value as Json));
        if (strict) expect(isClosed(strict)).toBe(true);
      }),
    );
  });

  test("removes nulls of optional properties and keeps others", () => {
    const schema = object({
      a: { type: "string" },
      b: { type: ["string", "null"] },
      c: object({ d: { type: "string" } }),
      e: { type: "array", items: object({ f: { type: "string" } }) },
    });
    const args = { a: null, b: null, c: { d: null }, e: [{ f: null }], unknown: null };
    expect(withoutNulls(args, schema)).toEqual({ b: null, c: {}, e: [{}], unknown: null });
  });
});

function isClosed(schema: Json): boolean {
  const properties = asObject(schema.properties);
  const own =
    schema.type !== "object" ||
    (schema.additionalProperties === false &&
      JSON.stringify(schema.required) === JSON.stringify(Object.keys(properties)));
  return own && Object.values(properties).every((each) => isClosed(asObject(each)));
}

describe("the schema for Google", () => {
  test("keeps supported keywords and describes the rest in text", () => {
    const schema = object(
      {
        a: { const: "x" },
        b: { oneOf: [{ type: "string", minLength: 2 }, { type: "null" }] },
        c: { type: ["string", "null"], description: "c" },
        d: { type: "integer", exclusiveMinimum: 0, description: "count" },
        e: { enum: [1, 2], type: "integer" },
      },
      ["a"],
      { $schema: "x", patternProperties: {} },
    );
    const google = JSON.parse(JSON.stringify(googleParameters(schema))) as Json;
    expect(google).toEqual(
      object(
        {
          a: { enum: ["x"] },
          b: { anyOf: [{ type: "string", description: "[minLength: 2]" }, { type: "null" }] },
          c: { anyOf: [{ type: "string" }, { type: "null" }], description: "c" },
          d: { type: "integer", description: "count [exclusiveMinimum: 0]" },
          e: { type: "integer", description: "[one of [1,2]]" },
        },
        ["a"],
      ),
    );
  });

  test("is an object schema for any input", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(googleParameters(value as Json).type).toBe("object");
      }),
    );
    expect(googleParameters(object({ a: { $ref: "#" } })).type).toBe("object");
  });
});
