import assert from "node:assert/strict";
import { processesOf } from "../../harness/processes.ts";
import { eventually } from "../../harness/wait.ts";
import type { Scenario } from "../scenario.ts";

const streaming: Scenario = {
  name: "interrupt-streaming",
  title: "Interrupt while the answer streams: what was said is kept",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[slow:400:50]] go" });
    await talk.until("some words", () => talk.streamed("text").includes("word2"));
    assert.equal((await bench.client.sessions.interrupt(talk.id)).interrupted, true);
    assert.equal((await talk.ended()).data.outcome, "interrupted");
    assert.match(talk.of("message.done")[0]?.data.text ?? "", /^word0 word1 /);
    assert.equal((await bench.client.sessions.interrupt(talk.id)).interrupted, false);
    await talk.completes("[[text]] go on");
  },
};

const tool: Scenario = {
  name: "interrupt-tool",
  title: "Interrupt while a tool runs: no process is left behind",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[bashslow]] go", mode: "full-auto" });
    await eventually("the command", () => bench.file("started.txt"));
    await talk.until("the tool in the log", () => talk.of("tool.started")[0]);
    const running = () => processesOf(bench.home).filter(({ command }) => command.includes("tail -f /dev/null"));
    // A shell that lasts starts the command a moment after it touched the file.
    if (!bench.target.runsCommandsItself) await eventually("its process", () => running().length > 0);
    await bench.client.sessions.interrupt(talk.id);
    assert.equal((await talk.ended()).data.outcome, "interrupted");
    assert.equal(talk.of("tool.ended")[0]?.data.status, "interrupted");
    await eventually("the end of the command's processes", () => running().length === 0);
    await talk.completes("[[text]] go on");
  },
  /** What the agent forgets ends with it, at the latest when the session is closed. */
  async refused(bench) {
    const talk = await bench.session({ prompt: "[[bashslow]] go", mode: "full-auto" });
    await eventually("the command", () => bench.file("started.txt"));
    await bench.client.sessions.interrupt(talk.id);
    assert.equal((await talk.ended()).data.outcome, "interrupted");
    assert.equal(talk.of("tool.ended")[0]?.data.status, "interrupted");
    await talk.completes("[[text]] go on");
    await bench.client.sessions.close(talk.id);
    const running = () => processesOf(bench.home).some(({ command }) => command.includes("tail -f /dev/null"));
    await eventually("the end of the command's processes", () => !running());
  },
};

const asking: Scenario = {
  name: "interrupt-asking",
  title: "Interrupt while the agent waits for an answer: the request is closed with its reason",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[write]] please" });
    const input = await talk.asked();
    await bench.client.sessions.interrupt(talk.id);
    assert.equal((await talk.ended()).data.outcome, "interrupted");
    const [closed] = talk.of("input.resolved");
    assert.equal(closed?.data.decision, "cancel");
    assert.ok(closed.data.reason, "no reason is told");
    assert.deepEqual(await bench.client.inbox(), []);
    await assert.rejects(talk.answer(input, { decision: "allow" }), { code: "already_answered" });
    assert.equal(bench.file("hello.txt"), undefined);
    await talk.completes("[[text]] go on");
  },
};

const replaced: Scenario = {
  name: "interrupt-send",
  title: "A message may interrupt the turn and take its place",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[slow:400:50]] go" });
    await talk.until("some words", () => talk.streamed("text").includes("word2"));
    const sent = await talk.send("[[text]] rather this", { delivery: "interrupt" });
    assert.equal(sent.disposition, "interrupting");
    assert.equal((await talk.ended(1)).data.outcome, "interrupted");
    assert.equal((await talk.ended(2)).data.outcome, "completed");
    assert.deepEqual(talk.of("turn.started")[1]?.data.messages, [sent.message]);
  },
};

export const interruptScenarios = [streaming, tool, asking, replaced];
