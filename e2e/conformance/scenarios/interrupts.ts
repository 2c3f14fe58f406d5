import assert from "node:assert/strict";
import { processesOf } from "../../harness/processes.ts";
import { eventually } from "../../harness/wait.ts";
import type { Scenario } from "../scenario.ts";

const streaming: Scenario = {
  name: "interrupt-streaming",
  title: "Interrupt while the answer streams: the streamed part is stored",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[slow:400:50]] go" });
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    assert.equal((await bench.client.sessions.interrupt(conversation.id)).interrupted, true);
    assert.equal((await conversation.waitForEnd()).data.outcome, "interrupted");
    assert.match(conversation.of("message.done")[0]?.data.text ?? "", /^word0 word1 /);
    assert.equal((await bench.client.sessions.interrupt(conversation.id)).interrupted, false);
    await conversation.runTurn("[[text]] continue");
  },
};

const tool: Scenario = {
  name: "interrupt-tool",
  title: "Interrupt while a tool runs: no process is left running",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[bashslow]] go", mode: "full-auto" });
    await eventually("the command", () => bench.file("started.txt"));
    await conversation.until("the tool in the log", () => conversation.of("tool.started")[0]);
    const findTails = () => processesOf(bench.home).filter(({ command }) => command.includes("tail -f /dev/null"));
    // A persistent shell starts the command a moment after it touched the file.
    if (!bench.target.runsCommandsItself) await eventually("its process", () => findTails().length > 0);
    await bench.client.sessions.interrupt(conversation.id);
    assert.equal((await conversation.waitForEnd()).data.outcome, "interrupted");
    assert.equal(conversation.of("tool.ended")[0]?.data.status, "interrupted");
    await eventually("the end of the command's processes", () => findTails().length === 0);
    await conversation.runTurn("[[text]] continue");
  },
  /** Processes that the agent does not end are killed when the session is closed. */
  async checkRefusal(bench) {
    const conversation = await bench.session({ prompt: "[[bashslow]] go", mode: "full-auto" });
    await eventually("the command", () => bench.file("started.txt"));
    await bench.client.sessions.interrupt(conversation.id);
    assert.equal((await conversation.waitForEnd()).data.outcome, "interrupted");
    assert.equal(conversation.of("tool.ended")[0]?.data.status, "interrupted");
    await conversation.runTurn("[[text]] continue");
    await bench.client.sessions.close(conversation.id);
    const hasTail = () => processesOf(bench.home).some(({ command }) => command.includes("tail -f /dev/null"));
    await eventually("the end of the command's processes", () => !hasTail());
  },
};

const asking: Scenario = {
  name: "interrupt-asking",
  title: "Interrupt while the agent waits for an answer: the request is closed with its reason",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[write]] please" });
    const input = await conversation.waitForInput();
    await bench.client.sessions.interrupt(conversation.id);
    assert.equal((await conversation.waitForEnd()).data.outcome, "interrupted");
    const [closed] = conversation.of("input.resolved");
    assert.equal(closed?.data.decision, "cancel");
    assert.ok(closed.data.reason, "there is no reason");
    assert.deepEqual(await bench.client.inbox(), []);
    await assert.rejects(conversation.answer(input, { decision: "allow" }), { code: "already_answered" });
    assert.equal(bench.file("hello.txt"), undefined);
    await conversation.runTurn("[[text]] continue");
  },
};

const replaced: Scenario = {
  name: "interrupt-send",
  title: "A message can interrupt the turn and start the next one",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[slow:400:50]] go" });
    await conversation.until("the first part of the answer", () => conversation.streamedText("text").includes("word2"));
    const sent = await conversation.send("[[text]] rather this", { delivery: "interrupt" });
    assert.equal(sent.disposition, "interrupting");
    assert.equal((await conversation.waitForEnd(1)).data.outcome, "interrupted");
    assert.equal((await conversation.waitForEnd(2)).data.outcome, "completed");
    assert.deepEqual(conversation.of("turn.started")[1]?.data.messages, [sent.message]);
  },
};

export const interruptScenarios = [streaming, tool, asking, replaced];
