import type { TurnRow } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { forkPlaces, seqOfTurn } from "./fork-places.ts";

const turn = (seq: number, endSeq?: number) => ({ seq, endSeq }) as TurnRow;
const turns = [turn(3, 10), turn(12, 20), turn(22)];
const values = (seq: number) => forkPlaces(turns, seq).map(({ value }) => Number(value));

describe("the points where a fork can start", () => {
  it("are the turn of the event and the one before it, if they have ended", () => {
    expect(values(1)).toEqual([]);
    expect(values(5)).toEqual([10]);
    expect(values(10)).toEqual([10]);
    expect(values(11)).toEqual([10]);
    expect(values(15)).toEqual([20, 10]);
    expect(values(25)).toEqual([20]);
  });
});

describe("a step by turns", () => {
  it("goes to the start of a turn or to an end of the log", () => {
    expect(seqOfTurn(turns, 1, 1, 30)).toBe(3);
    expect(seqOfTurn(turns, 3, 1, 30)).toBe(12);
    expect(seqOfTurn(turns, 22, 1, 30)).toBe(30);
    expect(seqOfTurn(turns, 15, -1, 30)).toBe(12);
    expect(seqOfTurn(turns, 12, -1, 30)).toBe(3);
    expect(seqOfTurn(turns, 3, -1, 30)).toBe(1);
  });
});
