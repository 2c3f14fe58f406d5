import fc from "fast-check";
import { expect, it } from "vitest";
import type { Shown } from "./shown.ts";
import { nextStep } from "./step.ts";

const row = (n: number): Shown => ({
  row: { kind: "note", key: `seq:${n}`, events: [], tone: "plain", text: "" },
  depth: 0,
  under: 0,
});
const rows = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => row(from + index));
const keys = (list: readonly Shown[]) => list.map(({ row: own }) => own.key);

it("a list that grows or shrinks at both ends does so one end at a time, and arrives", () => {
  const range = fc.tuple(fc.nat(30), fc.nat(30));
  fc.assert(
    fc.property(range, range, ([from, size], [otherFrom, otherSize]) => {
      let shown: readonly Shown[] = rows(from, from + size);
      const wanted = rows(otherFrom, otherFrom + otherSize);
      for (let count = 0; keys(shown).join() !== keys(wanted).join(); count++) {
        expect(count).toBeLessThan(4);
        const step = nextStep(shown, wanted);
        if (!step.fresh) {
          if (step.shift) expect(keys(step.rows).at(-1)).toBe(keys(shown).at(-1));
          else expect(keys(step.rows)[0]).toBe(keys(shown)[0]);
        }
        shown = step.rows;
      }
    }),
  );
});

it("a list of which nothing is left begins anew", () => {
  expect(nextStep(rows(0, 5), rows(100, 105))).toMatchObject({ fresh: true, shift: false });
  expect(nextStep([], rows(0, 3)).fresh).toBe(true);
});
