import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Envelope, type InputRequest, type Offer, offerIn, type Session } from "@gantry/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TestDaemon } from "../test-daemon.ts";
import { writeLoginAgent } from "./login-agent.fake.ts";

const DEADLINE = { timeout: 60_000, interval: 50 };
let test: TestDaemon;
let program: string;

beforeEach(async () => {
  test = new TestDaemon();
  const bin = join(test.home, "login-bin");
  program = writeLoginAgent(bin, "gemini");
  test.env.PATH = `${bin}:${process.env.PATH}`;
  await test.start();
});
afterEach(() => test.dispose());

const login = (): Offer => ({
  kind: "login",
  agent: "gemini",
  title: "Log in to Gemini CLI",
  command: ["gemini"],
  display: "gemini",
});

async function waitForLogin(): Promise<{ session: Session; input: InputRequest }> {
  const { id } = await test.session("gemini", "hello");
  const session = await test.waitUntil(id, ({ inputs }) => inputs.length > 0);
  return { session, input: session.inputs[0] as InputRequest };
}

async function waitForEnd(id: string): Promise<Envelope<"turn.ended">["data"]> {
  await test.waitForIdle(id);
  const ends = (await test.log(id)).filter((event) => event.type === "turn.ended");
  return (ends.at(-1) as Envelope<"turn.ended">).data;
}

async function errors(id: string) {
  return (await test.log(id)).filter((event) => event.type === "error").map((event) => event.data);
}

/** Runs the offered login in a terminal, as a person would. */
async function logInInTerminal(session?: string): Promise<string> {
  const { terminals } = test.client;
  const terminal = await terminals.open({ offer: { agent: "gemini", kind: "login" }, ...(session ? { session } : {}) });
  expect(terminal).toMatchObject({ command: ["gemini"], offer: login(), state: "running" });
  await terminals.type(terminal.id, "sesame\r");
  let printed = "";
  for await (const frame of terminals.follow(terminal.id)) {
    if ("output" in frame) printed += Buffer.from(frame.output).toString();
    if ("exit" in frame) expect(frame.exit).toEqual({ code: 0, signal: null });
  }
  return printed;
}

it("asks for a login method, sends the choice to the agent and continues the turn", async () => {
  const { session, input } = await waitForLogin();
  expect(input).toMatchObject({ kind: "login", offer: login(), detail: expect.stringContaining("required") });
  expect(input.options.map(({ id, effect }) => [id, effect])).toEqual([
    ["key", "allow_once"],
    ["vain", "allow_once"],
    ["refused", "allow_once"],
    ["shell", "allow_once"],
    ["variable", "deny"],
    ["later", "deny"],
  ]);
  expect(input.options[0]?.description).toBe("The key in its own file");
  expect(input.options[3]?.description).toContain("Run `gemini` in a terminal");
  expect(input.options[4]?.description).toContain("LOGIN_KEY");
  await test.client.answer(input.id, { decision: "allow", option: "key" });
  expect(await waitForEnd(session.id)).toMatchObject({ outcome: "completed" });
  expect(await errors(session.id)).toEqual([]);
});

it.each([
  ["vain", "Authentication required"],
  ["refused", "The login was refused."],
])("ends the turn of a login by %s with the setup command, in one notice", async (option, message) => {
  const { session, input } = await waitForLogin();
  await test.client.answer(input.id, { decision: "allow", option });
  const { outcome, error } = await waitForEnd(session.id);
  expect(outcome).toBe("failed");
  expect(error).toMatchObject({
    category: "auth",
    message,
    offer: login(),
    remedy: expect.stringContaining("`gemini`"),
  });
  expect(await errors(session.id)).toEqual([error]);
});

