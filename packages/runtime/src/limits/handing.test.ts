import type { SessionView } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { type HandoffRule, ruleFor } from "./handing.ts";

const T = Date.parse("2026-11-16T10:00:00.000Z");
const rules: HandoffRule[] = [
  { from: "one", to: "two", after: 10 },
  { from: "one", to: "three", after: "reached" },
  { from: "two", to: "one", after: "reached" },
];
const parked = (more: Partial<SessionView> = {}) =>
  ({
    agent: "one",
    queue: [{ message: "msg_1", text: "go", attachments: [], delivery: "auto" }],
    limit: { provider: "p", since: new Date(T).toISOString(), autoResume: true },
    ...more,
  }) as SessionView;
const to = (view: SessionView, minutes = 0, held: string[] = []) =>
  ruleFor(view, rules, T + minutes * 60_000, (rule) => held.includes(rule.to))?.to;

describe("a rule for a parked session", () => {
  it("counts from its time on, the first that fits", () => {
    expect(to(parked())).toBe("three");
    expect(to(parked(), 10)).toBe("two");
  });

  it("never leads to an agent that meets a limit itself", () => {
    expect(to(parked(), 10, ["two"])).toBe("three");
    expect(to(parked(), 10, ["two", "three"])).toBeUndefined();
    expect(to(parked({ agent: "two" }), 0, ["one"])).toBeUndefined();
  });

  it("is for sessions that wait with something to say and may go on by themselves", () => {
    expect(to(parked({ queue: [] }))).toBeUndefined();
    expect(to(parked({ limit: undefined }))).toBeUndefined();
    expect(to(parked({ autoResume: false }))).toBeUndefined();
    expect(to(parked({ agent: "three" }))).toBeUndefined();
    const budget = { provider: "gantry", source: "budget", since: new Date(T).toISOString(), autoResume: true };
    expect(to(parked({ limit: budget }))).toBeUndefined();
  });
});
