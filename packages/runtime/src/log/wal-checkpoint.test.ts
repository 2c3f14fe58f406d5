import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
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

it("closes while a checkpoint runs and loses nothing", async () => {
  const script = at.startSession();
  const text = "x".repeat(1_000_000);
  for (let i = 0; i < 20; i++)
    at.store.commit({ session: "ses_a", events: script.add(draft("message.done", { item: "itm_1", text })) });
  while (statSync(at.path).size < 1_000_000) await sleep(1);
  at.reopen();
  expect(at.store.lastSeq("ses_a")).toBe(21);
});
