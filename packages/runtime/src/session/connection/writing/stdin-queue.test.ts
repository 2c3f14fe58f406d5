import { expect, it } from "vitest";
import type { JournalRow } from "../../../log/port.ts";
import { files, outputOf, playground, waitUntil } from "../../../process/testing/playground.ts";
import { StdinQueue } from "./stdin-queue.ts";

const { agent } = playground();

function row(frame: string, state: JournalRow["state"]): JournalRow {
  return {
    id: `row_${state}`,
    process: "prc_1",
    session: "ses_1",
    ordinal: 0,
    atOffset: 0,
    repeat: "safe",
    frame,
    state,
  };
}

/** What an agent reads from a daemon that continues after a crash, one line each. */
async function readBy(unwritten: readonly JournalRow[], last: string): Promise<string[]> {
  const { dir } = await agent('while IFS= read -r line; do echo "$line" | cut -c1-9; done');
  const owner = { setState: () => {}, ping: () => false, onClosed: () => {}, onError: () => {} };
  const queue = new StdinQueue(files(dir).in, unwritten, owner);
  queue.add(unwritten);
  await waitUntil(() => outputOf(dir).endsWith(`${last}\n`), "the last frame");
  queue.stop();
  return outputOf(dir).trimEnd().split("\n");
}

it("sends no blank line after a crash in the write of a small frame", async () => {
  expect(await readBy([row("one", "writing"), row("two", "pending")], "two")).toEqual(["one", "two"]);
});

it("ends the line of a large frame that a crash may have cut", async () => {
  const large = "x".repeat(5000);
  expect(await readBy([row(large, "writing"), row("two", "pending")], "two")).toEqual(["", "xxxxxxxxx", "two"]);
});
