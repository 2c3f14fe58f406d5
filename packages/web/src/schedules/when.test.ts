import { describe, expect, it } from "vitest";
import { inMinutes, timingOf, whenWords } from "./when.ts";

describe("when a message goes out", () => {
  it("is asked for as the daemon takes it", () => {
    expect(timingOf({ kind: "at", at: "2026-11-16T10:00" })).toEqual({
      at: new Date("2026-11-16T10:00").toISOString(),
    });
    expect(timingOf({ kind: "every", every: "90m" })).toEqual({ every: 5400 });
    expect(timingOf({ kind: "every", every: " 2 h" })).toEqual({ every: 7200 });
    expect(timingOf({ kind: "every", every: "0 9 * * 1-5" })).toEqual({ every: "0 9 * * 1-5" });
    expect(timingOf({ kind: "after", session: "ses_1", outcome: "any" })).toEqual({
      after: { session: "ses_1", outcome: "any" },
    });
  });

  it("is nothing while it is not filled in", () => {
    expect(timingOf({ kind: "at", at: "" })).toBeUndefined();
    expect(timingOf({ kind: "every", every: " " })).toBeUndefined();
    expect(timingOf({ kind: "after", session: "", outcome: "any" })).toBeUndefined();
  });

  it("is told in words", () => {
    const words = (more: Parameters<typeof whenWords>[0]) => whenWords(more, () => "The other");
    expect(words({ every: 3600 })).toBe("every hour");
    expect(words({ every: 5400 })).toBe("every 90 minutes");
    expect(words({ every: "0 9 * * *" })).toBe("at 0 9 * * *");
    expect(words({ after: { session: "ses_1", outcome: "failed" } })).toBe("when “The other” fails");
  });

  it("begins with a time of the local clock", () => {
    expect(inMinutes(61, new Date(2026, 0, 31, 23, 30))).toBe("2026-02-01T00:31");
  });
});
