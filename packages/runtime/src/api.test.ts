import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "./test-daemon.ts";

const daemon = new TestDaemon({ config: "queueLimit: 2\n" });
beforeAll(async () => {
  await daemon.start();
});
afterAll(() => daemon.dispose());

const code = (expected: string) => ({ code: expected });
const count = async () => (await daemon.client.sessions.list({})).sessions.length;

describe("creating a session", () => {
  it("is the same session for the same id and body, and a conflict for another", async () => {
    const body = { id: "ses_same", agent: "scripted", cwd: daemon.cwd, prompt: "[[text]] once" };
    await daemon.client.sessions.create(body);
    await daemon.waitForIdle("ses_same");
    const { turns } = await daemon.client.sessions.create(body);
    expect(turns).toBe(1);
    await expect(daemon.client.sessions.create({ ...body, title: "other" })).rejects.toMatchObject(code("conflict"));
  });

  it.each([
    ["an unknown agent", { agent: "unknown" }, "no_such_agent"],
    ["a folder that is not there", { cwd: "/nowhere/at/all" }, "invalid"],
    ["a relative folder", { cwd: "here" }, "invalid"],
    ["a lane that is not there", { lane: "x" }, "no_such_lane"],
    ["a model with a space", { model: "a b" }, "invalid"],
    ["a variable of the daemon's", { env: { GANTRY_HOME: "/tmp" } }, "invalid"],
    ["a variable of the loader", { env: { LD_PRELOAD: "/tmp/x.so" } }, "invalid"],
    ["a variable of the shell that runs code", { env: { BASH_ENV: "/tmp/x" } }, "invalid"],
    ["a variable of git that runs code", { env: { GIT_SSH_COMMAND: "/tmp/x" } }, "invalid"],
    ["a mode that does not exist", { mode: "yolo" as never }, "invalid"],
    ["an attachment outside the folder", { prompt: "x", attachments: [{ path: "/etc/passwd" }] }, "outside_folder"],
    [
      "an attachment that climbs out",
      { prompt: "x", attachments: [{ path: "../../../etc/passwd" }] },
      "outside_folder",
    ],
  ])("refuses %s and makes nothing", async (_, change, expected) => {
    const before = await count();
    const body = { agent: "scripted", cwd: daemon.cwd, ...change };
    await expect(daemon.client.sessions.create(body)).rejects.toMatchObject(code(expected));
    expect(await count()).toBe(before);
  });

  it("does not follow a link out of the folder", async () => {
    symlinkSync("/etc/passwd", join(daemon.cwd, "innocent.txt"));
    const body = { agent: "scripted", cwd: daemon.cwd, prompt: "x", attachments: [{ path: "innocent.txt" }] };
    await expect(daemon.client.sessions.create(body)).rejects.toMatchObject(code("outside_folder"));
  });

  it("keeps the values of its environment out of the log", async () => {
    const env = { MY_SECRET: "hunter2-hunter2" };
    const { id } = await daemon.client.sessions.create({
      agent: "scripted",
      cwd: daemon.cwd,
      env,
      prompt: "[[text]] hi",
    });
    await daemon.waitForIdle(id);
    const log = JSON.stringify(await daemon.log(id));
    expect(log).toContain("MY_SECRET");
    expect(log).not.toContain("hunter2");
  });
});

describe("messages", () => {
  it("with the same id are one message, with the same answer", async () => {
    const { id } = await daemon.session("scripted", "[[text]] one");
    await daemon.waitForIdle(id);
    const body = { id: "msg_twice", text: "[[text]] two" };
    const first = await daemon.client.sessions.send(id, body);
    expect(await daemon.client.sessions.send(id, body)).toEqual(first);
    await expect(daemon.client.sessions.send(id, { ...body, text: "three" })).rejects.toMatchObject(code("conflict"));
    const { turns } = await daemon.waitForIdle(id);
    expect(turns).toBe(2);
  });

  it("wait, are changed, moved, cancelled, and refused when the queue is full", async () => {
    const { id } = await daemon.session("scripted", "[[slow:60:50]] busy");
    await daemon.waitUntil(id, (session) => session.lastSeq > 7);
    const send = (text: string) => daemon.client.sessions.send(id, { text, delivery: "queue" });
    const [a, b] = [await send("[[text]] a"), await send("[[text]] b")];
    expect([a.position, b.position]).toEqual([0, 1]);
    await expect(send("c")).rejects.toMatchObject(code("queue_full"));
    const params = { id, mid: b.message };
    const moved = await daemon.client.call("patchMessage", { params, body: { text: "[[text]] better", position: 0 } });
    expect(moved.queue.map((entry) => entry.text)).toEqual(["[[text]] better", "[[text]] a"]);
    const left = await daemon.client.call("deleteMessage", { params: { id, mid: a.message } });
    expect(left.queue).toHaveLength(1);
    const stopped = await daemon.client.sessions.interrupt(id);
    expect(stopped).toEqual({ interrupted: true, paused: true, kept: [b.message], cancelled: [] }); // prose-ignore: API field
    await daemon.waitUntil(id, (session) => session.state === "idle" && session.queueState === "paused");
    const resumed = await daemon.client.sessions.setQueue(id, "running");
    expect(resumed).toMatchObject({ queueState: "running", queue: [], turn: { messages: [b.message] } });
    await daemon.waitUntil(id, (session) => session.turns === 2 && session.state === "idle");
    await expect(daemon.client.call("deleteMessage", { params })).rejects.toMatchObject(code("already_sent"));
    const unknown = { id, mid: "msg_unknown" };
    await expect(daemon.client.call("deleteMessage", { params: unknown })).rejects.toMatchObject(
      code("no_such_message"),
    );
    expect((await daemon.client.search("better")).some((hit) => hit.session === id)).toBe(true);
  });
});

