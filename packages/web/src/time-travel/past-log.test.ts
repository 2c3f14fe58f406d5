import type { Envelope } from "@gantry/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { PAGE, PastLog } from "./past-log.ts";

const event = (seq: number) => ({ seq, type: "notice" }) as Envelope;

function openLog(length: number) {
  const requests: number[] = [];
  const log = { length, broken: false };
  const past = new PastLog(async (after, limit) => {
    requests.push(after);
    if (log.broken) throw new Error("offline");
    return Array.from({ length: Math.max(0, Math.min(limit, log.length - after)) }, (_, index) =>
      event(after + index + 1),
    );
  });
  return { past, requests, log };
}

it("returns the events up to any position, without a gap and without later ones", async () => {
  const { past } = openLog(3000);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 5 }), async (seq, pages) => {
      const numbers = (await past.until(seq, pages)).map((one) => one.seq);
      expect(numbers.at(-1)).toBe(seq);
      expect(numbers).toEqual(numbers.map((_, index) => seq - numbers.length + 1 + index));
      expect(numbers.length).toBeGreaterThanOrEqual(Math.min(seq, (pages - 1) * PAGE + 1));
    }),
  );
});

it("moves inside of loaded pages without requests", async () => {
  const { past, requests } = openLog(1000);
  await past.until(600, 2);
  requests.length = 0;
  for (const seq of [599, 450, 402, 600]) await past.until(seq, 2);
  expect(requests).toEqual([]);
});

it("loads a page again when the log has grown, and after a failure", async () => {
  const { past, log } = openLog(10);
  expect(await past.until(10, 2)).toHaveLength(10);
  log.length = 12;
  expect(await past.until(12, 2)).toHaveLength(12);
  log.length = 300;
  log.broken = true;
  await expect(past.until(250, 1)).rejects.toThrow("offline");
  log.broken = false;
  expect((await past.until(250, 1)).at(-1)?.seq).toBe(250);
});
