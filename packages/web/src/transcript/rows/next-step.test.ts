import fc from "fast-check";
import { expect, it } from "vitest";
import { lastRows, nextStep } from "./next-step.ts";
import { defaultOpenness, type ShownRow } from "./shown-rows.ts";

const row = (n: number): ShownRow => ({
  row: { kind: "note", key: `seq:${n}`, events: [], tone: "plain", text: "" },
  depth: 0,
  childCount: 0,
});
const rows = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => row(from + index));
const keys = (list: readonly ShownRow[]) => list.map(({ row: own }) => own.key);

it("changes one end at a time and reaches the target", () => {
  const range = fc.tuple(fc.nat(30), fc.nat(30));
  fc.assert(
    fc.property(range, range, ([from, size], [otherFrom, otherSize]) => {
      let shown: readonly ShownRow[] = rows(from, from + size);
      const target = rows(otherFrom, otherFrom + otherSize);
      for (let count = 0; keys(shown).join() !== keys(target).join(); count++) {
        expect(count).toBeLessThan(4);
        const step = nextStep(shown, target);
        if (!step.fresh) {
          if (step.shift) expect(keys(step.rows).at(-1)).toBe(keys(shown).at(-1));
          else expect(keys(step.rows)[0]).toBe(keys(shown)[0]);
        }
        shown = step.rows;
      }
    }),
  );
});

it("starts fresh when the lists have no row in common", () => {
  expect(nextStep(rows(0, 5), rows(100, 105))).toMatchObject({ fresh: true, shift: false });
  expect(nextStep([], rows(0, 3)).fresh).toBe(true);
});

const messageRow = (n: number, length: number): ShownRow => ({
  row: { kind: "message", key: `item:${n}`, events: [], item: `itm_${n}`, text: "x".repeat(length), open: false },
  depth: 0,
  childCount: 0,
});

it("starts a list with a bounded number of its last rows, fewer if they are long", () => {
  const short = rows(0, 500);
  expect(lastRows(short, defaultOpenness, 0)).toEqual([]);
  expect(lastRows(short.slice(0, 3), defaultOpenness, 900)).toEqual(short.slice(0, 3));
  const shown = lastRows(short, defaultOpenness, 900);
  expect(shown).toEqual(short.slice(-shown.length));
  expect(shown.length * 24).toBeGreaterThanOrEqual(900);
  expect(shown.length).toBeLessThan(50);
  const long = Array.from({ length: 500 }, (_, n) => messageRow(n, 5000));
  expect(lastRows(long, defaultOpenness, 900).length).toBeLessThan(5);
});
