import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTile, MAX_TILES, moveTile, nextTile, parseTiles, removeTile, tilesPath } from "./tile-list.ts";

const anyId = fc.integer({ min: 1, max: 30 }).map((n) => `ses_${n}`);
const anyTiles = fc.uniqueArray(anyId, { minLength: 1, maxLength: MAX_TILES });

describe("the tiles of an address", () => {
  it("survive a round trip through the address, each session once", () => {
    fc.assert(
      fc.property(anyTiles, (ids) => {
        expect(parseTiles(tilesPath(ids).slice("/s/".length))).toEqual(ids);
        expect(parseTiles([...ids, ...ids].join("+"))).toEqual(ids);
      }),
    );
    expect(parseTiles("+ses_1++ses_2+")).toEqual(["ses_1", "ses_2"]);
    expect(tilesPath([])).toBe("/");
  });

  it("keep all other tiles in order when one is added, removed or moved", () => {
    fc.assert(
      fc.property(anyTiles, anyId, fc.integer({ min: -3, max: 20 }), (ids, id, to) => {
        const added = addTile(ids, id, ids[0]);
        expect(added.length).toBeLessThanOrEqual(MAX_TILES);
        expect(removeTile(added, id)).toEqual(removeTile(ids, id));
        const moved = moveTile(ids, id, to);
        expect(moved.toSorted()).toEqual(ids.toSorted());
        expect(removeTile(moved, id)).toEqual(removeTile(ids, id));
      }),
    );
    expect(addTile(["a", "b"], "c", "a")).toEqual(["a", "c", "b"]);
    expect(addTile(["a", "b"], "a")).toEqual(["a", "b"]);
    expect(moveTile(["a", "b", "c"], "a", 2)).toEqual(["b", "c", "a"]);
    expect(moveTile(["a", "b"], "x", 0)).toEqual(["a", "b"]);
  });

  it("are visited around the ends", () => {
    const ids = ["a", "b", "c"];
    expect(nextTile(ids, "c", 1)).toBe("a");
    expect(nextTile(ids, "a", -1)).toBe("c");
    expect(nextTile(ids, undefined, 1)).toBe("a");
    expect(nextTile(ids, "gone", -1)).toBe("c");
  });
});
