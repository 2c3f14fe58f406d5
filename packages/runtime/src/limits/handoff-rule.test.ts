import type { SessionView } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { type HandoffRule, ruleFor } from "./handoff-rule.ts";

const T = Date.parse("2026-11-16T10:00:00.000Z");
const rules: HandoffRule[] = [
  { from: "one", to: "two", after: 10 },
  { from: "one", to: "three", after: "reached" },
  { from: "two", to: "one", after: "reached" },
];
const heldView = (more: Partial<SessionView> = {}) =>
  ({
    agent: "one",
    queue: [{ message: "msg_1", text: "go", attachments: [], delivery: "auto" }],
    limit: { provider: "p", since: new Date(T).toISOString(), autoResume: true },
    ...more,
  }) as SessionView;
const to = (view: SessionView, minutes = 0, held: string[] = []) =>
  ruleFor(view, rules, T + minutes * 60_000, (rule) => held.includes(rule.to))?.to;

describe("a handoff rule", () => {
  it("applies after its delay, the first match first", () => {
    expect(to(heldView())).toBe("three");
    expect(to(heldView(), 10)).toBe("two");
  });

  it("never selects an agent that is limited itself", () => {
    expect(to(heldView(), 10, ["two"])).toBe("three");
    expect(to(heldView(), 10, ["two", "three"])).toBeUndefined();
    expect(to(heldView({ agent: "two" }), 0, ["one"])).toBeUndefined();
  });

  it("applies only to sessions with a waiting message and automatic resume", () => {
    expect(to(heldView({ queue: [] }))).toBeUndefined();
    expect(to(heldView({ limit: undefined }))).toBeUndefined();
    expect(to(heldView({ autoResume: false }))).toBeUndefined();
    expect(to(heldView({ agent: "three" }))).toBeUndefined();
    const budget = { provider: "gantry", source: "budget", since: new Date(T).toISOString(), autoResume: true };
    expect(to(heldView({ limit: budget }))).toBeUndefined();
  });
});
