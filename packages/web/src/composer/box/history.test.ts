import { describe, expect, it } from "vitest";
import { historyOf, isAtEdge, recallStep } from "./history.ts";

const entries = ["first", "second", "third"];

describe("earlier messages", () => {
  it("go back one by one and stop at the oldest", () => {
    const one = recallStep(entries, undefined, -1, "draft");
    expect(one).toEqual({ recall: { at: 2, stash: "draft" }, text: "third" });
    const two = recallStep(entries, one?.recall, -1, "third");
    const three = recallStep(entries, two?.recall, -1, "second");
    expect(three?.text).toBe("first");
    expect(recallStep(entries, three?.recall, -1, "first")).toBeUndefined();
  });

  it("give back what was being written, whatever happened to the text in between", () => {
    const up = recallStep(entries, undefined, -1, "my draft");
    expect(recallStep(entries, up?.recall, 1, "third")).toEqual({ text: "my draft" });
  });

  it("leave the key alone where there is nothing to recall", () => {
    expect(recallStep(entries, undefined, 1, "draft")).toBeUndefined();
    expect(recallStep([], undefined, -1, "draft")).toBeUndefined();
  });

  it("come only at the edges of the text", () => {
    const text = "one\ntwo";
    expect(isAtEdge(text, 0, 0, -1, false)).toBe(true);
    expect(isAtEdge(text, 2, 2, -1, true)).toBe(false);
    expect(isAtEdge(text, 0, 3, -1, false)).toBe(false);
    expect(isAtEdge(text, 7, 7, 1, true)).toBe(true);
    expect(isAtEdge(text, 7, 7, 1, false)).toBe(false);
  });

  it("are told once when they were sent twice in a row", () => {
    expect(historyOf(["a", "a", " ", "b", "a"])).toEqual(["a", "b", "a"]);
  });
});
