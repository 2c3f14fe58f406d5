import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FaultSpec, writeFakeAgent } from "@gantry/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listProcesses } from "./process/identity.ts";
import { TestDaemon } from "./test-daemon.ts";

const HASTY = "deadlines: { stopSeconds: 1 }\n";
const AGENT = "fake-acp";

const open: TestDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

/** A daemon with a local profile of a fake agent that speaks ACP, lists its conversations and closes them. */
async function startDaemon({ faults = [] as FaultSpec[], config = HASTY } = {}): Promise<TestDaemon> {
  const daemon = new TestDaemon({ config });
  open.push(daemon);
  const bin = writeFakeAgent({ dir: join(daemon.home, "bin"), dialect: "acp", fault: faults, pace: 1 });
  mkdirSync(join(daemon.home, "gantry", "agents"), { recursive: true });
  const profile = `id: ${AGENT}\nextends: acp\ncommand: ["${bin}"]\n`;
  writeFileSync(join(daemon.home, "gantry", "agents", `${AGENT}.yml`), profile);
  return daemon.start();
}

/** What the fake agent has on disk of a conversation. */
function readConversation(daemon: TestDaemon, handle: string): { closed?: boolean; turns: unknown[] } {
  return JSON.parse(readFileSync(join(daemon.home, ".fake-agent", "sessions", `${handle}.json`), "utf8"));
}

/** The processes of a session: all that it ever had, and those that still run. */
function processes(daemon: TestDaemon, session: string): { all: string[]; alive: string[] } {
  const all = readdirSync(join(daemon.home, "gantry", "spool", session)).sort();
  const markers = new Set(listProcesses().map(({ marker }) => marker));
  return { all, alive: all.filter((id) => markers.has(id)) };
}

describe("a session that is released", () => {
  it("is closed through its agent's protocol, with one event, and resumes with the next message", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session(AGENT, "[[text]] one");
    const handle = (await daemon.waitForIdle(id)).handles[AGENT] ?? "";
    expect(readConversation(daemon, handle).closed).toBeUndefined();
    const before = (await daemon.log(id)).length;
    expect(await daemon.client.sessions.close(id)).toEqual({ released: true });
    expect(processes(daemon, id).alive).toEqual([]);
    expect(readConversation(daemon, handle)).toMatchObject({ closed: true, turns: [{}] });
    expect((await daemon.log(id)).slice(before)).toMatchObject([
      { type: "process.released", data: { reason: "closed" } },
    ]);
    await daemon.client.sessions.send(id, { text: "[[text]] two" });
    const session = await daemon.waitUntil(id, ({ turns, state }) => turns === 2 && state === "idle");
    expect(session).toMatchObject({ handles: { [AGENT]: handle }, lastTurn: { outcome: "completed" }, raw: 0 });
    expect(readConversation(daemon, handle).turns).toHaveLength(2);
  });

  it("is gone although its agent neither answers nor minds a signal", async () => {
    const daemon = await startDaemon({ faults: ["ignore-sigterm"] });
    const { id } = await daemon.session(AGENT, "[[text]] one");
    const handle = (await daemon.waitForIdle(id)).handles[AGENT] ?? "";
    expect(await daemon.client.sessions.close(id)).toEqual({ released: true });
    expect(processes(daemon, id).alive).toEqual([]);
    expect(readConversation(daemon, handle).closed).toBe(true);
  });

  it("resumes in another process when the daemon that closed it has stopped", async () => {
    const config = "idleSeconds: 0.2\ndeadlines: { stopSeconds: 5 }\n";
    const daemon = await startDaemon({ faults: ["ignore-sigterm"], config });
    const { id } = await daemon.session(AGENT, "[[text]] one");
    const handle = (await daemon.waitForIdle(id)).handles[AGENT] ?? "";
    await vi.waitFor(() => expect(readConversation(daemon, handle).closed).toBe(true), { timeout: 30_000 });
    await daemon.stop("keep");
    await daemon.start();
    await daemon.client.sessions.send(id, { text: "[[text]] two" });
    const session = await daemon.waitUntil(id, ({ turns, state }) => turns === 2 && state === "idle");
    expect(session).toMatchObject({ handles: { [AGENT]: handle }, lastTurn: { outcome: "completed" } });
    expect(processes(daemon, id).all).toHaveLength(2);
  });
});

