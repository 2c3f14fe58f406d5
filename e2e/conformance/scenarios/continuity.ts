import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../../harness/bench.ts";
import { assertSame } from "../../harness/processes.ts";
import { eventually } from "../../harness/wait.ts";
import type { Scenario } from "../scenario.ts";

/** Asserts that the last request of the conversation contains all of these texts. */
function assertRemembered(bench: Bench, ...texts: string[]): void {
  const last = bench.modelRequests().at(-1) ?? "";
  for (const text of texts) assert.ok(last.includes(text), `the model no longer sees ${JSON.stringify(text)}`);
}

const resume: Scenario = {
  name: "resume",
  title: "A released session continues in the same conversation",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] remember the heron");
    const before = (await conversation.view()).handles[bench.target.agent];
    assert.ok(before);
    assert.deepEqual(await bench.client.sessions.close(conversation.id), { released: true });
    await eventually("the end of the agent", () => bench.agents().length === 0);
    await conversation.runTurn("[[text]] which bird?");
    assert.equal((await conversation.view()).handles[bench.target.agent], before);
    assertRemembered(bench, "remember the heron", "which bird?");
  },
};

const conversations: Scenario = {
  name: "conversations",
  title: "The agent lists its stored conversations, and a new session resumes one",
  appliesTo: ({ lists }) => lists === true,
  async run(bench) {
    const { agent } = bench.target;
    const first = await bench.session();
    await first.runTurn("[[text]] remember the heron");
    const { handles, cwd } = await first.view();
    const resume = handles[agent];
    await bench.client.sessions.close(first.id);
    await eventually("the end of the agent", () => bench.agents().length === 0);
    const { conversations: listed } = await bench.client.agents.conversations(agent, cwd);
    const found = listed.find(({ id }) => id === resume);
    assert.ok(found, `${resume} is not among ${JSON.stringify(listed)}`);
    assert.equal(found.cwd, cwd);
    const second = await bench.session({ resume });
    await second.runTurn("[[text]] which bird?");
    assert.equal((await second.view()).handles[agent], resume);
    assertRemembered(bench, "remember the heron", "which bird?");
  },
};

const fork: Scenario = {
  name: "fork",
  title: "A fork continues a copy of the conversation; the original is unchanged",
  async run(bench) {
    const parent = await bench.session();
    await parent.runTurn("[[text]] remember the heron");
    const before = await parent.view();
    const copy = await bench.client.sessions.fork(parent.id);
    assert.equal(copy.parent, parent.id);
    const child = await bench.follow(copy.id);
    await child.runTurn("[[text]] and the egret");
    assertRemembered(bench, "remember the heron", "and the egret");
    const { agent } = bench.target;
    assert.notEqual((await child.view()).handles[agent], before.handles[agent]);
    assert.deepEqual(await parent.view(), before);
    await parent.runTurn("[[text]] which bird?");
    assertRemembered(bench, "remember the heron", "which bird?");
    assert.ok(
      !bench.modelRequests().at(-1)?.includes("egret"),
      "the parent's conversation contains the fork's message",
    );
  },
  /** The fork starts a new conversation with a brief from the log, and the original continues. */
  async checkRefusal(bench) {
    const parent = await bench.session();
    await parent.runTurn("[[text]] remember the heron");
    const child = await bench.follow((await bench.client.sessions.fork(parent.id)).id);
    await child.runTurn("[[text]] and the egret");
    assertRemembered(bench, "remember the heron", "and the egret");
    await parent.runTurn("[[text]] which bird?");
    assertRemembered(bench, "remember the heron", "which bird?");
  },
};

