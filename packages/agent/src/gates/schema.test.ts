import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, hashOf } from "./canonical.ts";
import { answerFaults, type GateSchema, schemaProblem } from "./schema.ts";

function nestSchema(depth: number): GateSchema {
  return depth === 0 ? { type: "string" } : { type: "array", items: nestSchema(depth - 1) };
}

describe("schemas of gates", () => {
  it.each<[string, unknown]>([
    ["a keyword that would not be checked", { type: "string", pattern: "^a" }],
    ["a keyword deep inside", { properties: { a: { items: { $ref: "#" } } } }],
    ["a type that is none", { type: "text" }],
    ["too deep", nestSchema(17)],
    ["too many properties", { properties: Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`p${n}`, {}])) }],
    ["too many values", { enum: Array.from({ length: 513 }, (_, n) => n) }],
    ["too large", { description: "x".repeat(65 * 1024) }],
    ["no object", "string"],
    ["choices that are none", { oneOf: [] }],
  ])("are refused: %s", (_name, schema) => {
    expect(schemaProblem(schema)).toBeTypeOf("string");
  });

  it("are limited in depth and width", () => {
    expect(schemaProblem(nestSchema(16))).toBeUndefined();
    expect(schemaProblem({ enum: Array.from({ length: 512 }, (_, n) => n) })).toBeUndefined();
  });

  it.each<[GateSchema, unknown, string[]]>([
    [{ type: "boolean" }, "yes", ["type"]],
    [{ type: "integer", minimum: 1, maximum: 3 }, 4, ["maximum"]],
    [{ type: "integer" }, 1.5, ["type"]],
    [{ type: "string", minLength: 2, maxLength: 3 }, "👍", ["minLength"]],
    [{ enum: ["a", { b: 1 }] }, { b: 1 }, []],
    [{ enum: ["a"] }, "b", ["enum"]],
    [{ const: null }, 0, ["const"]],
    [
      { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 2 },
      ["a", "a", 3],
      ["maxItems", "uniqueItems", "type"],
    ],
    [
      { type: "object", required: ["a"], properties: {}, additionalProperties: false },
      { b: 1 },
      ["required", "additionalProperties"],
    ],
    [{ type: "object", additionalProperties: { type: "number" } }, { b: "1" }, ["type"]],
    [{ oneOf: [{ type: "number" }, { type: "integer" }] }, 1, ["oneOf"]],
    [{ anyOf: [{ type: "number" }, { type: "string" }] }, true, ["anyOf"]],
    [{ type: ["string", "null"] }, null, []],
    [{ required: ["toString"] }, {}, ["required"]],
  ])("%j is held against %j", (schema, answer, keywords) => {
    expect(answerFaults(schema, answer).map(({ keyword }) => keyword)).toEqual(keywords);
  });

  it("report the path of a fault", () => {
    const schema = { type: "object", properties: { list: { type: "array", items: { type: "string" } } } };
    expect(answerFaults(schema, { list: ["a", 2] })).toEqual([
      { path: "/answer/list/1", keyword: "type", message: "must be string", expected: "string" },
    ]);
  });

  it("reject an answer that is too large", () => {
    expect(answerFaults({ type: "string" }, "x".repeat(257 * 1024))).toHaveLength(1);
  });

  it("accept any JSON for an open schema, and any value for its own const", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(answerFaults({}, value)).toEqual([]);
        expect(answerFaults({ const: value }, value)).toEqual([]);
      }),
    );
  });

  it("have a hash that does not depend on the key order", () => {
    expect(canonicalJson({ b: [1, { d: 1, c: undefined }], a: "x" })).toBe('{"a":"x","b":[1,{"d":1}]}');
    expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }));
  });
});
