import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "@gantry/client";
import type { Envelope, Session } from "@gantry/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const daemon = new TestDaemon({ config: "spawns: { depth: 2, live: 2 }" });
const cwd = realpathSync(daemon.cwd);
beforeAll(async () => {
  mkdirSync(join(cwd, "below"));
  await daemon.start();
});
afterAll(() => daemon.dispose());

/** The environment of a process of the session, read through a terminal. */
async function surroundings(session: string): Promise<Record<string, string>> {
  const path = join(daemon.home, `env-${session}`);
  await daemon.client.terminals.open({
    session,
    command: ["sh", "-c", `env > ${path}.part && mv ${path}.part ${path}`],
  });
  const text = await expect
    .poll(() => readFileSync(path, "utf8"), { timeout: 30_000 })
    .toContain("GANTRY_TOKEN=")
    .then(() => readFileSync(path, "utf8"));
  return Object.fromEntries(text.split("\n").map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]));
}

/** An idle session, and its agent as a client. */
async function parent(mode: Session["mode"] = "auto-edit"): Promise<{ id: string; agent: Client; token: string }> {
  const { id } = await daemon.client.sessions.create({ agent: "scripted", cwd, mode, env: { FLAVOUR: "plum" } });
  const { GANTRY_URL: url = "", GANTRY_TOKEN: token = "" } = await surroundings(id);
  return { id, agent: createClient({ url, token }), token };
}

const COMMIT = "git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m first";

const begin = (agent: Client, prompt: string, more: object = {}) =>
  agent.sessions.create({ agent: "scripted", prompt, ...more });
const messagesOf = (events: readonly Envelope[]) =>
  events.flatMap((event) =>
    event.type === "message.user" && event.data.author.startsWith("session:") ? [event.data] : [],
  );
const woken = async (id: string, times: number) => {
  await expect.poll(async () => messagesOf(await daemon.log(id)).length, { timeout: 30_000 }).toBe(times);
  await daemon.waitForIdle(id);
  return messagesOf(await daemon.log(id));
};

describe("a session's processes", () => {
  it("know the session and the daemon, and a session's variables cannot override that", async () => {
    const { id } = await parent();
    const env = await surroundings(id);
    expect(env).toMatchObject({ GANTRY_SESSION: id, GANTRY_URL: daemon.daemon.url, FLAVOUR: "plum" });
    expect(env.GANTRY_TOKEN).not.toBe(daemon.daemon.token);
    const wrong = { agent: "scripted", cwd, env: { GANTRY_TOKEN: "x" } };
    await expect(daemon.client.sessions.create(wrong)).rejects.toMatchObject({ code: "invalid" });
  });

  it("may print their token without exposing it in events, lists or the daemon's log", async () => {
    const { id, token } = await parent("full-auto");
    const secret = token.slice(0, 47);
    writeFileSync(join(cwd, "leak.sh"), `echo "$GANTRY_TOKEN" "${token}"; env >&2\n`);
    await daemon.client.sessions.send(id, { text: "[[script:leak.sh]] go" });
    await daemon.waitForIdle(id);
    const events = await daemon.log(id);
    expect(JSON.stringify(events)).toContain("gss_[hidden]");
    expect(JSON.stringify(events)).not.toMatch(/gss_[A-Za-z0-9_-]{43}/);
    expect(JSON.stringify(await daemon.client.sessions.get(id))).not.toContain(secret);
    expect(readFileSync(join(daemon.home, "gantry", "logs", "daemon.log"), "utf8")).not.toContain("gss_");
  });
});