it("after the login in a terminal the next message finds a process that has it", async () => {
  const { session, input } = await waitForLogin();
  expect((await test.client.agents.get("gemini")).agent).toMatchObject({
    auth: { state: "missing" },
    offers: [login()],
  });
  await test.client.answer(input.id, { decision: "deny" });
  expect(await waitForEnd(session.id)).toMatchObject({
    outcome: "failed",
    error: { category: "auth", offer: login() },
  });
  expect(await errors(session.id)).toHaveLength(1);
  expect(await logInInTerminal(session.id)).toContain("Logged in with sesame");
  const row = async () => (await test.client.agents.list()).find(({ id }) => id === "gemini");
  await vi.waitFor(async () => expect(await row()).toMatchObject({ auth: { state: "ok" }, offers: [] }), DEADLINE);
  await test.client.sessions.send(session.id, { text: "again" });
  expect(await waitForEnd(session.id)).toMatchObject({ outcome: "completed" });
});

it("a login in a terminal may also be done while the turn waits for it", async () => {
  const { session, input } = await waitForLogin();
  await logInInTerminal(session.id);
  await test.client.answer(input.id, { decision: "allow", option: "shell" });
  expect(await waitForEnd(session.id)).toMatchObject({ outcome: "completed" });
});

it("an interrupt ends a turn that waits for a login, and the question with it", async () => {
  const { session, input } = await waitForLogin();
  await test.client.sessions.interrupt(session.id);
  expect(await waitForEnd(session.id)).toMatchObject({ outcome: "interrupted" });
  const again = test.client.answer(input.id, { decision: "allow", option: "key" });
  await expect(again).rejects.toMatchObject({ code: "already_answered" });
});

it("a pending login survives the daemon", async () => {
  const { session, input } = await waitForLogin();
  await test.stop("keep");
  await test.start();
  expect((await test.client.inbox()).map(({ id }) => id)).toEqual([input.id]);
  await test.client.answer(input.id, { decision: "allow", option: "key" });
  expect(await waitForEnd(session.id)).toMatchObject({ outcome: "completed" });
});

it("an agent that has gone missing is offered to be installed: by the session, the API and its row", async () => {
  const { session, input } = await waitForLogin();
  await test.client.answer(input.id, { decision: "cancel" });
  await waitForEnd(session.id);
  rmSync(program);
  const display = "npm install -g @google/gemini-cli";
  const install = { kind: "install", agent: "gemini", command: display.split(" "), display };
  await test.client.sessions.send(session.id, { text: "again" });
  const { outcome, error } = await waitForEnd(session.id);
  expect(outcome).toBe("failed");
  expect(error).toMatchObject({ offer: install, remedy: expect.stringContaining(display) });
  expect((await errors(session.id)).at(-1)).toEqual(error);
  const refused = await test.session("gemini", "hello").catch((thrown) => thrown);
  expect(refused).toMatchObject({ code: "agent_unavailable", remedy: expect.stringContaining(display) });
  expect(offerIn(refused.details)).toMatchObject(install);
  const { agent, offers } = await test.client.agents.get("gemini", true);
  expect(agent).toMatchObject({ state: "missing", offers: [install] });
  expect(offers.map(({ kind }) => kind)).toEqual(["install"]);
});

it("terminals are read from any byte on, and end with the daemon", async () => {
  const { terminals } = test.client;
  const { id } = await terminals.open({ cwd: test.cwd, command: ["/bin/sh", "-c", "echo one; read x; echo two"] });
  const place = await vi.waitFor(async () => {
    const { to } = await terminals.get(id);
    expect(to).toBe(5);
    return to;
  }, DEADLINE);
  await terminals.type(id, "\r");
  const seen: string[] = [];
  for await (const frame of terminals.follow(id, { after: place })) {
    if ("output" in frame) seen.push(Buffer.from(frame.output).toString());
  }
  expect(seen.join("")).toBe("\r\ntwo\r\n");
  const marker = join(test.home, "alive");
  const script = `trap 'rm -f ${marker}; exit' HUP; touch ${marker}; while :; do sleep 0.1; done`;
  await terminals.open({ command: ["/bin/sh", "-c", script] });
  await vi.waitFor(() => expect(existsSync(marker)).toBe(true), DEADLINE);
  await test.stop();
  expect(existsSync(marker)).toBe(false);
});
