import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "@gantry/client";
import type { Envelope, InputAnswer, Session } from "@gantry/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const daemon = new TestDaemon({ config: "spawns: { depth: 3, live: 8 }" });
const cwd = realpathSync(daemon.cwd);
beforeAll(async () => {
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd });
  const author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  execFileSync("git", [...author, "commit", "-q", "--allow-empty", "-m", "first"], { cwd });
  execFileSync("git", ["config", "user.name", "a"], { cwd });
  execFileSync("git", ["config", "user.email", "a@b.c"], { cwd });
  await daemon.start();
});
afterAll(() => daemon.dispose());

/** A session, and its agent as a client with the session's own token. */
async function open(mode: Session["mode"] = "auto-edit"): Promise<{ id: string; agent: Client }> {
  const { id } = await daemon.client.sessions.create({ agent: "scripted", cwd, mode });
  return { id, agent: await agentOf(id) };
}

async function agentOf(session: string): Promise<Client> {
  const path = join(daemon.home, `env-${session}`);
  const command = ["sh", "-c", `echo "$GANTRY_URL $GANTRY_TOKEN" > ${path}.part && mv ${path}.part ${path}`];
  await daemon.client.terminals.open({ session, command });
  await expect.poll(() => existsSync(path), { timeout: 30_000 }).toBe(true);
  const [url = "", token = ""] = readFileSync(path, "utf8").trim().split(" ");
  return createClient({ url, token });
}

const grant = (id: string, lead = true) => daemon.client.sessions.patch(id, { lead });
const begin = (agent: Client, prompt: string, more: object = {}) =>
  agent.sessions.create({ agent: "scripted", mode: "ask", prompt, wake: false, ...more });
const REFUSED = { status: 403, code: "not_permitted" };

async function waitForInput(id: string): Promise<string> {
  const { inputs } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
  return inputs[0]?.id ?? "";
}

const resolved = (events: readonly Envelope[]) =>
  events.flatMap((event) => (event.type === "input.resolved" ? [event.data] : []));

it("is refused without a grant, and only a person can give one", async () => {
  const { id, agent } = await open();
  const worker = await begin(agent, "[[write]] go");
  const input = await waitForInput(worker.id);
  const refused = [
    () => agent.inbox(),
    () => agent.answer(input, { decision: "allow" }),
    () => agent.sessions.handOff(worker.id, { agent: "claude" }),
    () => agent.landings.land("lan_any"),
    () => agent.sessions.patch(worker.id, { lead: true }),
    () => agent.sessions.patch(id, { lead: true }),
  ];
  for (const call of refused) await expect(call()).rejects.toMatchObject(REFUSED);
  await expect(agent.inbox()).rejects.toMatchObject({ remedy: expect.stringContaining(`gantry set ${id} --lead on`) });
  expect((await daemon.client.sessions.get(worker.id)).inputs).toHaveLength(1);
  await daemon.client.sessions.interrupt(worker.id);
});

it("sees and answers the inputs of its workers, also of their workers, until the grant is revoked", async () => {
  const { id, agent } = await open();
  expect((await grant(id)).applied).toEqual([{ field: "lead", value: true, when: "now" }]);
  expect((await daemon.client.sessions.get(id)).lead).toBe(true);
  const worker = await begin(agent, "[[write]] go");
  const below = await begin(await agentOf(worker.id), "[[write]] go");
  const stranger = await daemon.client.sessions.create({ agent: "scripted", cwd, mode: "ask", prompt: "[[write]] go" });
  const inputs = await Promise.all([worker.id, below.id, stranger.id].map(waitForInput));
  expect((await agent.inbox()).map((input) => input.id).sort()).toEqual(inputs.slice(0, 2).sort());

  await expect(agent.answer(inputs[2] ?? "", { decision: "allow" })).rejects.toMatchObject(REFUSED);
  await expect(agent.answer("inp_unknown", { decision: "allow" })).rejects.toMatchObject({ status: 404 });
  const standing: InputAnswer = { decision: "allow_session" };
  await expect(agent.answer(inputs[0] ?? "", standing)).rejects.toMatchObject(REFUSED);
  expect(await agent.answer(inputs[0] ?? "", { decision: "allow" })).toMatchObject({ session: worker.id });
  await agent.answer(inputs[1] ?? "", { decision: "deny", message: "not now" });
  await daemon.waitForIdle(worker.id);
  for (const [session, decision] of [
    [worker.id, "allow"],
    [below.id, "deny"],
  ] as const) {
    expect(resolved(await daemon.log(session))[0]).toMatchObject({ decision, by: `session:${id}` });
  }
  // A worker is not a lead itself.
  await expect((await agentOf(worker.id)).inbox()).rejects.toMatchObject(REFUSED);

  await agent.sessions.send(worker.id, { text: "[[write]] again" });
  const next = await waitForInput(worker.id);
  await grant(id, false);
  await expect(agent.answer(next, { decision: "allow" })).rejects.toMatchObject(REFUSED);
  await expect(agent.inbox()).rejects.toMatchObject(REFUSED);
  const patches = (await daemon.log(id)).flatMap((event) =>
    event.type === "session.updated" && event.data.patch.lead !== undefined ? [event.data.patch.lead] : [],
  );
  expect(patches).toEqual([true, false]);
  for (const session of [worker.id, below.id, stranger.id]) await daemon.client.sessions.interrupt(session);
});

