import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resetTime } from "./reset-time.ts";

const now = new Date("2026-11-16T10:00:00.000Z");
const after = (ms: number) => new Date(now.getTime() + ms).toISOString();

describe("the end of a limit", () => {
  it.each<[string, string | undefined]>([
    ["Rate limit reached for the scripted model. Please try again in 1.5s.", after(1500)],
    ["Please try again in 20ms.", after(20)],
    ["You've hit your usage limit. Try again in 2 days 3 hours 5 minutes.", after(((2 * 24 + 3) * 60 + 5) * 60_000)],
    ["Quota exceeded. Please retry in 34.074824224s.", after(34_074)],
    ["Your quota will reset after 2h 3m.", after(123 * 60_000)],
    ['429 {"retryDelay":"34s"}', after(34_000)],
    ["429 Too Many Requests, retry-after: 30", after(30_000)],
    ["Claude AI usage limit reached|1794830400", "2026-11-16T12:00:00.000Z"],
    ['{"resets_at": 1794830400}', "2026-11-16T12:00:00.000Z"],
    ["You've hit your session limit · resets 3pm (UTC)", "2026-11-16T15:00:00.000Z"],
    ["You've hit your limit · resets 9:30am (UTC)", "2026-11-17T09:30:00.000Z"],
    ["resets 3pm (Europe/Berlin)", "2026-11-16T14:00:00.000Z"],
    ["weekly limit · resets Nov 20, 5pm (America/New_York)", "2026-11-20T22:00:00.000Z"],
    ["or try again at Nov 18th, 2026 2:05 PM (UTC).", "2026-11-18T14:05:00.000Z"],
    ["limited; available until 2026-11-16T11:00:00Z", "2026-11-16T11:00:00.000Z"],
    ["API Error: Request rejected (429) · Scripted rate limit exceeded", undefined],
    ["You exceeded your current quota, please check your plan and billing details.", undefined],
    ["retrying 3 of 10", undefined],
    ["The agent has been retrying for 0.3 s. Last: 429", undefined],
    ["Too many requests. Please wait 20 seconds.", after(20_000)],
    ["", undefined],
  ])("%s", (text, expected) => {
    expect(resetTime(text, now)?.toISOString()).toBe(expected);
  });

  it("is never an invalid date and never throws, for any text", () => {
    const word = fc.constantFrom(
      "try again",
      "resets",
      "in",
      "at",
      "5pm",
      "99:99",
      "(Nowhere/Else)",
      "12",
      "3h",
      "|17948304001",
      "Feb 31",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string())), (parts) => {
        const found = resetTime(parts.join(" "), now);
        expect(found === undefined || !Number.isNaN(found.getTime())).toBe(true);
      }),
    );
  });
});
