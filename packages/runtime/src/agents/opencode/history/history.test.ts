import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { breaches, headsOf, replayHistory, turnsOf } from "../../../transfer/history/testing/replayed.ts";
import { opencode } from "../descriptor.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-opencode-"));
const folder = join(home, ".local", "share", "opencode");
const place = { env: {}, home };
const LONG = "ses_e1d2448d1ffeFHzoiMUCySiixR";
const DENIED = "ses_e1d24036effe3pz1ldkY2LwHdA";

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, "opencode.db"));
  db.exec("PRAGMA journal_mode = WAL");
  db.exec(readFileSync(join(import.meta.dirname, "..", "fixtures", "history", "opencode.sql"), "utf8"));
  db.close();
});
afterAll(() => rmSync(home, { recursive: true }));

async function log(id: string) {
  const head = (await headsOf(opencode, place)).find((one) => one.id === id);
  return replayHistory(opencode, place, head!);
}

it("finds conversations in the database without subagents and leaves the folder unchanged", async () => {
  const before = readdirSync(folder);
  const heads = await headsOf(opencode, place);
  expect(heads.map(({ id }) => id)).toEqual([DENIED, LONG]);
  expect(heads[1]).toMatchObject({ cwd: "/workspace/project", messages: 46, startedAt: "2026-11-16T05:36:52.526Z" });
  expect(readdirSync(folder)).toEqual(before);
});

it("reads the write-ahead log without changing the folder", async () => {
  const writer = new DatabaseSync(join(folder, "opencode.db"));
  writer.exec("UPDATE session SET title = 'Renamed just now' WHERE parent_id IS NULL");
  const files = readdirSync(folder);
  expect(files).toContain("opencode.db-wal");
  expect((await headsOf(opencode, place)).map(({ title }) => title)).toEqual(["Renamed just now", "Renamed just now"]);
  expect(readdirSync(folder)).toEqual(files);
  writer.close();
});

it("reads a whole conversation: texts, tools, changes, a failure, an interrupt", async () => {
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
      "[[todo]] list | ok | completed",
      "[[subagent]] go | ok | completed",
      "[[unicode]] go | completed",
      "[[badtool]] go | ok | completed",
      "[[text]] what is in the picture? | completed",
      "[[err429]] limit | rate_limit",
      "[[bashslow]] wait | interrupted | interrupted",
      "[[text]] after all that | completed",
    ]
  `);
  expect(events.filter(({ type }) => type === "raw")).toEqual([]);
  expect(events.find(({ type }) => type === "subagent.ended")?.data).toMatchObject({ status: "ok" });
  expect(events.findLast(({ type }) => type === "turn.ended")?.data).toMatchObject({ cost: { usd: 0.001428 } });
});

it("reads a denied call as denied", async () => {
  expect(turnsOf(await log(DENIED))[0]).toBe("[[write]] please | denied | interrupted");
});

it("reads the file tree of older versions", async () => {
  const put = (path: string, value: object) => {
    const file = join(folder, "storage", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  };
  const time = { created: 1_700_000_000_000, updated: 1_700_000_001_000 };
  put("session/prj/ses_old.json", { id: "ses_old", directory: "/old", title: "Of old", time });
  put("message/ses_old/msg_1.json", { id: "msg_1", role: "user", time });
  put("part/msg_1/prt_1.json", { id: "prt_1", type: "text", text: "hello" });
  put("message/ses_old/msg_2.json", { id: "msg_2", role: "assistant", time: { ...time, completed: time.updated } });
  put("part/msg_2/prt_2.json", { id: "prt_2", type: "text", text: "hi" });
  put("part/msg_2/prt_3.json", { id: "prt_3", type: "step-finish", reason: "stop", tokens: {} });
  const head = (await headsOf(opencode, place)).at(-1);
  expect(head).toMatchObject({ id: "ses_old", cwd: "/old", title: "Of old" });
  expect(turnsOf(await replayHistory(opencode, place, head!))).toEqual(["hello | completed"]);
});