describe("an agent", () => {
  it("spawns a session, is woken once by its end with its message, and continues it", async () => {
    const { id, agent } = await parent();
    const child = await begin(agent, "[[write]] go", { mode: "auto-edit", title: "The writer" });
    expect(child).toMatchObject({ parent: id, spawn: { root: id, depth: 1, wake: true }, cwd, mode: "auto-edit" });
    const [message] = await woken(id, 1);
    expect(message?.author).toBe(`session:${child.id}`);
    for (const part of [child.id, "The writer", "completed", "hello.txt", "Done: the file step has ended."])
      expect(message?.text).toContain(part);
    const events = await daemon.log(child.id);
    expect(events.find(({ type }) => type === "session.created")?.data).toMatchObject({
      origin: "session",
      env: ["FLAVOUR"],
    });
    expect(messagesOf(events)).toMatchObject([{ author: `session:${id}`, text: "[[write]] go" }]);
    expect((await agent.sessions.list()).sessions.map((session) => session.id).sort()).toEqual([id, child.id].sort());
    await agent.sessions.send(child.id, { text: "[[text]] again" });
    await woken(id, 2);
    await daemon.stop("keep");
    await daemon.start();
    await daemon.waitForIdle(id);
    expect(messagesOf(await daemon.log(id))).toHaveLength(2);
  });

  it("that is running is notified of all ended sessions at once when it is idle", async () => {
    const { id, agent } = await parent();
    await daemon.client.sessions.send(id, { text: "[[hang]] for now" });
    const children = await Promise.all([begin(agent, "[[say:plums]] a"), begin(agent, "[[say:pears]] b")]);
    for (const child of children) await daemon.waitForIdle(child.id);
    expect(messagesOf(await daemon.log(id))).toEqual([]);
    await daemon.client.sessions.interrupt(id);
    const [message] = await woken(id, 1);
    expect(message?.text).toMatch(/2 sessions[\s\S]*plums[\s\S]*pears|2 sessions[\s\S]*pears[\s\S]*plums/);
    for (const child of children) expect(message?.author).toContain(child.id);
  });

  it("is not woken if it opted out or has already read the result", async () => {
    const { id, agent } = await parent();
    await daemon.client.sessions.send(id, { text: "[[hang]] for now" });
    const quiet = await begin(agent, "[[text]] a", { wake: false });
    const read = await begin(agent, "[[text]] b");
    await daemon.waitForIdle(quiet.id);
    const { lastTurn } = await daemon.waitForIdle(read.id);
    expect(await agent.sessions.heard(read.id, lastTurn?.id ?? "")).toEqual({ heard: true }); // prose-ignore: API names
    await daemon.client.sessions.interrupt(id);
    await daemon.waitForIdle(id);
    // Any earlier report would arrive before the next one.
    await begin(agent, "[[say:last]] c");
    const messages = await woken(id, 1);
    expect(messages[0]?.author).not.toContain(quiet.id);
    expect(messages[0]?.author).not.toContain(read.id);
  });

  it("is notified that a session waits for a person, and cannot answer", async () => {
    const { id, agent } = await parent();
    const child = await begin(agent, "[[write]] go", { title: "One that asks" });
    const [message] = await woken(id, 1);
    expect(message?.text).toContain("waits for a person");
    const [input] = (await agent.sessions.get(child.id)).inputs;
    const refused = { code: "not_permitted" };
    await expect(agent.answer(input?.id ?? "", { decision: "allow" })).rejects.toMatchObject(refused);
    await expect(agent.inbox()).rejects.toMatchObject(refused);
    await daemon.client.answer(input?.id ?? "", { decision: "deny" });
    expect(await woken(id, 2)).toHaveLength(2);
  });

  it("that was archived is not restarted; the session gets a notice, and the token is revoked", async () => {
    const { id, agent } = await parent();
    const child = await begin(agent, "[[slow:30:20]] go");
    await daemon.client.sessions.patch(id, { archived: true });
    await daemon.waitForIdle(child.id);
    const notices = async () =>
      (await daemon.log(child.id)).filter((event) => event.type === "notice" && event.data.kind === "spawn");
    await expect.poll(async () => (await notices()).length, { timeout: 30_000 }).toBe(1);
    expect((await daemon.client.sessions.get(id)).archived).toBe(true);
    await expect(agent.sessions.list()).rejects.toMatchObject({ code: "unauthorized" });
    await daemon.client.sessions.patch(id, { archived: false });
    await expect(agent.sessions.list()).rejects.toMatchObject({ code: "unauthorized" });
  });
});

