import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultName } from "@gantry/scripted/agent";
import { asObject, asObjects, type Json } from "@gantry/scripted/json";
import { describe, expect, type TestContext, test, vi } from "vitest";
import { ASKED_FILE } from "../../asked.ts";
import { AcpTalk, startFake } from "../../testing/acp-talk.ts";

vi.setConfig({ testTimeout: 60_000 });

type Start = Parameters<typeof startFake>;

function start({ onTestFinished }: TestContext, dialect: Start[0], options: Start[1] = {}) {
  const { agent, cwd, home, dispose } = startFake(dialect, options);
  onTestFinished(dispose);
  return { talk: new AcpTalk(agent, cwd), cwd, home };
}

describe.concurrent.each(["acp", "cursor", "hermes", "goose"] as const)("%s", (dialect) => {
  test("streams a reply, asks for a write, and logs the model requests", async (context) => {
    const { talk, cwd, home } = start(context, dialect, { script: "model" });
    await talk.open();
    if (dialect === "goose") await talk.call("session/set_mode", { sessionId: talk.session, modeId: "approve" });
    expect(await talk.prompt("[[text]] hi")).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(talk.messageText()).toBe("Hello from the scripted model. The answer is 42.");
    const end = talk.prompt("[[write]]");
    const request = await talk.nextRequest();
    const { options } = asObject(request.params) as { options: { optionId: string; kind: string }[] };
    expect(existsSync(join(cwd, "hello.txt"))).toBe(false);
    const optionId = options.find(({ kind }) => kind === "allow_once")?.optionId;
    talk.reply(request, { outcome: { outcome: "selected", optionId } });
    await end;
    expect(readFileSync(join(cwd, "hello.txt"), "utf8")).toBe("hello world\n");
    const asked = readFileSync(join(home, ASKED_FILE), "utf8").trimEnd().split("\n");
    expect(asked).toHaveLength(3);
    expect(asked.at(-1)).toContain("[[text]] hi");
  });

  test("resumes a conversation in another process, and rejects an unknown one", async (context) => {
    const first = start(context, dialect);
    await first.talk.open();
    await first.talk.prompt("[[text]]");
    first.talk.agent.hangUp();
    expect((await first.talk.agent.exit).code).toBe(0);
    const second = start(context, dialect, { home: first.home });
    await second.talk.open(first.talk.session);
    expect(second.talk.messageText()).toContain("42");
    const third = start(context, dialect, { home: first.home });
    const lost = await third.talk.open("unknown");
    expect(lost.error ?? lost.result).toSatisfy((answer: unknown) => answer === null || "message" in Object(answer));
  });
});

test.concurrent("lists conversations by page, including closed ones", async (context) => {
  const { talk, cwd } = start(context, "acp");
  const ids: string[] = [];
  for (const word of ["one", "two", "three"]) {
    await talk.open();
    await talk.prompt(`[[text]] ${word}`);
    ids.push(talk.session);
  }
  expect(await talk.call("session/close", { sessionId: talk.session })).toMatchObject({ result: {} });
  expect(await talk.prompt("[[text]] four")).toMatchObject({ error: { message: "No conversation is open" } });
  const first = asObject((await talk.call("session/list", { cwd })).result) as { sessions: Json[]; nextCursor: string };
  const rest = asObject((await talk.call("session/list", { cwd, cursor: first.nextCursor })).result);
  const all = [...first.sessions, ...asObjects(rest.sessions)];
  expect(all.map(({ sessionId }) => sessionId)).toEqual(ids);
  expect(all[0]).toMatchObject({ cwd, title: "[[text]] one" });
  expect(rest.nextCursor).toBeNull();
});

test.concurrent("rejects methods that initialize does not offer", async (context) => {
  const { talk } = start(context, "goose");
  await talk.open();
  expect(await talk.call("session/list")).toMatchObject({ result: { sessions: [] } });
  expect(await talk.call("session/close", { sessionId: talk.session })).toMatchObject({ error: { code: -32601 } });
});

