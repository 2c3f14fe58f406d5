import { join } from "node:path";
import { expect, it } from "vitest";
import { breaches, headsOf, replayHistory, turnsOf } from "../../../transfer/history/testing/replayed.ts";
import { claude } from "../descriptor.ts";

const place = { env: { CLAUDE_CONFIG_DIR: join(import.meta.dirname, "..", "fixtures", "history") }, home: "/nowhere" };
const LONG = "1efe02d0-95d0-44dd-8f8c-842419278fdd";
const COMPACTED = "79e0bb10-b32d-4c92-986b-def1495d88d5";
const DENIED = "7a6da127-9fb3-4372-b756-643c165bbc55";

async function log(id: string) {
  const head = (await headsOf(claude, place)).find((one) => one.id === id);
  return replayHistory(claude, place, head!);
}

it("finds conversations by their heads and skips those of subagents", async () => {
  const heads = await headsOf(claude, place);
  expect(heads.map(({ id }) => id).sort()).toEqual([LONG, COMPACTED, DENIED]);
  expect(heads.find(({ id }) => id === LONG)).toMatchObject({
    cwd: "/workspace/project",
    title: "[[text]] hello there, remember the heron",
    startedAt: "2026-11-16T05:36:21.380Z",
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
      "[[read]] hostname | ok | completed",
      "[[multi]] things | ok:0 | ok:0 | ok::add | ok | completed",
      "[[todo]] list | completed",
      "[[subagent]] go | ok | completed",
      "[[unicode]] go | completed",
      "[[badtool]] go | error | completed",
      "[[text]] what is in the picture? | completed",
      "[[err429]] limit | rate_limit",
      "[[bashslow]] wait | interrupted | interrupted",
      "/compact | completed",
      "[[text]] after all that | completed",
    ]
  `);
  expect(events.filter(({ type }) => type === "raw")).toEqual([]);
});

it("reads a subagent's messages inside its call", async () => {
  const events = await log(LONG);
  const start = events.find(({ type }) => type === "subagent.started");
  expect(start?.data).toMatchObject({ title: "sub work", type: "general-purpose" });
  const { parent } = start!.data as { parent: string };
  expect(
    events.find(({ type, data }) => type === "message.done" && "parent" in data && data.parent === parent),
  ).toBeDefined();
});

it("reads a picture, a turn's usage and the model that answered", async () => {
  const events = await log(LONG);
  const picture = events.find(
    ({ type, data }) => type === "message.user" && (data as { attachments: unknown[] }).attachments.length > 0,
  );
  expect(picture?.data).toMatchObject({ attachments: [{ mime: "image/png", data: expect.stringMatching(/^iVBOR/) }] });
  const end = events.find(({ type }) => type === "turn.ended");
  expect(end?.data).toMatchObject({
    usage: { input: 1500, output: 57, cacheRead: 300 },
    servedModel: "claude-opus-5-5",
  });
});

it("reads a denied call as denied", async () => {
  expect(turnsOf(await log(DENIED))).toEqual(["[[write]] please | denied | completed"]);
});

it("reads a compaction and skips its summary", async () => {
  const events = await log(COMPACTED);
  expect(turnsOf(events)).toEqual([
    "[[text]] remember the heron | completed",
    "[[text]] remember the egret | completed",
    "/compact | completed",
    "[[text]] and now? | completed",
  ]);
  expect(events.filter(({ type }) => type === "context.compacted")).toHaveLength(1);
  expect(breaches(events)).toEqual([]);
});
