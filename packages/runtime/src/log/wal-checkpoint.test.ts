import { closeSync, openSync, readSync, statSync } from "node:fs";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { draft } from "@gantry/protocol";
import { expect, it } from "vitest";
import { TemporaryStore } from "./testing/temporary-store.ts";

const at = new TemporaryStore();

it("copies the write-ahead log into the database while events are stored without a pause, not in a commit", async () => {
  const script = at.startSession();
  const commit = (size: number) => {
    const text = "x".repeat(size);
    at.store.commit({ session: "ses_a", events: script.add(draft("message.done", { item: "itm_1", text })) });
  };
  for (let i = 0; i < 25; i++) commit(1_000_000);
  const copied = () => statSync(at.path).size;
  expect(copied()).toBeLessThan(1_000_000);
  for (let i = 0; i < 1000 && copied() < 20_000_000; i++) {
    commit(10);
    await sleep(20);
  }
  expect(copied()).toBeGreaterThan(20_000_000);
  expect(at.store.readEvents("ses_a", 0, 25).map(({ seq }) => seq)).toHaveLength(25);
});

it("starts the log again before SQLite's own limit while events are stored without a pause", async () => {
  const script = at.startSession();
  const text = "x".repeat(500);
  const first = timesStarted();
  let batches = 0;
  const size = () => statSync(`${at.path}-wal`).size;
  for (; size() < 240_000_000 && timesStarted() === first; batches++) {
    const drafts = Array.from({ length: 32 }, (_, i) => draft("message.done", { item: `itm_${batches}_${i}`, text }));
    at.store.commit({ session: "ses_a", events: drafts.flatMap((one) => script.add(one)) });
    // About as fast as a flooding agent. The pause of a timer would let the checkpoint reach the end of the log.
    for (const end = performance.now() + 0.8; performance.now() < end; );
    await turn();
  }
  expect(timesStarted()).toBeGreaterThan(first);
  expect(at.store.lastSeq("ses_a")).toBe(1 + 32 * batches);
});

/** How often the log has started from its beginning: the checkpoint sequence number of its header. */
function timesStarted(): number {
  const file = openSync(`${at.path}-wal`, "r");
  const number = Buffer.alloc(4);
  readSync(file, number, 0, 4, 12);
  closeSync(file);
  return number.readUInt32BE();
}

it("closes while a checkpoint runs and loses nothing", async () => {
  const script = at.startSession();
  const text = "x".repeat(1_000_000);
  for (let i = 0; i < 20; i++)
    at.store.commit({ session: "ses_a", events: script.add(draft("message.done", { item: "itm_1", text })) });
  while (statSync(at.path).size < 1_000_000) await sleep(1);
  at.reopen();
  expect(at.store.lastSeq("ses_a")).toBe(21);
});
