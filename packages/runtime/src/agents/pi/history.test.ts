import { join } from "node:path";
import { expect, it } from "vitest";
import { breaches, headsOf, replayHistory, turnsOf } from "../../transfer/history/testing/replayed.ts";
import { pi } from "./descriptor.ts";

const place = { env: { PI_CODING_AGENT_DIR: join(import.meta.dirname, "fixtures", "history") }, home: "/nowhere" };
const LONG = "01a1e2db-580d-73ff-8a76-6cff67a0bb0f";
const DENIED = "01a1e2db-6148-779e-b983-cdfc60f97d05";

async function log(id: string) {
  const head = (await headsOf(pi, place)).find((one) => one.id === id);
  return replayHistory(pi, place, head!);
}

it("finds conversations by their heads", async () => {
  const heads = await headsOf(pi, place);
  expect(heads.map(({ id }) => id).sort()).toEqual([LONG, DENIED]);
  expect(heads.find(({ id }) => id === LONG)).toMatchObject({
    cwd: "/workspace/project",
    title: "[[text]] hello there, remember the heron",
    startedAt: "2026-11-16T05:36:28.174Z",
  });
});

it("reads a whole conversation: texts, tools, changes, a failure, an interrupt, a compaction", async () => {
  const events = await log(LONG);
  expect(breaches(events)).toEqual([]);
  expect(turnsOf(events)).toMatchInlineSnapshot(`
    [
      "[[text]] hello there, remember the heron | completed",
      "[[think]] think | completed",
      "[[write]] a file | ok::update | completed",
      "[[edit]] a file | ok::update | ok::update | completed",
      "[[bash]] run | ok:0 | completed",
      "[[bashfail]] run | error:3 | completed",
      "[[read]] hostname | ok | completed",
      "[[multi]] things | ok:0 | ok:0 | ok::update | ok | completed",
      "[[todo]] list | completed",
      "[[subagent]] go | completed",
      "[[unicode]] go | completed",
      "[[badtool]] go | error | completed",
      "[[text]] what is in the picture? | completed",
      "[[err429]] limit | rate_limit",
      "[[bashslow]] wait | interrupted | interrupted",
      "[[text]] after all that | completed",
    ]
  `);
  expect(events.filter(({ type }) => type === "raw")).toEqual([]);
  expect(events.find(({ type }) => type === "context.compacted")?.data).toMatchObject({ before: 1561 });
  expect(events.find(({ type }) => type === "turn.ended")?.data).toMatchObject({
    cost: { usd: 0.0045449999999999996, source: "agent" },
    servedModel: "scripted/scripted-model",
  });
});

it("reads a denied call as denied", async () => {
  expect(turnsOf(await log(DENIED))).toEqual(["[[write]] please | denied | completed"]);
});
