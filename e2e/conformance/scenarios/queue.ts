import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { Bench } from "../../harness/bench.ts";
import type { Scenario } from "../scenario.ts";

const queue: Scenario = {
  name: "queue",
  title: "Queued messages run after the turn, in order",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[slow:30:50]] go" });
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    const first = await conversation.send("[[text]] the second", { delivery: "queue" });
    const second = await conversation.send("[[text]] the third", { delivery: "queue" });
    assert.deepEqual([first.disposition, first.position, second.position], ["queued", 0, 1]);
    await conversation.waitForEnd(3);
    const turns = conversation.of("turn.started").slice(1);
    assert.deepEqual(
      turns.map(({ data }) => [data.trigger, data.messages]),
      [
        ["queue", [first.message]],
        ["queue", [second.message]],
      ],
    );
    assert.equal(conversation.of("message.done")[0]?.data.text.trim().split(" ").length, 30);
    assert.deepEqual(
      conversation.of("turn.ended").map(({ data }) => data.outcome),
      ["completed", "completed", "completed"],
    );
  },
};

const edit: Scenario = {
  name: "queue-edit",
  title: "A queued message can be edited, moved and cancelled",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[slow:60:50]] go" });
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    const [one, two, three] = await Promise.all(
      ["alpha", "beta", "gamma"].map((name) => conversation.send(`[[text]] ${name}`, { delivery: "queue" })),
    );
    assert.ok(one && two && three);
    const { sessions } = bench.client;
    await sessions.editMessage(conversation.id, one.message, { text: "[[text]] delta" });
    await sessions.cancelMessage(conversation.id, two.message);
    const { queue } = await sessions.editMessage(conversation.id, three.message, { position: 0 });
    assert.deepEqual(
      queue.map(({ text }) => text),
      ["[[text]] gamma", "[[text]] delta"],
    );
    await conversation.waitForEnd(3);
    const asked = bench.modelRequests().join("\n");
    assert.ok(!asked.includes("alpha") && !asked.includes("beta"), "the model saw a text that was edited or cancelled");
    assert.ok(asked.includes("gamma") && asked.includes("delta"));
    await assert.rejects(sessions.cancelMessage(conversation.id, one.message), { code: "already_sent" });
  },
};

const steer: Scenario = {
  name: "steer",
  title: "A message steers the running turn; the log records its delivery",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[slow:40:50]] go" });
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    const sent = await conversation.send("[[text]] and mind this", { delivery: "steer" });
    assert.equal(sent.disposition, "steered");
    const settled = await conversation.until("the delivery of the message", () =>
      conversation.of("message.delivery").find(({ data }) => data.message === sent.message && data.state !== "sent"),
    );
    assert.match(settled.data.state, /^(inline|delivered)$/);
    await conversation.until("the end", () => {
      const open = conversation.of("turn.started").length - conversation.of("turn.ended").length;
      return open === 0 && conversation.of("message.done").some(({ data }) => data.text.startsWith("Hello from"));
    });
    const turn = conversation.of("turn.started").find(({ data }) => data.messages.includes(sent.message));
    if (settled.data.state === "inline")
      assert.equal(turn, undefined, "it was delivered inline and as a separate turn");
    assert.ok(
      bench.modelRequests().some((body) => body.includes("and mind this")),
      "the model never saw it",
    );
    assert.deepEqual(new Set(conversation.of("turn.ended").map(({ data }) => data.outcome)), new Set(["completed"]));
  },
  /** The message is reported as queued and becomes the next turn. */
  async checkRefusal(bench) {
    const conversation = await bench.session({ prompt: "[[slow:40:50]] go" });
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    const sent = await conversation.send("[[text]] and mind this", { delivery: "steer" });
    assert.equal(sent.disposition, "queued");
    assert.equal((await conversation.waitForEnd(2)).data.outcome, "completed");
    assert.deepEqual(conversation.of("turn.started")[1]?.data.messages, [sent.message]);
    assert.ok(
      bench.modelRequests().some((body) => body.includes("and mind this")),
      "the model never saw it",
    );
  },
};

