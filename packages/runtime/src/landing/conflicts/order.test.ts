import fc from "fast-check";
import { expect, it } from "vitest";
import { type Candidate, type Clash, landingOrder } from "./order.ts";

const lane = (name: string, files: string[], base: Candidate["base"] = "clean"): Candidate => ({
  lane: `lan_${name}`,
  name,
  files,
  base,
});

it("lands conflict-free lanes first and lanes that conflict with the base last", () => {
  const lanes = [
    lane("stale", ["z"], "conflict"),
    lane("hub", ["a", "b"]),
    lane("left", ["a"]),
    lane("own", ["c", "d"]),
  ];
  const order = landingOrder(lanes, [{ a: "lan_hub", b: "lan_left", files: ["a"] }]);
  expect(order.map(({ name }) => name)).toEqual(["own", "left", "hub", "stale"]);
  expect(order.map(({ conflicts }) => conflicts)).toEqual([0, 1, 0, 0]);
  expect(order[1]?.reason).toBe("conflicts with hub, fewer than the others");
  expect(order.at(-1)?.reason).toContain("update it first");
});

it("omits a lane without changes", () => {
  expect(landingOrder([lane("idle", [])], [])).toEqual([]);
});

it("lists each lane with changes once, independent of the input order", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 6 });
  const scene = names.chain((list) =>
    fc.record({
      lanes: fc.tuple(
        ...list.map((name) =>
          fc
            .record({
              files: fc.uniqueArray(fc.constantFrom("1", "2", "3", "4"), { maxLength: 4 }),
              base: fc.constantFrom<Candidate["base"]>("clean", "conflict", "unknown"),
            })
            .map(({ files, base }) => lane(name, files, base)),
        ),
      ),
      clashes: fc.array(
        fc.record({
          a: fc.constantFrom("lan_a", "lan_b"),
          b: fc.constantFrom("lan_c", "lan_d"),
          files: fc.constant([]),
        }),
        { maxLength: 4 },
      ),
    }),
  );
  fc.assert(
    fc.property(scene, ({ lanes, clashes }) => {
      const order = landingOrder(lanes, clashes as Clash[]);
      expect(order.map(({ name }) => name).sort()).toEqual(
        lanes
          .filter(({ files }) => files.length > 0)
          .map(({ name }) => name)
          .sort(),
      );
      expect(landingOrder([...lanes].reverse(), [...clashes].reverse() as Clash[])).toEqual(order);
    }),
  );
});
