import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../../harness/bench.ts";
import { assertSame } from "../../harness/processes.ts";
import { eventually } from "../../harness/wait.ts";
import type { Scenario } from "../scenario.ts";

/** The last request of the conversation must hold all of these. */
function remembers(bench: Bench, ...words: string[]): void {
  const last = bench.asked().at(-1) ?? "";
  for (const word of words) assert.ok(last.includes(word), `the model no longer sees ${JSON.stringify(word)}`);
}

const resume: Scenario = {
  name: "resume",
  title: "A released session goes on in the same conversation",
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] remember the heron");
    const before = (await talk.view()).handles[bench.target.agent];
    assert.ok(before);
    assert.deepEqual(await bench.client.sessions.close(talk.id), { released: true });
    await eventually("the end of the agent", () => bench.agents().length === 0);
    await talk.completes("[[text]] which bird?");
    assert.equal((await talk.view()).handles[bench.target.agent], before);
    remembers(bench, "remember the heron", "which bird?");
  },
};

const conversations: Scenario = {
  name: "conversations",
  title: "The agent lists the conversations that it keeps, and a new session goes on with one of them",
  appliesTo: ({ lists }) => lists === true,
  async run(bench) {
    const { agent } = bench.target;
    const first = await bench.session();
    await first.completes("[[text]] remember the heron");
    const { handles, cwd } = await first.view();
    const resume = handles[agent];
    await bench.client.sessions.close(first.id);
    await eventually("the end of the agent", () => bench.agents().length === 0);
    const { conversations: listed } = await bench.client.agents.conversations(agent, cwd);
    const found = listed.find(({ id }) => id === resume);
    assert.ok(found, `${resume} is not among ${JSON.stringify(listed)}`);
    assert.equal(found.cwd, cwd);
    const second = await bench.session({ resume });
    await second.completes("[[text]] which bird?");
    assert.equal((await second.view()).handles[agent], resume);
    remembers(bench, "remember the heron", "which bird?");
  },
};

const fork: Scenario = {
  name: "fork",
  title: "A fork goes on from the conversation; the original is untouched",
  async run(bench) {
    const parent = await bench.session();
    await parent.completes("[[text]] remember the heron");
    const before = await parent.view();
    const copy = await bench.client.sessions.fork(parent.id);
    assert.equal(copy.parent, parent.id);
    const child = await bench.follow(copy.id);
    await child.completes("[[text]] and the egret");
    remembers(bench, "remember the heron", "and the egret");
    const { agent } = bench.target;
    assert.notEqual((await child.view()).handles[agent], before.handles[agent]);
    assert.deepEqual(await parent.view(), before);
    await parent.completes("[[text]] which bird?");
    remembers(bench, "remember the heron", "which bird?");
    assert.ok(!bench.asked().at(-1)?.includes("egret"), "the fork's words are in the parent's conversation");
  },
  /** It is said that the agent cannot fork, and the original goes on. */
  async refused(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] remember the heron");
    await assert.rejects(bench.client.sessions.fork(talk.id), /cannot fork/);
    await talk.completes("[[text]] which bird?");
    remembers(bench, "remember the heron", "which bird?");
  },
};

const crash: Scenario = {
  name: "crash",
  title: "The agent is killed in mid-turn: the turn fails with its reason, the next message resumes",
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] remember the heron");
    const before = (await talk.view()).handles[bench.target.agent];
    await talk.send("[[slow:400:50]] go");
    await talk.until("some words", () => talk.streamed("text").includes("word2"));
    for (const pid of bench.agents()) process.kill(pid, "SIGKILL");
    const end = await talk.ended(2);
    assert.equal(end.data.outcome, "failed");
    assert.equal(end.data.error?.category, "crashed");
    assert.equal(end.synthetic, true);
    assert.match(talk.of("message.done").at(-1)?.data.text ?? "", /^word0 word1 /);
    await talk.completes("[[text]] which bird?");
    assert.equal((await talk.view()).handles[bench.target.agent], before);
    remembers(bench, "remember the heron", "which bird?");
  },
};

const idle: Scenario = {
  name: "idle-release",
  title: "An idle session gives its process back and returns unseen",
  setting: { config: { idleSeconds: 0.5 } },
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] remember the heron");
    const handle = (await talk.view()).handles[bench.target.agent];
    await eventually("the release", () => bench.agents().length === 0);
    const seen = talk.events.length;
    assert.equal((await talk.view()).state, "idle");
    await talk.completes("[[text]] which bird?");
    assert.equal((await talk.view()).handles[bench.target.agent], handle);
    remembers(bench, "remember the heron", "which bird?");
    const strange = talk.events.slice(seen).filter(({ type }) => type === "error" || type === "input.requested");
    assert.deepEqual(strange, []);
  },
};

const rebuild: Scenario = {
  name: "rebuild",
  title: "The native conversation is gone: a person is asked, and it is rebuilt from the log",
  appliesTo: ({ forget }) => forget !== undefined,
  async run(bench) {
    const { agent, forget } = bench.target;
    const talk = await bench.session();
    await talk.completes("[[text]] remember the heron");
    const before = (await talk.view()).handles[agent];
    await bench.client.sessions.close(talk.id);
    await eventually("the end of the agent", () => bench.agents().length === 0);
    forget?.(bench.home);
    const heard = bench.asked().length;
    await talk.send("[[text]] which bird?");
    const input = await talk.asked();
    assert.equal(input.kind, "question");
    const [question] = input.questions;
    assert.deepEqual(
      question?.options.map(({ label }) => label),
      ["retry", "rebuild", "new"],
    );
    assert.equal((await talk.view()).state, "waiting");
    assert.equal(bench.asked().length, heard, "a new conversation was begun before the person had chosen");
    await talk.answer(input, { decision: "allow", answers: { [question.id]: "rebuild" } });
    assert.equal((await talk.ended(2)).data.outcome, "completed");
    remembers(bench, "remember the heron", "which bird?");
    assert.notEqual((await talk.view()).handles[agent], before);
    await talk.completes("[[text]] thank you");
    remembers(bench, "remember the heron", "thank you");
    assert.equal(bench.asked().at(-1)?.split("begun earlier").length, 2, "the brief was told more than once");
  },
};

const restart: Scenario = {
  name: "restart",
  title: "The daemon is killed in mid-turn: the agent works on, the next daemon takes over without a gap",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[slow:120:50]] go" });
    await talk.until("some words", () => talk.streamed("text").includes("word2"));
    const before = bench.agents();
    await bench.restart(() => sleep(500));
    assertSame(bench.agents(), before, "the agent did not live through it");
    assert.equal((await talk.ended()).data.outcome, "completed");
    assert.equal(talk.of("message.done")[0]?.data.text.trim().split(" ").length, 120);
    await talk.completes("[[text]] go on");
    assertSame(bench.agents(), before, "the agent was started anew");
  },
};

const restartAsking: Scenario = {
  name: "restart-asking",
  title: "The daemon is killed while the agent waits for an answer: the request is still there and can be answered",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[write]] please" });
    const input = await talk.asked();
    await bench.restart(async () => undefined);
    assert.deepEqual(
      (await bench.client.inbox()).map(({ id }) => id),
      [input.id],
    );
    await talk.answer(input, { decision: "allow" });
    assert.equal((await talk.ended()).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    assert.equal(talk.of("input.requested").length, 1);
  },
};

export const continuityScenarios = [resume, conversations, rebuild, fork, crash, idle, restart, restartAsking];
