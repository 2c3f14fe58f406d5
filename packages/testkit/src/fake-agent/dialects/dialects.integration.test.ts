import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentScenarios } from "@gantry/scripted/agent";
import { asObject, type Json } from "@gantry/scripted/json";
import { describe, expect, type TestContext, test, vi } from "vitest";
import { type Driven, type Driver, drive, waitForStderr } from "../testing/driver.ts";

vi.setConfig({ testTimeout: 60_000 });

const DIALECTS: Driven[] = ["scripted", "claude", "codex"];

/** Starts a fake agent that ends with the test. */
function start({ onTestFinished }: TestContext, dialect: Driven, options: Parameters<typeof drive>[1] = {}): Driver {
  const driver = drive(dialect, options);
  onTestFinished(() => driver.dispose());
  return driver;
}

const texts = (driver: Driver) => driver.agent.frames.map(driver.messageText).filter((text) => text !== null);
const file = (driver: Driver, name: string) => {
  const path = join(driver.cwd, name);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
};

/** Answers every request until the turn ends; resolves to the end and the number of requests. */
async function play(driver: Driver, prompt: string, allow = true): Promise<{ end: Json; asked: number }> {
  const earlier = driver.agent.frames.length;
  const isNew = (frame: Json) => driver.agent.frames.indexOf(frame) >= earlier;
  driver.prompt(prompt);
  const answered = new Set<Json>();
  for (;;) {
    const frame = await driver.agent.waitFor(
      (candidate) =>
        isNew(candidate) && !answered.has(candidate) && (driver.isRequest(candidate) || driver.isTurnEnd(candidate)),
    );
    if (driver.isTurnEnd(frame)) return { end: frame, asked: answered.size };
    answered.add(frame);
    driver.answer(frame, allow);
  }
}

describe.concurrent.each(DIALECTS)("%s", (dialect) => {
  test("streams text, reasoning and unicode", async (context) => {
    const driver = start(context, dialect);
    await driver.start();
    await play(driver, "[[text]]");
    await play(driver, "[[think]]");
    await play(driver, "[[unicode]]");
    expect(texts(driver)).toHaveLength(3);
    expect(texts(driver)[2]).toContain("\u2028");
    expect(JSON.stringify(driver.agent.frames)).toContain("First A, then B.");
    driver.agent.hangUp();
    expect((await driver.agent.exit).code).toBe(0);
  });

  test("asks for a write, executes it if allowed, and continues the turn if denied", async (context) => {
    const allowed = start(context, dialect);
    await allowed.start();
    expect((await play(allowed, "[[write]]")).asked).toBe(1);
    expect(file(allowed, "hello.txt")).toBe("hello world\n");
    const denied = start(context, dialect);
    await denied.start();
    await play(denied, "[[write]]", false);
    expect(file(denied, "hello.txt")).toBeNull();
    expect(texts(denied).at(-1)).toBe("Done: the file step has ended.");
  });

  test("runs write, edit, commands, parallel calls and a failing command", async (context) => {
    const driver = start(context, dialect);
    await driver.start();
    await play(driver, "[[edit]]");
    expect(file(driver, "edit.txt")).toBe("FIRST line\nsecond line\n");
    await play(driver, "[[bash]]");
    expect(file(driver, "bash.txt")).toBe("hi-from-bash\n");
    await play(driver, "[[multi]]");
    expect(file(driver, "multi.txt")).toBe("multi\n");
    await play(driver, "[[bashfail]]");
    expect(JSON.stringify(driver.agent.frames)).toContain("oops");
  });

  test("sends a question, a plan, a to-do list and a subagent", async (context) => {
    const driver = start(context, dialect);
    await driver.start();
    expect((await play(driver, "[[ask]]")).asked).toBe(1);
    expect((await play(driver, "[[plan]]")).asked).toBe(1);
    await play(driver, "[[todo]]");
    await play(driver, "[[subagent]]");
    expect(texts(driver)).toEqual(
      expect.arrayContaining(["Thanks for answering.", "Plan handled.", "Todos set.", "Subagent finished."]),
    );
  });

  test("interrupts a message, a command and a pending request, and runs the next turn", async (context) => {
    const driver = start(context, dialect);
    await driver.start();
    for (const prompt of ["[[slow:2000:5]]", "[[bashslow]]", "[[hang]]"]) {
      const ends = driver.agent.frames.filter(driver.isTurnEnd).length;
      const seen = driver.agent.frames.length;
      driver.prompt(prompt);
      if (prompt.includes("bashslow")) await untilStarted(driver);
      else await driver.agent.waitFor((frame) => driver.agent.frames.indexOf(frame) >= seen);
      driver.interrupt();
      await driver.agent.waitFor(() => driver.agent.frames.filter(driver.isTurnEnd).length > ends);
      expect(JSON.stringify(driver.agent.frames.findLast(driver.isTurnEnd))).toMatch(
        /interrupted|error_during_execution/,
      );
    }
    await play(driver, "[[text]]");
    expect(texts(driver).at(-1)).toContain("42");
  });

  test("fails the turn for error:<category>", async (context) => {
    const driver = start(context, dialect);
    await driver.start();
    const { end } = await play(driver, "[[error:rate_limit]]");
    expect(JSON.stringify(end)).toMatch(/rate_limit|429/);
  });

  test("plays the demonstration for a prompt without a marker", async (context) => {
    const driver = start(context, dialect);
    await driver.start();
    await play(driver, "show me what you can do");
    expect(file(driver, "NOTES.md")).toContain("scripted agent");
    expect(texts(driver).at(-1)).toContain("## What I did");
  });

  test("ends the turn of every scenario, with or without an interrupt", async (context) => {
    const driver = start(context, dialect);
    await driver.start();
    for (const name of Object.keys(agentScenarios)) {
      if (["hang", "bashslow"].includes(name)) continue;
      await play(driver, `[[${name}]]`);
    }
    expect(driver.agent.noise).toEqual([]);
  });

  async function untilStarted(driver: Driver): Promise<void> {
    if (dialect !== "scripted") {
      const request = await driver.agent.waitFor(
        (frame) => driver.isRequest(frame) && JSON.stringify(frame).includes("started.txt"),
      );
      driver.answer(request, true);
    }
    await vi.waitFor(() => expect(file(driver, "started.txt")).toBe(""), { timeout: 30_000 });
  }
});