const crash: Scenario = {
  name: "crash",
  title: "The agent is killed during a turn: the turn fails with the reason, the next message resumes",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] remember the heron");
    const before = (await conversation.view()).handles[bench.target.agent];
    await conversation.send("[[slow:400:50]] go");
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    for (const pid of bench.agents()) process.kill(pid, "SIGKILL");
    const end = await conversation.waitForEnd(2);
    assert.equal(end.data.outcome, "failed");
    assert.equal(end.data.error?.category, "crashed");
    assert.equal(end.synthetic, true);
    assert.match(conversation.of("message.done").at(-1)?.data.text ?? "", /^word0 word1 /);
    await conversation.runTurn("[[text]] which bird?");
    assert.equal((await conversation.view()).handles[bench.target.agent], before);
    assertRemembered(bench, "remember the heron", "which bird?");
  },
};

const idle: Scenario = {
  name: "idle-release",
  title: "An idle session releases its process and resumes transparently",
  setting: { config: { idleSeconds: 0.5 } },
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] remember the heron");
    const handle = (await conversation.view()).handles[bench.target.agent];
    await eventually("the release", () => bench.agents().length === 0);
    const seen = conversation.events.length;
    assert.equal((await conversation.view()).state, "idle");
    await conversation.runTurn("[[text]] which bird?");
    assert.equal((await conversation.view()).handles[bench.target.agent], handle);
    assertRemembered(bench, "remember the heron", "which bird?");
    const strange = conversation.events
      .slice(seen)
      .filter(({ type }) => type === "error" || type === "input.requested");
    assert.deepEqual(strange, []);
  },
};

const rebuild: Scenario = {
  name: "rebuild",
  title: "The native conversation is missing: a person is asked, and it is rebuilt from the log",
  appliesTo: ({ forget }) => forget !== undefined,
  async run(bench) {
    const { agent, forget } = bench.target;
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] remember the heron");
    const before = (await conversation.view()).handles[agent];
    await bench.client.sessions.close(conversation.id);
    await eventually("the end of the agent", () => bench.agents().length === 0);
    forget?.(bench.home);
    const requests = bench.modelRequests().length;
    await conversation.send("[[text]] which bird?");
    const input = await conversation.waitForInput();
    assert.equal(input.kind, "question");
    const [question] = input.questions;
    assert.deepEqual(
      question?.options.map(({ label }) => label),
      ["retry", "rebuild", "new"],
    );
    assert.equal((await conversation.view()).state, "waiting");
    assert.equal(bench.modelRequests().length, requests, "a new conversation started before the person chose");
    await conversation.answer(input, { decision: "allow", answers: { [question.id]: "rebuild" } });
    assert.equal((await conversation.waitForEnd(2)).data.outcome, "completed");
    assertRemembered(bench, "remember the heron", "which bird?");
    assert.notEqual((await conversation.view()).handles[agent], before);
    await conversation.runTurn("[[text]] thank you");
    assertRemembered(bench, "remember the heron", "thank you");
    assert.equal(bench.modelRequests().at(-1)?.split("started earlier").length, 2, "the brief was sent more than once");
  },
};

const restart: Scenario = {
  name: "restart",
  title: "The daemon is killed during a turn: the agent keeps working, and the next daemon takes over without a gap",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[slow:120:50]] go" });
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    const before = bench.agents();
    await bench.restart(() => sleep(500));
    assertSame(bench.agents(), before, "the agent did not survive the restart");
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    assert.equal(conversation.of("message.done")[0]?.data.text.trim().split(" ").length, 120);
    await conversation.runTurn("[[text]] continue");
    assertSame(bench.agents(), before, "the agent was restarted");
  },
};

const restartAsking: Scenario = {
  name: "restart-asking",
  title: "The daemon is killed while the agent waits for an answer: the request remains and can be answered",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[write]] please" });
    const input = await conversation.waitForInput();
    await bench.restart(async () => undefined);
    assert.deepEqual(
      (await bench.client.inbox()).map(({ id }) => id),
      [input.id],
    );
    await conversation.answer(input, { decision: "allow" });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    assert.equal(conversation.of("input.requested").length, 1);
  },
};

export const continuityScenarios = [resume, conversations, rebuild, fork, crash, idle, restart, restartAsking];