const stopped: Scenario = {
  name: "stop-holds-queue",
  title: "Stop with two queued messages and one pending steer: nothing runs until resumed, also after kill -9",
  async run(bench) {
    const { sessions } = bench.client;
    const conversation = await bench.session({ prompt: "[[slow:600:50]] go" });
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    const queued = ["second", "third"].map((name) => conversation.send(`[[text]] ${name}`, { delivery: "queue" }));
    const [first, second] = await Promise.all(queued);
    const steer = await conversation.send("[[slow:600:50]] mind this", { delivery: "steer" });
    assert.ok(first && second);
    const before = conversation.of("turn.started").length;
    const stop = await sessions.interrupt(conversation.id);
    assert.deepEqual([stop.interrupted, stop.paused, stop.cancelled], [true, true, []]);
    assert.equal((await conversation.waitForEnd(before)).data.outcome, "interrupted");
    await bench.restart(async () => undefined);
    await setTimeout(3000);
    const paused = await conversation.view();
    assert.deepEqual([paused.turn, paused.queueState], [undefined, "paused"]);
    const held = paused.queue.map(({ message }) => message);
    const queuedOnly = held.filter((message) => message !== steer.message);
    assert.deepEqual(new Set(queuedOnly), new Set([first.message, second.message]));
    const read = conversation
      .of("message.delivery")
      .some(({ data }) => data.message === steer.message && data.state === "inline");
    assert.equal(held.includes(steer.message), !read, "the steer is held, unless the model had read it");
    const isStarted = (message: string) =>
      conversation.of("turn.started").some(({ data }) => data.messages.includes(message));
    for (const message of held) assert.ok(!isStarted(message), "a held message started a turn");
    if (!read) await sessions.cancelMessage(conversation.id, steer.message);
    await bench.client.sessions.setQueue(conversation.id, "running");
    await conversation.until("both queued messages", () => isStarted(first.message) && isStarted(second.message));
    await conversation.until(
      "the end",
      () => conversation.of("turn.started").length === conversation.of("turn.ended").length,
    );
    assert.equal((await conversation.view()).queueState, "running");
  },
};

/** Sends a message into a running turn that does not read it before it has ended. */
async function steerSlowTurn(bench: Bench) {
  const conversation = await bench.session({ prompt: "[[slow:120:50]] go" });
  await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
  const sent = await conversation.send("[[text]] never mind this", { delivery: "steer" });
  assert.equal(sent.disposition, "steered");
  return { conversation, sent };
}

const takenBack: Scenario = {
  name: "take-back",
  title: "A message that was sent into the running turn is taken back before the model reads it",
  appliesTo: ({ givesBack, cannot }) => givesBack === true || cannot["take-back"] !== undefined,
  async run(bench) {
    const { conversation, sent } = await steerSlowTurn(bench);
    await bench.client.sessions.cancelMessage(conversation.id, sent.message);
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    await conversation.runTurn("[[text]] and now");
    const states = conversation.of("message.delivery").filter(({ data }) => data.message === sent.message);
    assert.equal(states.at(-1)?.data.state, "cancelled");
    assert.ok(!bench.modelRequests().some((body) => body.includes("never mind this")), "the model saw it");
    await assert.rejects(bench.client.sessions.cancelMessage(conversation.id, sent.message));
  },
  /** The refusal is immediate, and the message reaches the model. */
  async checkRefusal(bench) {
    const { conversation, sent } = await steerSlowTurn(bench);
    await assert.rejects(bench.client.sessions.cancelMessage(conversation.id, sent.message), { code: "already_read" });
    await conversation.until("the answer to the message, and the end", () => {
      const open = conversation.of("turn.started").length - conversation.of("turn.ended").length;
      return open === 0 && conversation.of("message.done").some(({ data }) => data.text.startsWith("Hello from"));
    });
    assert.ok(bench.modelRequests().some((body) => body.includes("never mind this")));
  },
};

const idempotent: Scenario = {
  name: "send-twice",
  title: "The same message id sent twice is one message",
  async run(bench) {
    const conversation = await bench.session();
    const body = { id: "msg_conformance1", text: "[[text]] once only" };
    const [first, again] = await Promise.all([
      bench.client.sessions.send(conversation.id, body),
      bench.client.sessions.send(conversation.id, body),
    ]);
    assert.deepEqual(again, first);
    await conversation.waitForEnd();
    assert.equal(conversation.of("message.user").length, 1);
    assert.equal(conversation.of("turn.started").length, 1);
  },
};

export const queueScenarios = [queue, edit, steer, stopped, takenBack, idempotent];
