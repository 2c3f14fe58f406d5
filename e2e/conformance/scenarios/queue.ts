import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const queue: Scenario = {
  name: "queue",
  title: "Queued messages run after the turn, in their order",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[slow:30:50]] go" });
    await talk.until("some words", () => talk.streamed("text").includes("word2"));
    const first = await talk.send("[[text]] the second", { delivery: "queue" });
    const second = await talk.send("[[text]] the third", { delivery: "queue" });
    assert.deepEqual([first.disposition, first.position, second.position], ["queued", 0, 1]);
    await talk.ended(3);
    const turns = talk.of("turn.started").slice(1);
    assert.deepEqual(
      turns.map(({ data }) => [data.trigger, data.messages]),
      [
        ["queue", [first.message]],
        ["queue", [second.message]],
      ],
    );
    assert.equal(talk.of("message.done")[0]?.data.text.trim().split(" ").length, 30);
    assert.deepEqual(
      talk.of("turn.ended").map(({ data }) => data.outcome),
      ["completed", "completed", "completed"],
    );
  },
};

const edit: Scenario = {
  name: "queue-edit",
  title: "A queued message can be edited, moved and cancelled",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[slow:60:50]] go" });
    await talk.until("some words", () => talk.streamed("text").includes("word2"));
    const [one, two, three] = await Promise.all(
      ["alpha", "beta", "gamma"].map((name) => talk.send(`[[text]] ${name}`, { delivery: "queue" })),
    );
    assert.ok(one && two && three);
    const { sessions } = bench.client;
    await sessions.editMessage(talk.id, one.message, { text: "[[text]] delta" });
    await sessions.cancelMessage(talk.id, two.message);
    const { queue } = await sessions.editMessage(talk.id, three.message, { position: 0 });
    assert.deepEqual(
      queue.map(({ text }) => text),
      ["[[text]] gamma", "[[text]] delta"],
    );
    await talk.ended(3);
    const asked = bench.asked().join("\n");
    assert.ok(!asked.includes("alpha") && !asked.includes("beta"), "the model saw what was edited away");
    assert.ok(asked.includes("gamma") && asked.includes("delta"));
    await assert.rejects(sessions.cancelMessage(talk.id, one.message), { code: "already_sent" });
  },
};

const steer: Scenario = {
  name: "steer",
  title: "A message goes into the running turn; the log says what became of it",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[slow:40:50]] go" });
    await talk.until("some words", () => talk.streamed("text").includes("word2"));
    const sent = await talk.send("[[text]] and mind this", { delivery: "steer" });
    assert.equal(sent.disposition, "steered");
    const settled = await talk.until("the fate of the message", () =>
      talk.of("message.delivery").find(({ data }) => data.message === sent.message && data.state !== "sent"),
    );
    assert.match(settled.data.state, /^(inline|delivered)$/);
    await talk.until("the end", () => {
      const open = talk.of("turn.started").length - talk.of("turn.ended").length;
      return open === 0 && talk.of("message.done").some(({ data }) => data.text.startsWith("Hello from"));
    });
    const turn = talk.of("turn.started").find(({ data }) => data.messages.includes(sent.message));
    if (settled.data.state === "inline") assert.equal(turn, undefined, "it is told as inline and as a turn of its own");
    assert.ok(
      bench.asked().some((body) => body.includes("and mind this")),
      "the model never saw it",
    );
    assert.deepEqual(new Set(talk.of("turn.ended").map(({ data }) => data.outcome)), new Set(["completed"]));
  },
  /** It is said that the message waits, and it becomes the next turn. */
  async refused(bench) {
    const talk = await bench.session({ prompt: "[[slow:40:50]] go" });
    await talk.until("some words", () => talk.streamed("text").includes("word2"));
    const sent = await talk.send("[[text]] and mind this", { delivery: "steer" });
    assert.equal(sent.disposition, "queued");
    assert.equal((await talk.ended(2)).data.outcome, "completed");
    assert.deepEqual(talk.of("turn.started")[1]?.data.messages, [sent.message]);
    assert.ok(
      bench.asked().some((body) => body.includes("and mind this")),
      "the model never saw it",
    );
  },
};

const idempotent: Scenario = {
  name: "send-twice",
  title: "The same message id sent twice is one message",
  async run(bench) {
    const talk = await bench.session();
    const body = { id: "msg_conformance1", text: "[[text]] once only" };
    const [first, again] = await Promise.all([
      bench.client.sessions.send(talk.id, body),
      bench.client.sessions.send(talk.id, body),
    ]);
    assert.deepEqual(again, first);
    await talk.ended();
    assert.equal(talk.of("message.user").length, 1);
    assert.equal(talk.of("turn.started").length, 1);
  },
};

export const queueScenarios = [queue, edit, steer, idempotent];
