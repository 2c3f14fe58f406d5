import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const daemon = new TestDaemon({ config: "queueLimit: 1" });
beforeAll(() => daemon.start());
afterAll(() => daemon.dispose());

const now = () => new Date().toISOString();
const turns = async (id: string) =>
  (await daemon.log(id)).flatMap((event) => (event.type === "turn.started" ? [event.data.trigger] : []));
const ran = (id: string) =>
  expect.poll(async () => (await daemon.client.schedules.get(id)).runs, { timeout: 30_000 }).toBe(1);

it("starts a turn with the schedule as its sender, also after the message was queued", async () => {
  const { id } = await daemon.session("scripted", "[[hang]] for now");
  const { id: first } = await daemon.client.schedules.add({ session: id, text: "[[text]] later", at: now() });
  await ran(first);
  expect(await daemon.client.schedules.get(first)).toMatchObject({
    enabled: false,
    lastRun: { outcome: "queued", session: id },
  });
  expect((await daemon.client.sessions.get(id)).queue).toMatchObject([{ author: `schedule:${first}` }]);

  // The queue is full: the run publishes a notice and is sent as soon as there is room.
  const { id: second } = await daemon.client.schedules.add({ session: id, text: "[[text]] last", at: now() });
  const lastRun = async () => (await daemon.client.schedules.get(second)).lastRun?.outcome;
  await expect.poll(lastRun, { timeout: 30_000 }).toBe("waiting");
  await daemon.client.sessions.interrupt(id, "keep");
  await ran(second);
  await daemon.waitForIdle(id);
  expect(await turns(id)).toEqual(["user", "schedule", "schedule"]);
  const notices = (await daemon.log(id)).filter(
    ({ type, data }) => type === "notice" && "kind" in data && data.kind === "schedule",
  );
  expect(notices).toMatchObject([{ data: { severity: "warning", text: expect.stringContaining("The queue of") } }]);
});

it("starts a separate session, and another after that one is done", async () => {
  const create = { agent: "scripted", cwd: daemon.cwd, mode: "plan" as const };
  const made = await daemon.client.schedules.add({ create, text: "[[text]] a new one", every: 3600 });
  const { lastRun } = await daemon.client.schedules.run(made.id);
  const session = lastRun?.session ?? "";
  const then = await daemon.client.schedules.add({
    create,
    text: "[[text]] and then",
    after: { session, outcome: "completed" },
  });
  await daemon.waitForIdle(session);
  if ((await daemon.client.schedules.get(then.id)).runs === 0) {
    // It had ended before it was waited for: the next end counts.
    await daemon.client.sessions.send(session, { text: "[[text]] again" });
  }
  await ran(then.id);
  const next = (await daemon.client.schedules.get(then.id)).lastRun?.session ?? "";
  await daemon.waitForIdle(next);
  const { events } = await daemon.client.sessions.events(next);
  expect(events[0]).toMatchObject({ type: "session.created", data: { origin: "schedule", mode: "plan" } });
  expect(await turns(next)).toEqual(["schedule"]);
  expect((await daemon.client.schedules.list(session)).length).toBe(0);
  await daemon.client.schedules.delete(made.id);
});

it("wrong requests change nothing", async () => {
  const { id: session } = await daemon.session("scripted", "[[text]] x");
  const before = (await daemon.client.schedules.list()).length;
  const add = (body: object) => daemon.client.schedules.add(body as never);
  const text = "x";
  for (const body of [
    { session, text },
    { text, every: 60 },
    { session, text, every: 60, at: now() },
    { session, create: { agent: "scripted", cwd: "/tmp" }, text, every: 60 },
    { session, text, every: 59 },
    { session, text, every: "often" },
    { session, text, at: "tomorrow" },
    { session, text, at: "2020-01-01T00:00:00Z" },
    { create: { agent: "scripted" }, text, every: 60 },
    { create: { agent: "scripted", cwd: "/nowhere/at/all" }, text, every: 60 },
    { session, text, every: 60, attachments: [{ path: "missing.txt" }] },
  ])
    await expect(add(body)).rejects.toMatchObject({ code: "invalid" });
  await expect(add({ session: "ses_none", text, every: 60 })).rejects.toMatchObject({ code: "no_such_session" });
  const strange = { agent: "unknown", cwd: "/tmp" };
  await expect(add({ create: strange, text, every: 60 })).rejects.toMatchObject({ code: "no_such_agent" });
  const none = { session: "ses_none" };
  await expect(add({ session, text, after: none })).rejects.toMatchObject({ code: "no_such_session" });
  expect((await daemon.client.schedules.list()).length).toBe(before);
});

it("is disabled when its session is removed", async () => {
  const { id: session } = await daemon.session("scripted", "[[text]] x");
  const { id } = await daemon.client.schedules.add({ session, text: "x", every: 3600 });
  await daemon.client.sessions.delete(session);
  expect(await daemon.client.schedules.get(id)).toMatchObject({ enabled: false, reason: `${session} is gone.` });
  await expect(daemon.client.schedules.run(id)).rejects.toMatchObject({ code: "conflict" });
});

it("creates sessions with further folders, and refuses those that no session may have", async () => {
  const library = mkdtempSync(join(realpathSync(tmpdir()), "gantry-library-"));
  const add = (folders: string[]) => {
    const create = { agent: "scripted", cwd: daemon.cwd, folders };
    return daemon.client.schedules.add({ create, text: "[[text]] in two folders", every: 3600 });
  };
  await expect(add([daemon.home])).rejects.toMatchObject({ code: "not_permitted" });
  await expect(add([join(library, "absent")])).rejects.toMatchObject({ code: "invalid" });
  const { id } = await add([library]);
  const { lastRun } = await daemon.client.schedules.run(id);
  expect(await daemon.client.sessions.get(lastRun?.session ?? "")).toMatchObject({ folders: [library] });
  await daemon.waitForIdle(lastRun?.session ?? "");
  await daemon.client.schedules.delete(id);
  rmSync(library, { recursive: true });
});

it("creates sessions with native controls, and refuses those that the agent lacks", async () => {
  const create = { agent: "scripted", cwd: daemon.cwd, controls: { fast: "on" } };
  const unknown = { ...create, controls: { absent: "on" } };
  const text = "[[text]] with controls";
  const refused = daemon.client.schedules.add({ create: unknown, text, every: 3600 });
  await expect(refused).rejects.toMatchObject({ code: "invalid" });
  const { id } = await daemon.client.schedules.add({ create, text, every: 3600 });
  const { lastRun } = await daemon.client.schedules.run(id);
  await daemon.waitForIdle(lastRun?.session ?? "");
  expect(await daemon.client.sessions.get(lastRun?.session ?? "")).toMatchObject({ controls: { fast: "on" } });
  await daemon.client.schedules.delete(id);
});
