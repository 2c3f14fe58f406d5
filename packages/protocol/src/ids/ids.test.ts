import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type IdKind, idPrefixes, isPlainModel } from "./formats.ts";
import { makeIds } from "./make-ids.ts";
import { AgentId, ModelId, SessionId } from "./schema.ts";

describe("made ids", () => {
  it("are in the order in which they were made, also within a millisecond", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 200 }), fc.integer({ min: 0, max: 2 ** 44 }), (steps, start) => {
        let now = start;
        const make = makeIds(() => now, Math.random);
        const ids = steps.map((step) => {
          now += step;
          return make("session");
        });
        expect(ids).toEqual([...ids].sort());
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it("carry the prefix of their kind and pass its schema", () => {
    const make = makeIds(Date.now, Math.random);
    for (const kind of Object.keys(idPrefixes) as IdKind[])
      expect(make(kind)).toMatch(new RegExp(`^${idPrefixes[kind]}_[0-9a-z]{22}$`));
    expect(SessionId.safeParse(make("session")).success).toBe(true);
    expect(SessionId.safeParse(make("turn")).success).toBe(false);
  });

  it("stay apart at both ends of what a random source may give", () => {
    const make = makeIds(
      () => 1,
      (() => {
        let n = 0;
        return () => (n++ % 2 ? 0.999999999 : 0);
      })(),
    );
    expect(make("item")).not.toBe(make("item"));
    expect(make("item")).not.toContain("undefined");
  });
});

it("what names a model or an agent can do no harm on a command line", () => {
  for (const bad of ["", "-m", "--model", "a b", "a;b", "a$b", "a\nb", "../x", "é", "a".repeat(201)])
    expect(ModelId.safeParse(bad).success).toBe(false);
  for (const good of [
    "gpt-5.2",
    "openai/gpt-5",
    "us.anthropic.claude:0",
    "m@2026",
    "model[1m]",
    "opus[thinking=true,effort=high]",
  ])
    expect(ModelId.safeParse(good).success).toBe(true);
  expect(isPlainModel("model[1m]")).toBe(true);
  expect(isPlainModel("opus[effort=high]")).toBe(false);
  for (const bad of ["", "Claude", "1a", "-a", "a/b", "a".repeat(41)])
    expect(AgentId.safeParse(bad).success).toBe(false);
});

it("stay in order and unique when the clock jumps both ways", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5e10, max: 5e10 }), { minLength: 1, maxLength: 20 }), (jumps) => {
      let time = 1.8e12;
      const id = makeIds(() => time, Math.random);
      const ids = jumps.flatMap((jump) => {
        time = Math.max(0, time + jump);
        return Array.from({ length: 100 }, () => id("session"));
      });
      expect(ids).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
  const still = makeIds(() => 1, Math.random);
  const many = Array.from({ length: 5000 }, () => still("turn"));
  expect(many).toEqual(many.toSorted());
});
