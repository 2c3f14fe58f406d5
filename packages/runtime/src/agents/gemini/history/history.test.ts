import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { breaches, headsOf, replayHistory, turnsOf } from "../../../transfer/history/testing/replayed.ts";
import { gemini } from "../descriptor.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-gemini-"));
const place = { env: {}, home };
const LONG = "2f38f5dc-057f-4f0a-8d18-23b7d721e6ef";
const DENIED = "207e7547-764d-4cda-a02a-f48fb796ea18";

beforeAll(() => {
  cpSync(join(import.meta.dirname, "..", "fixtures", "history"), join(home, ".gemini", "tmp"), { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true }));

async function log(id: string) {
  const head = (await headsOf(gemini, place)).find((one) => one.id === id);
  return replayHistory(gemini, place, head!);
}

it("finds conversations by their heads and skips empty ones", async () => {
  const heads = await headsOf(gemini, place);
  expect(heads.map(({ id }) => id).sort()).toEqual([DENIED, LONG]);
  expect(heads.find(({ id }) => id === LONG)).toMatchObject({
    cwd: "/workspace/project",
    title: "[[text]] hello there, remember the heron",
    startedAt: "2026-11-16T05:37:20.003Z",
  });
});

it("reads a whole conversation, each message and call once", async () => {
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
      "[[read]] hostname | error | completed",
      "[[multi]] things | ok:0 | ok:0 | ok::add | ok | completed",
      "[[todo]] list | ok | completed",
      "[[subagent]] go | ok | completed",
      "[[unicode]] go | completed",
      "[[badtool]] go | error | completed",
      "[[text]] what is in the picture? | completed",
      "[[err429]] limit | interrupted",
      "[[bashslow]] wait | interrupted | interrupted",
      "[[text]] after all that | completed",
    ]
  `);
  expect(events.filter(({ type }) => type === "raw")).toEqual([]);
  const shell = events.find(
    ({ type, data }) => type === "tool.ended" && (data as { exitCode?: number }).exitCode === 0,
  );
  expect(shell?.data).toMatchObject({ output: "hi-from-bash" });
});

it("reads a cancelled call as denied", async () => {
  const [first] = turnsOf(await log(DENIED));
  expect(first).toBe("[[write]] please | denied | completed");
});

it("reads the single-document format of older versions", async () => {
  const messages = [
    { id: "1", timestamp: "2025-11-01T10:00:00.000Z", type: "user", content: 'hello "old" one' },
    { id: "2", timestamp: "2025-11-01T10:00:01.000Z", type: "gemini", content: "hi", tokens: { input: 3, output: 4 } },
  ];
  const document = { sessionId: "old-1", projectHash: "x", startTime: "2025-11-01T10:00:00.000Z", messages };
  const path = join(home, ".gemini", "tmp", "project", "chats", "session-2025-11-01T10-00-old.json");
  writeFileSync(path, JSON.stringify(document, null, 2));
  const head = (await headsOf(gemini, place)).find(({ id }) => id === "old-1");
  expect(head).toMatchObject({ title: 'hello "old" one', cwd: "/workspace/project" });
  expect(turnsOf(await replayHistory(gemini, place, head!))).toEqual(['hello "old" one | completed']);
});
