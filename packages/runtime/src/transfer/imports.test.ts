import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportProgress } from "@gantry/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";
import { breaches, turnsOf } from "./history/testing/replayed.ts";

const FIXTURES = join(import.meta.dirname, "..", "agents", "claude", "fixtures", "history", "projects");
const LONG = "1efe02d0-95d0-44dd-8f8c-842419278fdd";
const COMPACTED = "79e0bb10-b32d-4c92-986b-def1495d88d5";
const DENIED = "7a6da127-9fb3-4372-b756-643c165bbc55";

let daemon: TestDaemon;
let projects: string;
beforeEach(async () => {
  daemon = new TestDaemon();
  projects = join(daemon.home, ".claude", "projects");
  cpSync(FIXTURES, projects, { recursive: true });
  await daemon.start();
});
afterEach(() => daemon.dispose());

const file = (id: string) => join(projects, "-workspace-project", `${id}.jsonl`);

it("lists conversations on disk, newest first, with their sessions", async () => {
  const { conversations, complete } = await daemon.client.imports.list({ agent: "claude" });
  expect(complete).toBe(true);
  expect(conversations.map(({ id }) => id).sort()).toEqual([LONG, COMPACTED, DENIED]);
  expect(conversations.every(({ imported }) => imported === undefined)).toBe(true);
  const session = await daemon.client.imports.conversation({ agent: "claude", conversation: DENIED, cwd: daemon.cwd });
  const found: string[] = [];
  for await (const one of daemon.client.imports.find({ cwd: "/workspace/project" }))
    found.push(`${one.id} ${one.imported}`);
  expect(found.sort()).toEqual([`${LONG} undefined`, `${COMPACTED} undefined`, `${DENIED} ${session.id}`]);
  expect((await daemon.client.imports.list({ limit: 1 })).complete).toBe(false);
});

it("creates a session with the whole conversation, its times and its handle", async () => {
  const steps: ImportProgress[] = [];
  const body = { agent: "claude", conversation: LONG, cwd: daemon.cwd };
  const session = await daemon.client.imports.watch(body, (progress) => steps.push(progress));
  expect(session).toMatchObject({ origin: "import", state: "idle", handles: { claude: LONG }, cwd: daemon.cwd });
  expect(session).toMatchObject({ createdAt: "2026-11-16T05:36:21.380Z", turns: 17 });
  const log = await daemon.log(session.id);
  expect(breaches(log)).toEqual([]);
  expect(turnsOf(log)).toHaveLength(17);
  expect(log.at(-1)?.data).toMatchObject({ kind: "import", severity: "info" });
  expect(steps.at(-1)?.total).toBe(statSync(file(LONG)).size);
  expect((await daemon.client.search("heron")).map((hit) => hit.session)).toContain(session.id);
});

it("imports a conversation once, by id or by path, concurrently or later", async () => {
  const body = { agent: "claude", cwd: daemon.cwd };
  const both = await Promise.all([
    daemon.client.imports.conversation({ ...body, conversation: DENIED }),
    daemon.client.imports.conversation({ ...body, conversation: file(DENIED) }),
  ]);
  const later = await daemon.client.imports.conversation({ ...body, conversation: file(DENIED) });
  expect(new Set([...both, later].map(({ id }) => id)).size).toBe(1);
  expect((await daemon.client.sessions.list()).sessions).toHaveLength(1);
});

