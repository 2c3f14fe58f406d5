import fc from "fast-check";
import { expect, test } from "vitest";
import { parseArguments, readTruncated } from "./partial-json.ts";

test("parses valid objects", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      expect(parseArguments(text)).toEqual({ arguments: JSON.parse(text) });
    }),
  );
});

test("reads any prefix of an object without inventing keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const read = readTruncated(text.slice(0, at % (text.length + 1)));
      expect(Object.keys(JSON.parse(text))).toEqual(expect.arrayContaining(Object.keys(read)));
    }),
  );
});

test("never throws, and reports invalid text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const { arguments: read, invalid } = parseArguments(text);
      expect(typeof read).toBe("object");
      if (text.trim() !== "") expect(invalid).toBeDefined();
    }),
  );
});

test.each([
  ["", {}],
  ['{"a": "x', { a: "x" }],
  ['{"a": 1, "b', { a: 1 }],
  ['{"a": 1, "b": tr', { a: 1 }],
  ['{"a": {"b": [1, 2', { a: { b: [1, 2] } }],
  ['{"a": "x\\', { a: "x" }],
  ['{"a": "x\\u00', { a: "x" }],
  ["[1]", {}],
  ["null", {}],
])("reads what it can of %j", (text, expected) => expect(parseArguments(text).arguments).toEqual(expected));