it("is woken by a waiting worker with the command that answers", async () => {
  const { id, agent } = await open();
  await grant(id);
  const worker = await begin(agent, "[[write]] go", { wake: true });
  const input = await waitForInput(worker.id);
  await expect
    .poll(async () => JSON.stringify(await daemon.log(id)), { timeout: 30_000 })
    .toContain(`gantry allow ${input}`);
  await daemon.client.sessions.interrupt(worker.id);
});

it("hands a worker off, but not to a mode above its own, and not another's session", async () => {
  const { id, agent } = await open("ask");
  await grant(id);
  const worker = await begin(agent, "[[text]] one");
  await daemon.waitForIdle(worker.id);
  const stranger = await open();
  await expect(agent.sessions.handOff(stranger.id, { agent: "claude" })).rejects.toMatchObject(REFUSED);
  await expect(agent.sessions.handOff(id, { agent: "claude" })).rejects.toMatchObject(REFUSED);
  const above = { agent: "claude", mode: "auto-edit" } as const;
  await expect(agent.sessions.handOff(worker.id, above)).rejects.toMatchObject(REFUSED);
  const controls = { agent: "claude", controls: { fast: "on" } };
  await expect(agent.sessions.handOff(worker.id, controls)).rejects.toMatchObject(REFUSED);
  await agent.sessions.handOff(worker.id, { agent: "claude", prompt: "[[text]] continue" });
  const ended = await daemon.waitUntil(worker.id, (session) => session.agent === "claude" && session.turns === 2);
  expect(ended.agent).toBe("claude");
  const [started] = (await daemon.log(worker.id)).filter(({ type }) => type === "handoff.started");
  expect(started?.data).toMatchObject({ to: "claude", by: `session:${id}` });
});

it("lands a lane of its workers on its base, and no other lane", async () => {
  const { id, agent } = await open("full-auto");
  await grant(id);
  rmSync(join(cwd, "hello.txt"), { force: true });
  const lane = await agent.lanes.create({ cwd, name: "work" });
  const worker = await begin(agent, "[[write]] go", { lane: lane.id, mode: "full-auto" });
  await daemon.waitForIdle(worker.id);
  const foreign = await daemon.client.lanes.create({ cwd, name: "mine" });
  await expect(agent.landings.land(foreign.id)).rejects.toMatchObject(REFUSED);
  for (const body of [{ how: "pr" }, { into: "other" }, { remove: true }, { tellAgents: true }] as const) {
    await expect(agent.landings.land(lane.id, body)).rejects.toMatchObject(REFUSED);
  }
  const guest = await daemon.client.sessions.create({ agent: "scripted", lane: lane.id });
  await expect(agent.landings.land(lane.id)).rejects.toMatchObject(REFUSED);
  await daemon.client.sessions.delete(guest.id);
  const landing = await agent.landings.land(lane.id, { how: "squash" });
  expect(landing).toMatchObject({ state: "done", into: "main", by: `session:${id}` });
  expect(existsSync(join(cwd, "hello.txt"))).toBe(true);
  const notices = (await daemon.log(worker.id)).flatMap((event) => (event.type === "notice" ? [event.data.text] : []));
  expect(notices.join("\n")).toContain(`was landed by its lead ${id}`);
  await expect(agent.landings.undo(landing.id)).rejects.toMatchObject(REFUSED);
});
