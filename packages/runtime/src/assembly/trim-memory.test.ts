import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ownMemory, trimMemoryWhenQuiet } from "./trim-memory.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process whose collections free everything above 50 MB. */
function fakeProcess() {
  const state = { mb: 80, busy: 0, collections: 0 };
  const stop = trimMemoryWhenQuiet({
    resident: () => state.mb * 1e6,
    busyMs: () => state.busy,
    collect: () => {
      state.collections += 1;
      state.mb = Math.min(state.mb, 50);
    },
  });
  const pass = (busy: number) => {
    state.busy += busy;
    vi.advanceTimersByTime(1000);
  };
  return { state, pass, stop };
}

it("collects once after the start, and again only after the process has grown", () => {
  const { state, pass, stop } = fakeProcess();
  for (let check = 0; check < 10; check += 1) pass(1);
  expect(state).toMatchObject({ collections: 1, mb: 50 });
  state.mb = 200;
  pass(1);
  expect(state).toMatchObject({ collections: 2, mb: 50 });
  stop();
});

it("waits while the process works, and stops on request", () => {
  const { state, pass, stop } = fakeProcess();
  for (let check = 0; check < 10; check += 1) pass(500);
  expect(state.collections).toBe(0);
  pass(1);
  expect(state.collections).toBe(1);
  stop();
  state.mb = 500;
  pass(1);
  expect(state.collections).toBe(1);
});

it("releases caches and collects in this process", () => {
  const release = vi.fn();
  const { busyMs: _, ...memory } = ownMemory(release);
  const stop = trimMemoryWhenQuiet({ ...memory, busyMs: () => 0 });
  vi.advanceTimersByTime(1000);
  stop();
  expect(release).toHaveBeenCalledOnce();
  expect("gc" in globalThis && typeof globalThis.gc === "function").toBe(
    Boolean(process.execArgv.includes("--expose-gc")),
  );
});
