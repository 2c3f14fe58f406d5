import { join } from "node:path";
import { expect, it } from "vitest";
import { breaches, headsOf, replayHistory, turnsOf } from "../../../transfer/history/testing/replayed.ts";
import { codex } from "../descriptor.ts";

const place = { env: { CODEX_HOME: join(import.meta.dirname, "..", "fixtures", "history") }, home: "/nowhere" };
const LONG = "01a1e2db-8ac5-76d3-bd94-536f0223fefd";
const COMPACTED = "01a1e331-9b12-7273-a4df-18d0579703e8";
const DENIED = "01a1e2db-967e-74e3-b9cf-ff2f2ae3b552";

async function log(id: string) {
  const head = (await headsOf(codex, place)).find((one) => one.id === id);
  return replayHistory(codex, place, head!);
}

it("finds conversations by their heads and skips those of subagents", async () => {
  const heads = await headsOf(codex, place);
  expect(heads.map(({ id }) => id).sort()).toEqual([LONG, DENIED, COMPACTED]);
  expect(heads.find(({ id }) => id === LONG)).toMatchObject({
    cwd: "/workspace/project",
    title: "[[text]] hello there, remember the heron",
    startedAt: "2026-11-16T05:36:41.164Z",
  });
});

it("reads a whole conversation: texts, tools, changes, a failure, an interrupt", async () => {
  const events = await log(LONG);
  expect(breaches(events)).toEqual([]);
  expect(turnsOf(events)).toMatchInlineSnapshot(`
    [
      "[[text]] hello there, remember the heron | completed",
      "[[think]] think | completed",
      "[[write]] a file | ok::add | completed",
      "[[edit]] a file | ok::add | ok::update | completed",
      "[[bash]] run | ok:0 | completed",
      "[[bashfail]] run | error:3 | completed",
      "[[read]] hostname | ok:0 | completed",
      "[[multi]] things | ok:0 | ok:0 | ok::add | ok:0 | completed",
      "[[todo]] list | completed",
      "[[subagent]] go | ok | completed",
      "[[unicode]] go | completed",
      "[[badtool]] go | error | completed",
      "[[text]] what is in the picture? | completed",
      "[[err429]] limit | rate_limit",
      "[[bashslow]] wait | interrupted | interrupted",
      "[[text]] after all that | completed",
    ]
  `);
  expect(events.filter(({ type }) => type === "raw")).toEqual([]);
  expect(events.findLast(({ type }) => type === "turn.ended")?.data).toMatchObject({
    usage: { input: 1500, reasoning: 10 },
  });
});

it("reads a denied patch without changes and its reason as a steer", async () => {
  const events = await log(DENIED);
  expect(turnsOf(events)).toEqual(["[[write]] please | denied | +Not here. | completed"]);
});

it("skips compaction summaries", async () => {
  const events = await log(COMPACTED);
  expect(turnsOf(events)).toEqual([
    "[[text]] hello there, remember the heron | completed",
    "[[think]] think | completed",
  ]);
  expect(events.filter(({ type }) => type === "context.compacted")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "message.done")).toHaveLength(2);
  expect(breaches(events)).toEqual([]);
});