it("adds later messages, and refuses if the session has continued in Gantry", async () => {
  const body = { agent: "claude", conversation: DENIED, cwd: daemon.cwd };
  const whole = readFileSync(file(DENIED), "utf8");
  const lines = whole.trimEnd().split("\n");
  // In the middle of a turn and of a line.
  const cut = lines.findIndex((line) => line.includes('"tool_result"'));
  writeFileSync(file(DENIED), `${lines.slice(0, cut).join("\n")}\n${lines[cut]?.slice(0, 40)}`);
  const session = await daemon.client.imports.conversation(body);
  const early = await daemon.log(session.id);
  expect(turnsOf(early)).toEqual(["[[write]] please | interrupted | interrupted"]);
  expect(early.filter(({ synthetic }) => synthetic)).toHaveLength(2);
  writeFileSync(file(DENIED), whole);
  expect((await daemon.client.imports.conversation(body)).lastSeq).toBe(session.lastSeq);
  const grown = await daemon.client.imports.conversation({ ...body, again: true });
  expect(grown).toMatchObject({ id: session.id, turns: 2, state: "idle" });
  const more = { type: "user", uuid: "u1", timestamp: "2026-11-16T06:00:00.000Z", message: { content: "and then?" } };
  appendFileSync(file(DENIED), `${JSON.stringify(more)}\n`);
  await daemon.client.imports.conversation({ ...body, again: true });
  const log = await daemon.log(session.id);
  expect(breaches(log)).toEqual([]);
  expect(turnsOf(log).at(-1)).toBe("and then? | interrupted");
  writeFileSync(file(DENIED), `${lines.slice(0, cut).join("\n")}\n`);
  await expect(daemon.client.imports.conversation({ ...body, again: true })).rejects.toMatchObject({
    code: "conflict",
  });
  await daemon.client.sessions.patch(session.id, { title: "Mine" });
  const refused = daemon.client.imports.conversation({ ...body, again: true });
  await expect(refused).rejects.toMatchObject({ code: "conflict", message: /has changed since its import/ });
});

it("reports a missing folder and accepts another one", async () => {
  const session = await daemon.client.imports.conversation({ agent: "claude", conversation: DENIED });
  expect(session.cwd).toBe("/workspace/project");
  expect((await daemon.log(session.id)).at(-1)?.data).toMatchObject({ severity: "warning", text: /does not exist/ });
  await daemon.client.sessions.send(session.id, { text: "[[text]] continue" });
  const failed = await daemon.waitUntil(session.id, ({ lastTurn }) => lastTurn?.outcome === "failed");
  expect(failed.lastTurn?.error).toMatchObject({ message: /\/workspace\/project/ });
  const moved = await daemon.client.imports.conversation({ agent: "claude", conversation: DENIED, cwd: daemon.cwd });
  expect(moved).toMatchObject({ id: session.id, cwd: daemon.cwd });
});

it("refuses paths outside the agent's folders, links out of them, and missing files", async () => {
  const elsewhere = join(daemon.home, "secret.jsonl");
  cpSync(file(DENIED), elsewhere);
  symlinkSync(elsewhere, file("linked"));
  const ask = (conversation: string, agent = "claude") => daemon.client.imports.conversation({ agent, conversation });
  await expect(ask(elsewhere)).rejects.toMatchObject({ code: "outside_folder" });
  await expect(ask(file("linked"))).rejects.toMatchObject({ code: "outside_folder" });
  await expect(ask(join(projects, "..", "..", "secret.jsonl"))).rejects.toMatchObject({ code: "outside_folder" });
  await expect(ask("linked")).rejects.toMatchObject({ code: "no_such_conversation" });
  await expect(ask(DENIED, "missing")).rejects.toMatchObject({ code: "no_such_agent" });
  await expect(ask(DENIED, "goose")).rejects.toMatchObject({ code: "unsupported" });
  expect((await daemon.client.sessions.list()).sessions).toEqual([]);
});

it("skips damaged lines with a notice and preserves unknown ones", async () => {
  const line = JSON.stringify({ type: "of-the-future", payload: 1 });
  writeFileSync(
    file(DENIED),
    `not json\n${line}\n{"half": \n${readFileSync(file(DENIED), "utf8")}{"type":"user","mess`,
  );
  const session = await daemon.client.imports.conversation({ agent: "claude", conversation: DENIED, cwd: daemon.cwd });
  expect(session.raw).toBe(1);
  const log = await daemon.log(session.id);
  expect(breaches(log)).toEqual([]);
  expect(log.filter(({ type }) => type === "notice").map(({ data }) => (data as { text: string }).text)).toEqual([
    "2 lines were skipped: damaged or too long.",
    expect.stringContaining("1 of its entries"),
  ]);
});

it("shows nothing of an import before it is complete", async () => {
  const dir = join(projects, "-workspace-project");
  mkdirSync(dir, { recursive: true });
  rmSync(file(LONG));
  const body = { agent: "claude", conversation: LONG, cwd: daemon.cwd };
  await expect(daemon.client.imports.conversation(body)).rejects.toMatchObject({ code: "no_such_conversation" });
  expect((await daemon.client.sessions.list()).sessions).toEqual([]);
  expect((await daemon.client.call("allEvents", {})).events).toEqual([]);
});
