import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EnvelopeSchema } from "./envelope-schema.ts";
import { pairs } from "./pairs.ts";
import { eventTable, eventTypes } from "./table.ts";

const folder = join(import.meta.dirname, "fixtures");
const fixture = (type: string) => JSON.parse(readFileSync(join(folder, `${type}.json`), "utf8"));

it("there is one fixture for each event type, and none besides", () => {
  expect(readdirSync(folder).sort()).toEqual(eventTypes.map((type) => `${type}.json`).sort());
});

describe("fixtures", () => {
  for (const type of eventTypes) {
    it(`${type} is a valid envelope, and nothing in it is unknown to the schema`, () => {
      const event = fixture(type);
      expect(event.type).toBe(type);
      const parsed = EnvelopeSchema.safeParse(event);
      expect(parsed.error).toBeUndefined();
      expect(parsed.data).toEqual(event);
    });

    it(`${type} without its data, or with another's, is refused`, () => {
      expect(EnvelopeSchema.safeParse({ ...fixture(type), data: undefined }).success).toBe(false);
      expect(EnvelopeSchema.safeParse({ ...fixture(type), seq: 0 }).success).toBe(false);
      expect(EnvelopeSchema.safeParse({ ...fixture(type), session: "trn_1" }).success).toBe(false);
    });
  }
});

it("an event of an unknown type is refused", () => {
  expect(EnvelopeSchema.safeParse({ ...fixture("notice"), type: "made.up" }).success).toBe(false);
});

it("pairs name types that exist and a key that both ends carry", () => {
  for (const { start, end, key } of pairs) {
    expect([eventTable[start], eventTable[end]]).not.toContain(undefined);
    if (key === "turn") continue;
    for (const type of [start, end]) expect(fixture(type).data[key]).toBeTypeOf("string");
  }
});