describe.concurrent("the faults", () => {
  test.for<[FaultName, number]>([
    ["exit-at-once", 1],
    ["crash-after-accept", 1],
    ["exit-mid", 1],
  ])("%s ends the process", async ([fault, code], context) => {
    const { talk } = start(context, "acp", { fault });
    void talk.open().then(
      () => talk.prompt("[[text]]").catch(() => {}),
      () => {},
    );
    expect((await talk.agent.exit).code).toBe(code);
  });

  test("cancels a turn, or continues with ignore-interrupt", async (context) => {
    const { talk } = start(context, "acp");
    await talk.open();
    const end = talk.prompt("[[slow:2000:5]]");
    await talk.agent.waitFor((frame) => JSON.stringify(frame).includes("word3"));
    talk.cancel();
    expect(await end).toMatchObject({ result: { stopReason: "cancelled" } });
    const stubborn = start(context, "acp", { fault: "ignore-interrupt" }).talk;
    await stubborn.open();
    const whole = stubborn.prompt("[[slow:30:5]]");
    await stubborn.agent.waitFor((frame) => JSON.stringify(frame).includes("word3"));
    stubborn.cancel();
    expect(await whole).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(stubborn.messageText()).toContain("word29");
  });

  test("sends a late message after the end of a cancelled turn", async (context) => {
    const { talk } = start(context, "acp", { fault: "late-after-cancel" });
    await talk.open();
    const end = talk.prompt("[[slow:2000:5]]");
    await talk.agent.waitFor((frame) => JSON.stringify(frame).includes("word3"));
    talk.cancel();
    await end;
    await talk.agent.waitFor((frame) => JSON.stringify(frame).includes("thing"));
  });

  test("sends the last text, a tool call end and the cost after the end of the turn", async (context) => {
    const { talk } = start(context, "acp", { fault: "trailing" });
    await talk.open();
    await talk.call("session/set_mode", { sessionId: talk.session, modeId: "auto" });
    await talk.prompt("[[bash]]");
    await talk.agent.waitFor((frame) => JSON.stringify(frame).includes('"cost"'));
    const lines = talk.agent.frames.map((frame) => JSON.stringify(frame));
    const end = lines.findIndex((line) => line.includes("stopReason"));
    for (const trailing of ["That is all.", "tool_call_update", '"cost"']) {
      expect(lines.findIndex((line) => line.includes(trailing))).toBeGreaterThan(end);
    }
  });

  test("withdraws a question", async (context) => {
    const { talk, cwd } = start(context, "acp", { fault: "approval-withdrawn" });
    await talk.open();
    const end = talk.prompt("[[write]]");
    const { id } = await talk.nextRequest();
    await end;
    expect(talk.agent.frames).toContainEqual({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } });
    expect(existsSync(join(cwd, "hello.txt"))).toBe(false);
  });

  test.for<[FaultName, number]>([
    ["missing-end", 0],
    ["duplicate-ids", 6],
    ["out-of-order", 3],
  ])("%s: %i ends of three calls", async ([fault, ends], context) => {
    const { talk } = start(context, "acp", { fault });
    await talk.open();
    await talk.prompt("[[parallel]]");
    expect(talk.updates("tool_call_update")).toHaveLength(ends);
  });

  test.for<FaultName>(["garbage", "unknown-frames", "foreign-session", "partial-line", "flood", "double-turn-end"])(
    "%s: the answer is there all the same",
    async (fault, context) => {
      const { talk } = start(context, "acp", { fault });
      await talk.open();
      await talk.prompt("[[text]]");
      expect(talk.messageText()).toBe("Hello from the scripted agent. The answer is 42.");
    },
  );

  test("logged-out opens no conversation", async (context) => {
    const { talk } = start(context, "acp", { fault: "logged-out" });
    expect(await talk.open()).toMatchObject({ error: { code: -32000 } });
  });
});

test.concurrent("cursor uses its own methods for questions, plans, steps and subagents", async (context) => {
  const { talk } = start(context, "cursor");
  await talk.open();
  const asking = talk.prompt("[[ask]]");
  const question = await talk.nextRequest("cursor/ask_question");
  expect(question.params).toMatchObject({ questions: [{ id: "q1", prompt: "Which colour?", options: [{}, {}] }] });
  const answers = [{ questionId: "q1", selectedOptionIds: ["o2"] }];
  talk.reply(question, { outcome: { outcome: "answered", answers } });
  await asking;
  const planning = talk.prompt("[[plan]]");
  talk.reply(await talk.nextRequest("cursor/create_plan"), { outcome: { outcome: "accepted" } });
  await planning;
  await talk.prompt("[[todo]]");
  await talk.prompt("[[subagent]]");
  const methods = talk.agent.frames.map(({ method }) => method);
  expect(methods).toEqual(expect.arrayContaining(["cursor/update_todos", "cursor/task"]));
});