test.concurrent("claude supports modes, models and message lifecycle, and rejects unknown requests", async (context) => {
  const { agent, ...driver } = start(context, "claude");
  await driver.start();
  const control = async (request_id: string, request: Json) => {
    agent.send({ type: "control_request", request_id, request });
    const answer = await agent.waitFor((frame) => asObject(frame.response).request_id === request_id);
    return asObject(answer.response);
  };
  expect((await control("a", { subtype: "list_models" })).response).toHaveProperty("models");
  expect(await control("b", { subtype: "set_permission_mode", mode: "acceptEdits" })).toMatchObject({
    response: { mode: "acceptEdits" },
  });
  expect(await control("c", { subtype: "set_permission_mode", mode: "bypassPermissions" })).toMatchObject({
    error_code: "bypass_not_launched",
  });
  expect(await control("d", { subtype: "set_permission_mode", mode: "bogus" })).toMatchObject({
    error_code: "invalid_mode",
  });
  expect(await control("e", { subtype: "set_model", model: "sonnet" })).toMatchObject({
    response: { model: "claude-sonnet-5-5" },
  });
  expect(await control("f", { subtype: "no_such_thing" })).toMatchObject({ error_code: "unsupported_request" });
  const message = (uuid: string, text: string) =>
    agent.send({ type: "user", uuid, message: { role: "user", content: [{ type: "text", text }] } });
  message("u1", "[[slow:2000:5]]");
  await agent.waitFor((frame) => frame.type === "stream_event");
  message("u2", "[[write]]");
  expect(await control("g", { subtype: "interrupt" })).toMatchObject({ response: { still_queued: ["u2"] } });
  await agent.waitFor((frame) => frame.command_uuid === "u2" && frame.state === "completed");
  const states = agent.frames
    .filter((frame) => frame.type === "command_lifecycle")
    .map((frame) => `${frame.command_uuid} ${frame.state}`);
  expect(states).toEqual(["u1 queued", "u1 started", "u2 queued", "u1 cancelled", "u2 started", "u2 completed"]);
});

test.concurrent("claude resumes and forks, and rejects a used or unknown id", async (context) => {
  const id = "11111111-2222-4333-8444-555555555555";
  const first = start(context, "claude", { args: ["--session-id", id] });
  await first.start();
  await play(first, "[[text]]");
  first.agent.hangUp();
  await first.agent.exit;
  const startAgain = (args: string[]) => start(context, "claude", { args, home: first.home });
  const taken = startAgain(["--session-id", id]);
  expect((await taken.agent.exit).code).toBe(1);
  await waitForStderr(taken.agent, /already in use/);
  const resumed = startAgain(["--resume", id]);
  await resumed.start();
  expect((await play(resumed, "[[text]]")).end.session_id).toBe(id);
  const forked = startAgain(["--resume", id, "--fork-session"]);
  await forked.start();
  expect((await play(forked, "[[text]]")).end.session_id).not.toBe(id);
  const unknown = startAgain(["--resume", "00000000-0000-4000-8000-000000000000"]);
  expect((await unknown.agent.exit).code).toBe(1);
  await waitForStderr(unknown.agent, /No conversation found with session ID/);
  expect(unknown.agent.frames[0]).toMatchObject({ type: "result", subtype: "error_during_execution" });
});