describe("conversations that an agent keeps", () => {
  it("are listed page by page and resumed in a new session", async () => {
    const daemon = await startDaemon();
    const { client, cwd } = daemon;
    const handles: string[] = [];
    for (const word of ["heron", "egret", "stork"]) {
      const { id } = await daemon.session(AGENT, `[[text]] ${word}`);
      handles.push((await daemon.waitForIdle(id)).handles[AGENT] ?? "");
      await client.sessions.delete(id);
    }
    const { conversations, complete } = await client.agents.conversations(AGENT, cwd);
    expect(conversations.map(({ id, title }) => [id, title]).sort()).toEqual(
      ["heron", "egret", "stork"].map((word, index) => [handles[index], `[[text]] ${word}`]).sort(),
    );
    expect(complete).toBe(true);
    expect(await client.agents.conversations(AGENT)).toEqual({ conversations, complete });
    expect(await client.agents.conversations(AGENT, daemon.home)).toEqual({ conversations: [], complete: true });
    const [resume = ""] = handles;
    const { id } = await client.sessions.create({ agent: AGENT, cwd, resume, prompt: "[[text]] which bird?" });
    const session = await daemon.waitForIdle(id);
    expect(session).toMatchObject({ handles: { [AGENT]: resume }, turns: 1, lastTurn: { outcome: "completed" } });
    expect(readConversation(daemon, resume).turns).toHaveLength(2);
    const again = client.sessions.create({ agent: AGENT, cwd, resume });
    await expect(again).rejects.toMatchObject({ code: "conflict", remedy: expect.stringContaining(id) });
  });

  it("are refused for an agent that cannot list them, and for an invalid folder", async () => {
    const { client } = await startDaemon();
    const refused = client.agents.conversations("scripted");
    await expect(refused).rejects.toMatchObject({ code: "unsupported", remedy: expect.any(String) });
    await expect(client.agents.conversations("unknown")).rejects.toMatchObject({ code: "no_such_agent" });
    await expect(client.agents.conversations(AGENT, "here")).rejects.toMatchObject({ code: "invalid" });
  });

  it("are read among other lines, and fail for an agent that does not start", async () => {
    const noisy = await startDaemon({ faults: ["garbage"] });
    expect(await noisy.client.agents.conversations(AGENT)).toEqual({ conversations: [], complete: true });
    const { client } = await startDaemon({ faults: ["exit-at-once"] });
    const refused = { code: "agent_unavailable", message: expect.stringContaining("refuses to start") };
    await expect(client.agents.conversations(AGENT)).rejects.toMatchObject(refused);
  });

  it("are looked for before a new one is begun: a person is asked when there is none of that id", async () => {
    const daemon = await startDaemon();
    const body = { agent: AGENT, cwd: daemon.cwd, resume: "unknown-handle", prompt: "[[text]] hello" };
    const { id } = await daemon.client.sessions.create(body);
    const { inputs } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
    expect(inputs[0]?.questions[0]?.options.map(({ label }) => label)).toEqual(["retry", "rebuild", "new"]);
  });

  it("have no ids that a program could take for something else", async () => {
    const { client, cwd } = await startDaemon();
    for (const resume of ["--help", "../other", "a b", "", "x".repeat(300)]) {
      await expect(client.sessions.create({ agent: AGENT, cwd, resume })).rejects.toMatchObject({ code: "invalid" });
    }
    expect((await client.sessions.list()).sessions).toEqual([]);
  });
});