describe("inputs and grants", () => {
  it("the first answer wins; an allowance holds until it is revoked", async () => {
    const { id } = await daemon.session("scripted", "[[write]] one");
    const waitForInput = async () =>
      (await daemon.waitUntil(id, (session) => session.inputs.length > 0)).inputs[0]?.id ?? "";
    const first = await waitForInput();
    await daemon.client.answer(first, { decision: "allow_session" });
    await expect(daemon.client.answer(first, { decision: "deny" })).rejects.toMatchObject({
      code: "already_answered",
      details: { decision: "allow_session", by: "user" },
    });
    await daemon.waitForIdle(id);
    await daemon.client.sessions.send(id, { text: "[[write]] two" });
    await daemon.waitUntil(id, (session) => session.turns === 2 && session.state === "idle");
    const grant = (await daemon.client.grants()).find((entry) => entry.session === id);
    expect(grant?.scope.glob).toBe(`${daemon.cwd}/**`);
    await daemon.client.revokeGrant(grant?.id ?? "");
    await daemon.client.sessions.send(id, { text: "[[write]] three" });
    await daemon.client.answer(await waitForInput(), { decision: "deny", message: "not now" });
    await daemon.waitForIdle(id);
    await expect(daemon.client.answer("inp_nobody", { decision: "allow" })).rejects.toMatchObject(
      code("no_such_input"),
    );
    await expect(daemon.client.revokeGrant("gra_nobody")).rejects.toMatchObject(code("no_such_grant"));
  });
});

describe("the rest of a session's life", () => {
  it("accepts a new title, model and mode, and reports when they apply", async () => {
    const { id } = await daemon.session("scripted", "[[text]] hi");
    await daemon.waitForIdle(id);
    const body = { title: "Better", mode: "auto-edit" as const };
    const { applied, session } = await daemon.client.call("patchSession", { params: { id }, body });
    expect(applied.map(({ field, when }) => [field, when])).toEqual([
      ["title", "now"],
      ["mode", "now"],
    ]);
    expect(session).toMatchObject({ title: "Better", mode: "auto-edit", modeApplied: "auto-edit" });
  });

  it("is forked into a session that continues, and the parent is unchanged", async () => {
    const { id } = await daemon.session("scripted", "[[text]] parent");
    const parent = await daemon.waitForIdle(id);
    const fork = await daemon.client.call("forkSession", { params: { id }, body: {} });
    expect(fork).toMatchObject({ parent: id, state: "idle" });
    await daemon.client.sessions.send(fork.id, { text: "[[text]] child" });
    const child = await daemon.waitUntil(fork.id, (session) => session.turns === 1 && session.state === "idle");
    expect(child.handles.scripted).not.toBe(parent.handles.scripted);
    expect((await daemon.client.sessions.get(id)).lastSeq).toBe(parent.lastSeq);
  });

  it("gives an item whole, also a large one out of the blob store", async () => {
    const { id } = await daemon.session("scripted", "[[bigoutput]] go", { mode: "full-auto" });
    await daemon.waitForIdle(id);
    const events = await daemon.log(id);
    const ended = events.find((event) => event.type === "tool.ended");
    const output = ended?.data.output;
    if (!ended || typeof output !== "object") throw new Error("the output is not in a blob");
    expect(output.size).toBeGreaterThanOrEqual(300_000);
    const item = await daemon.client.call("getItem", { params: { id, item: ended.data.item } });
    expect(item).toMatchObject({ kind: "tool", open: false });
    expect(item.text).toHaveLength(output.size);
    await daemon.client.call("deleteSession", { params: { id } });
    expect(existsSync(join(daemon.home, "gantry", "spool", id))).toBe(false);
    const blobs = readdirSync(join(daemon.home, "gantry", "blobs"), { recursive: true }) as string[];
    expect(blobs.some((path) => path.endsWith(output.blob))).toBe(false);
    await expect(daemon.client.sessions.get(id)).rejects.toMatchObject(code("no_such_session"));
  });

  it("counts tokens and cost", async () => {
    const { rows, total } = await daemon.client.usage("agent");
    expect(rows.map((row) => row.agent)).toEqual(["scripted"]);
    expect(total.turns).toBeGreaterThan(5);
    expect(total.usage.input).toBeGreaterThan(0);
  });
});

it("reports a folder that disappears, and keeps the session", async () => {
  const folder = join(daemon.home, "fleeting");
  mkdirSync(folder);
  const { id } = await daemon.client.sessions.create({ agent: "scripted", cwd: folder });
  rmSync(folder, { recursive: true });
  await daemon.client.sessions.send(id, { text: "[[text]] hi" });
  const { lastTurn } = await daemon.waitUntil(id, (session) => session.turns === 1 && session.state === "idle");
  expect(lastTurn).toMatchObject({ outcome: "failed", error: { message: expect.stringContaining("fleeting") } });
});