test.concurrent("codex numbers requests from 0, steers, resumes, forks and reports errors", async (context) => {
  const driver = start(context, "codex");
  const call = async (id: number, method: string, params: Json) => {
    driver.agent.send({ id, method, params });
    return driver.agent.waitFor((frame) => frame.id === id && frame.method === undefined);
  };
  expect(await call(1, "thread/start", {})).toMatchObject({ error: { message: "Not initialized" } });
  const threadId = await driver.start();
  const write = await playAndCatch(driver);
  expect(write.id).toBe(0);
  const input = (text: string) => [{ type: "text", text, text_elements: [] }];
  const started = await call(2, "turn/start", { threadId, input: input("[[slow:2000:5]]") });
  const turnId = asObject(asObject(started.result).turn).id;
  await driver.agent.waitFor(
    (frame) => frame.method === "item/agentMessage/delta" && asObject(frame.params).turnId === turnId,
  );
  expect(await call(3, "turn/steer", { threadId, expectedTurnId: turnId, input: input("[[text]]") })).toMatchObject({
    result: { turnId },
  });
  await driver.agent.waitFor(
    (frame) => frame.method === "turn/completed" && asObject(asObject(frame.params).turn).id === turnId,
  );
  expect(texts(driver).filter((text) => text.includes("word"))).toEqual([]);
  expect(await call(4, "turn/interrupt", { threadId, turnId })).toMatchObject({
    error: { message: "no active turn to interrupt" },
  });
  expect(await call(5, "model/list", {})).toMatchObject({ result: { nextCursor: null } });
  expect(await call(6, "thread/resume", { threadId: "nope" })).toMatchObject({
    error: { message: "no rollout found for thread id nope" },
  });
  expect(await call(7, "thread/fork", { threadId })).toMatchObject({ result: { thread: { forkedFromId: threadId } } });
  const resumed = await call(8, "thread/resume", { threadId });
  expect(asObject(asObject(resumed.result).thread).turns).toHaveLength(2);
  const totals = driver.agent.frames.filter((frame) => frame.method === "thread/tokenUsage/updated").map(totalTokens);
  expect(totals).toEqual([...totals].sort((a, b) => a - b));
});

test.concurrent("scripted supports edits, session grants, modes, steering and ping, and rejects an unknown conversation", async (context) => {
  const driver = start(context, "scripted");
  const id = await driver.start();
  driver.prompt("[[write]]");
  const request = asObject(asObject((await driver.agent.waitFor(driver.isRequest)).event).data);
  expect(request).toMatchObject({ kind: "approval", tool: { name: "write" }, diff: [{ kind: "add" }] });
  driver.agent.send({ type: "answer", id: request.id, decision: "allow_session", edits: { content: "edited\n" } });
  await driver.turnEnd();
  expect(file(driver, "hello.txt")).toBe("edited\n");
  expect((await play(driver, "[[write]]")).asked).toBe(0);
  driver.agent.send({ type: "set", mode: "full-auto", model: "scripted-mini" });
  const waitForSet = (field: string) =>
    driver.agent.waitFor((frame) => frame.type === "set.done" && frame.field === field);
  expect(await waitForSet("mode")).toMatchObject({ value: "full-auto", ok: true });
  expect(await waitForSet("model")).toMatchObject({ value: "scripted-mini", ok: true });
  driver.agent.send({ type: "ping", id: "p1" });
  await driver.agent.waitFor((frame) => frame.type === "pong" && frame.id === "p1");
  driver.prompt("[[slow:30:5]]");
  await driver.agent.waitFor((frame) => frame.type === "delta" && String(frame.text).includes("word"));
  driver.agent.send({ type: "steer", id: "msg_steer", text: "be quick" });
  expect(await driver.agent.waitFor((frame) => frame.id === "msg_steer")).toMatchObject({
    type: "accepted",
    inline: true,
  });
  await driver.agent.waitFor((frame) => driver.messageText(frame) === "Noted: be quick");
  const resumed = start(context, "scripted", { home: driver.home });
  expect(await resumed.start(id)).toBe(id);
  const unknown = start(context, "scripted");
  unknown.agent.send({ type: "start", resume: "sca_nope", fork: false, cwd: unknown.cwd });
  expect((await unknown.agent.exit).code).toBe(1);
  expect(unknown.agent.frames[0]).toMatchObject({ type: "error", code: "no_such_session" });
});

test.concurrent("scripted sends a burst and many deltas completely and in order", async (context) => {
  const driver = start(context, "scripted");
  await driver.start();
  await play(driver, "[[burst:20000]]");
  const types = driver.agent.frames.map((frame) => asObject(frame.event).type);
  const durable = types.filter((type) => ["tool.started", "tool.ended", "message.done"].includes(String(type)));
  expect(durable).toHaveLength(20_000);
  expect(types.filter((type) => type === "tool.started").length).toBe(
    types.filter((type) => type === "tool.ended").length,
  );
  await play(driver, "[[deltas:2000:20]]");
  const pieces = driver.agent.frames.filter((frame) => frame.type === "delta");
  expect(pieces).toHaveLength(2000);
  expect(pieces.map((frame) => frame.text).join("")).toBe(texts(driver).at(-1));
});

async function playAndCatch(driver: Driver): Promise<Json> {
  driver.prompt("[[write]]");
  const request = await driver.agent.waitFor(driver.isRequest);
  driver.answer(request, true);
  await driver.turnEnd();
  return request;
}

function totalTokens(frame: Json): number {
  const usage = asObject(asObject(frame.params).tokenUsage);
  return Number(asObject(usage.total).totalTokens);
}
