import { describe, expect, it } from "vitest";
import { appliedText, outcomeText } from "./outcome-text.ts";

const became = (disposition: "started" | "queued" | "steered" | "interrupting", position?: number) =>
  ({ state: "sent", sent: { message: "msg_a", disposition, position } }) as const;

describe("the notice about a message", () => {
  it("is omitted when the message simply started a turn", () => {
    expect(outcomeText("auto", became("started"))).toBeUndefined();
  });

  it("explains a delivery that differs from the request", () => {
    expect(outcomeText("steer", became("queued", 1))).toBe("Could not steer right now. Queued at position 2.");
    expect(outcomeText("queue", became("started"))).toContain("starts the next turn");
    expect(outcomeText("auto", { state: "stored" })).toContain("Saved");
  });
});

describe("the notice about a change to a session", () => {
  it("states when the change takes effect", () => {
    expect(appliedText([{ field: "mode", value: "plan", when: "next_turn" }])).toBe(
      "Mode: plan, effective from the next turn.",
    );
    expect(appliedText([{ field: "title", value: "x", when: "now" }])).toBeUndefined();
  });
});
