import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { IdleMemory } from "./idle-memory.ts";

const QUIET_MS = 20;

function open(sizes: number[]) {
  const done: string[] = [];
  const options = { quietMs: QUIET_MS, growth: 10, resident: () => sizes.shift() ?? 0, collect: () => done.push("gc") };
  const memory = new IdleMemory(() => done.push("release"), options);
  return { memory, done };
}

it("releases memory once after a burst, when the process has grown", async () => {
  const { memory, done } = open([100, 130, 105, 109]);
  memory.committed();
  memory.committed();
  await sleep(5 * QUIET_MS);
  expect(done).toEqual(["release", "gc"]);
  memory.committed();
  await sleep(5 * QUIET_MS);
  expect(done).toEqual(["release", "gc"]);
});

it("does nothing while events are being stored, and nothing after it was stopped", async () => {
  const { memory, done } = open([100]);
  for (let i = 0; i < 10; i++) {
    memory.committed();
    await sleep(QUIET_MS / 4);
  }
  memory.stop();
  await sleep(5 * QUIET_MS);
  expect(done).toEqual([]);
});

it("returns the memory of a large heap to the system", () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let garbage: unknown[] | undefined = Array.from({ length: 400_000 }, (_, i) => ({ text: `${i}`.repeat(10) }));
  const before = process.memoryUsage().heapTotal;
  const memory = new IdleMemory(() => resolve(), { quietMs: 1, growth: Number.NEGATIVE_INFINITY });
  expect(garbage.length).toBe(400_000);
  garbage = undefined;
  memory.committed();
  return promise.then(() => sleep(10)).then(() => expect(process.memoryUsage().heapTotal).toBeLessThan(before));
});
