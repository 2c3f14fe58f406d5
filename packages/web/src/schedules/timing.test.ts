import { describe, expect, it } from "vitest";
import { inMinutes, timingText, toTiming, toWhen } from "./timing.ts";

describe("the timing of a schedule", () => {
  it("is converted to the format of the daemon", () => {
    expect(toTiming({ kind: "at", at: "2026-11-16T10:00" })).toEqual({
      at: new Date("2026-11-16T10:00").toISOString(),
    });
    expect(toTiming({ kind: "every", every: "90m" })).toEqual({ every: 5400 });
    expect(toTiming({ kind: "every", every: " 2 h" })).toEqual({ every: 7200 });
    expect(toTiming({ kind: "every", every: "0 9 * * 1-5" })).toEqual({ every: "0 9 * * 1-5" });
    expect(toTiming({ kind: "after", session: "ses_1", outcome: "any" })).toEqual({
      after: { session: "ses_1", outcome: "any" },
    });
  });

  it("is undefined while the form is incomplete", () => {
    expect(toTiming({ kind: "at", at: "" })).toBeUndefined();
    expect(toTiming({ kind: "every", every: " " })).toBeUndefined();
    expect(toTiming({ kind: "after", session: "", outcome: "any" })).toBeUndefined();
  });

  it("is described in text", () => {
    const text = (more: Parameters<typeof timingText>[0]) => timingText(more, () => "The other");
    expect(text({ every: 3600 })).toBe("Every hour");
    expect(text({ every: 5400 })).toBe("Every 90 minutes");
    expect(text({ every: "0 9 * * *" })).toBe("cron 0 9 * * *");
    expect(text({ after: { session: "ses_1", outcome: "failed" } })).toBe("When “The other” fails");
  });

  it("starts with a time of the local clock", () => {
    expect(inMinutes(61, new Date(2026, 0, 31, 23, 30))).toBe("2026-02-01T00:31");
  });
});

it("shows the timing of a schedule in the form as it was entered", () => {
  for (const when of [
    { kind: "every", every: "90m" },
    { kind: "every", every: "2w" },
    { kind: "every", every: "30 9 * * 1-5" },
    { kind: "after", session: "ses_1", outcome: "failed" },
    { kind: "at", at: "2030-01-02T03:04" },
  ] as const) {
    expect(toWhen(toTiming(when) ?? {})).toEqual(when);
  }
});
