import { describe, expect, it } from "vitest";
import { historyOf, isAtEdge, recallStep } from "./history.ts";

const entries = ["first", "second", "third"];

describe("the message history", () => {
  it("goes back one message at a time and stops at the oldest", () => {
    const one = recallStep(entries, undefined, -1, "draft");
    expect(one).toEqual({ recall: { at: 2, stash: "draft" }, text: "third" });
    const two = recallStep(entries, one?.recall, -1, "third");
    const three = recallStep(entries, two?.recall, -1, "second");
    expect(three?.text).toBe("first");
    expect(recallStep(entries, three?.recall, -1, "first")).toBeUndefined();
  });

  it("restores the text that was being written", () => {
    const up = recallStep(entries, undefined, -1, "my draft");
    expect(recallStep(entries, up?.recall, 1, "third")).toEqual({ text: "my draft" });
  });

  it("does not handle the key when there is nothing to recall", () => {
    expect(recallStep(entries, undefined, 1, "draft")).toBeUndefined();
    expect(recallStep([], undefined, -1, "draft")).toBeUndefined();
  });

  it("opens only at the edges of the text", () => {
    const text = "one\ntwo";
    expect(isAtEdge(text, 0, 0, -1, false)).toBe(true);
    expect(isAtEdge(text, 2, 2, -1, true)).toBe(false);
    expect(isAtEdge(text, 0, 3, -1, false)).toBe(false);
    expect(isAtEdge(text, 7, 7, 1, true)).toBe(true);
    expect(isAtEdge(text, 7, 7, 1, false)).toBe(false);
  });

  it("lists a message that was sent twice in a row once", () => {
    expect(historyOf(["a", "a", " ", "b", "a"])).toEqual(["a", "b", "a"]);
  });
});
