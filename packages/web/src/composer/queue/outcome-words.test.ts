import { describe, expect, it } from "vitest";
import { appliedWords, outcomeWords } from "./outcome-words.ts";

const became = (disposition: "started" | "queued" | "steered" | "interrupting", position?: number) =>
  ({ state: "sent", sent: { message: "msg_a", disposition, position } }) as const;

describe("what became of a message", () => {
  it("goes without saying when it just started", () => {
    expect(outcomeWords("auto", became("started"))).toBeUndefined();
  });

  it("is said when it is not what was asked for", () => {
    expect(outcomeWords("steer", became("queued", 1))).toBe("It could not be steered in now: queued, place 2.");
    expect(outcomeWords("queue", became("started"))).toContain("starts the next one");
    expect(outcomeWords("auto", { state: "kept" })).toContain("Kept");
  });
});

describe("a change to a session", () => {
  it("is told with the moment from which it holds", () => {
    expect(appliedWords([{ field: "mode", value: "plan", when: "next_turn" }])).toBe(
      "Mode: plan, from the next turn on.",
    );
    expect(appliedWords([{ field: "title", value: "x", when: "now" }])).toBeUndefined();
  });
});
