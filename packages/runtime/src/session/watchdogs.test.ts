import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DeadlineKind } from "./engine/state.ts";
import { Watchdogs } from "./watchdogs.ts";

const HOUR = 3_600_000;
let passed: DeadlineKind[];
let watchdogs: Watchdogs;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  passed = [];
  watchdogs = new Watchdogs((kind) => passed.push(kind));
});
afterEach(() => {
  watchdogs.clear();
  vi.useRealTimers();
});

it.each([15 * HOUR, -15 * HOUR, 26_000 * HOUR, -26_000 * HOUR])(
  "fires after the elapsed time when the clock jumps by %d ms in between",
  (jump) => {
    let clock = 1.8e12;
    watchdogs.sync({ turn: { at: clock + 60_000, seconds: 60 } }, clock);
    vi.advanceTimersByTime(10_000);
    clock += 10_000 + jump;
    // Output moves the deadline for silence; the one for the turn stays.
    const silence = { at: clock + 30_000, seconds: 30 };
    watchdogs.sync({ turn: { at: 1.8e12 + 60_000, seconds: 60 }, silence }, clock);
    vi.advanceTimersByTime(29_000);
    expect(passed).toEqual([]);
    vi.advanceTimersByTime(1500);
    expect(passed).toEqual(["silence"]);
    vi.advanceTimersByTime(20_000);
    expect(passed).toEqual(["silence", "turn"]);
  },
);

it("moves a deadline by elapsed time although the clock jumped forwards", () => {
  let clock = 1.8e12;
  watchdogs.sync({ silence: { at: clock + 30_000, seconds: 30 } }, clock);
  vi.advanceTimersByTime(20_000);
  clock += 20_000 + 26_000 * HOUR;
  watchdogs.sync({ silence: { at: clock + 30_000, seconds: 30 } }, clock);
  vi.advanceTimersByTime(29_000);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(passed).toEqual(["silence"]);
});

it("waits no longer than the deadline's own time when a stored one is far in the future", () => {
  watchdogs.sync({ turn: { at: 1.8e12 + 26_000 * HOUR, seconds: 60 } }, 1.8e12);
  vi.advanceTimersByTime(60_500);
  expect(passed).toEqual(["turn"]);
});