describe("an agent may not", () => {
  const refusalWith = (message: RegExp) => ({ code: "not_permitted", message: expect.stringMatching(message) });

  it("grant more permission than it has", async () => {
    const { id, agent } = await parent("ask");
    for (const mode of ["auto-edit", "full-auto", "inherit"])
      await expect(begin(agent, "x", { mode })).rejects.toMatchObject(
        refusalWith(/more permission than the one that started it/),
      );
    const child = await begin(agent, "[[text]] x", { mode: "plan" });
    await daemon.waitForIdle(child.id);
    await expect(agent.sessions.patch(child.id, { mode: "full-auto" })).rejects.toMatchObject(
      refusalWith(/permission/),
    );
    await agent.sessions.patch(child.id, { mode: "ask" });
    await daemon.client.sessions.patch(id, { mode: "plan" });
    await expect(agent.sessions.patch(child.id, { mode: "ask" })).rejects.toMatchObject(refusalWith(/permission/));
    await expect(agent.sessions.send(child.id, { text: "x" })).rejects.toMatchObject(refusalWith(/permission/));
    await agent.sessions.patch(child.id, { mode: "plan" });
    expect((await daemon.client.sessions.list({ q: id })).sessions).toHaveLength(1);
  });

  it("leave its folder, set the environment or resume conversations", async () => {
    const { agent } = await parent();
    await expect(begin(agent, "x", { cwd: "/tmp" })).rejects.toMatchObject(refusalWith(/outside/));
    await expect(begin(agent, "x", { cwd: `${cwd}/..` })).rejects.toMatchObject(refusalWith(/outside/));
    await expect(begin(agent, "x", { env: { A: "b" } })).rejects.toMatchObject(refusalWith(/env/));
    await expect(begin(agent, "x", { resume: "abc" })).rejects.toMatchObject(refusalWith(/resume/));
    const attachments = [{ path: "/etc/hostname" }];
    await expect(begin(agent, "x", { attachments })).rejects.toMatchObject(refusalWith(/outside/));
    const below = await begin(agent, "[[text]] x", { cwd: join(cwd, "below"), wake: false });
    expect(below.cwd).toBe(join(cwd, "below"));
  });

  it("work in a person's lane, but in one that it creates, without a set-up that no person approved", async () => {
    const repository = join(daemon.home, "repository");
    execFileSync("sh", ["-c", `git init -q ${repository} && cd ${repository} && ${COMMIT}`]);
    const { id } = await daemon.client.sessions.create({ agent: "scripted", cwd: repository, mode: "auto-edit" });
    const { GANTRY_URL: url = "", GANTRY_TOKEN: token = "" } = await surroundings(id);
    const agent = createClient({ url, token });
    const theirs = await daemon.client.call("createLane", { body: { cwd: repository, name: "theirs" } });
    await expect(begin(agent, "x", { lane: theirs.id })).rejects.toMatchObject(refusalWith(/another lane/));
    await expect(agent.call("getLane", { params: { id: theirs.id } })).rejects.toMatchObject(
      refusalWith(/belongs neither/),
    );
    for (const more of [{ branch: "main" }, { path: theirs.path }, { cwd: daemon.home }])
      await expect(agent.call("createLane", { body: { cwd: repository, ...more } })).rejects.toMatchObject(
        refusalWith(/./),
      );
    const mine = await agent.call("createLane", { body: { cwd: repository, name: "mine" } });
    expect(mine.setup.state).toBe("none");
    const child = await begin(agent, "[[text]] x", { lane: mine.id, wake: false });
    expect(child).toMatchObject({ lane: mine.id, cwd: mine.path, parent: id });
    expect(await agent.call("laneDiff", { params: { id: mine.id } })).toBeDefined();
    await daemon.waitForIdle(child.id);
  });

  it("reach other sessions, or message itself except through the queue", async () => {
    const { id, agent } = await parent();
    const other = await daemon.session("scripted", "[[text]] x");
    const notIts = refusalWith(/started/);
    await expect(agent.sessions.get(other.id)).rejects.toMatchObject(notIts);
    await expect(agent.sessions.events(other.id)).rejects.toMatchObject(notIts);
    await expect(agent.sessions.send(other.id, { text: "x" })).rejects.toMatchObject(notIts);
    await expect(agent.sessions.interrupt(id)).rejects.toMatchObject(notIts);
    await expect(agent.sessions.patch(id, { mode: "full-auto" })).rejects.toMatchObject(notIts);
    await expect(agent.sessions.delete(id)).rejects.toMatchObject({ code: "not_permitted" });
    await expect(agent.sessions.send(id, { text: "x", delivery: "interrupt" })).rejects.toMatchObject(
      refusalWith(/queue/),
    );
    await agent.sessions.send(id, { text: "[[text]] to myself" });
    await daemon.waitForIdle(id);
    expect(messagesOf(await daemon.log(id))).toMatchObject([{ author: `session:${id}`, delivery: "queue" }]);
  });

  it("exceed the configured depth and breadth", async () => {
    const { agent } = await parent();
    const child = await begin(agent, "[[text]] x", { wake: false });
    const { GANTRY_URL: url = "", GANTRY_TOKEN: token = "" } = await surroundings(child.id);
    const second = createClient({ url, token });
    const grandchild = await begin(second, "[[hang]] x", { wake: false });
    expect(grandchild.spawn).toMatchObject({ depth: 2, root: child.parent });
    const place = await surroundings(grandchild.id);
    const third = createClient({ url, token: place.GANTRY_TOKEN ?? "" });
    await expect(begin(third, "x")).rejects.toMatchObject(refusalWith(/The limit is/));
    await daemon.waitForIdle(child.id);
    const crowd = await Promise.allSettled([1, 2, 3].map(() => begin(agent, "[[hang]] x", { wake: false })));
    expect(crowd.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    const failure = crowd.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(failure.reason).toMatchObject({ code: "too_many_spawns" });
    expect((await agent.sessions.get(grandchild.id)).id).toBe(grandchild.id);
    await agent.sessions.interrupt(grandchild.id);
    for (const entry of crowd) if (entry.status === "fulfilled") await agent.sessions.interrupt(entry.value.id);
  });
});
