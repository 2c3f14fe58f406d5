import assert from "node:assert/strict";
import { eventually } from "../../harness/wait.ts";
import type { Scenario } from "../scenario.ts";

const refused: Scenario = {
  name: "refused-connection",
  title: "The provider refuses connections: the turn fails as `network`, at the deadline at the latest",
  setting: {
    modelDown: true,
    config: { deadlines: { retrySeconds: 3, firstOutputSeconds: 25 } },
    env: { CLAUDE_CODE_MAX_RETRIES: "10" },
    agentConfig: {
      gemini: { file: ".gemini/settings.json", settings: { general: { enableAutoUpdate: false, maxAttempts: 10 } } },
      pi: { file: ".pi/agent/settings.json", settings: { retry: { maxRetries: 10, baseDelayMs: 500 } } },
      omp: { file: ".omp/agent/config.yml", settings: { retry: { maxRetries: 10, baseDelayMs: 500 } } },
      gantry: { file: "gantry-agent/config.yml", settings: { retry: { maxRetries: 10, baseDelayMs: 500 } } },
    },
  },
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[text]] go" });
    const end = await conversation.waitForEnd();
    assert.equal(end.data.outcome, "failed");
    assert.equal(end.data.error?.category, "network", `reported as ${JSON.stringify(end.data.error)}`);
    if (bench.target.givesUp) return;
    assert.equal(end.data.reason, "deadline: retry");
    const retries = conversation.frames.filter((frame) => "live" in frame && frame.live.type === "retry");
    assert.ok(retries.length > 0, "no retry was shown");
    await eventually("the end of the agent", () => bench.agents().length === 0);
  },
  /** The turn still fails, at the deadline if the agent reports nothing. */
  async checkRefusal(bench) {
    const conversation = await bench.session({ prompt: "[[text]] go" });
    const end = await conversation.waitForEnd();
    assert.equal(end.data.outcome, "failed");
    assert.ok(end.data.error?.remedy && end.data.error.message);
  },
};

const hang: Scenario = {
  name: "hang",
  title: "The provider never answers: the turn fails as `timeout`",
  setting: { config: { deadlines: { firstOutputSeconds: 10 } } },
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[hang]] go" });
    const end = await conversation.waitForEnd();
    assert.equal(end.data.outcome, "failed");
    assert.equal(end.data.error?.category, "timeout");
    assert.equal(end.data.reason, "deadline: firstOutput");
    await conversation.runTurn("[[text]] again");
  },
  /** The conversation is lost with its process: a person chooses how to continue. */
  async checkRefusal(bench) {
    const conversation = await bench.session({ prompt: "[[hang]] go" });
    assert.equal((await conversation.waitForEnd()).data.error?.category, "timeout");
    await conversation.send("[[text]] again");
    const input = await conversation.waitForInput();
    const [question] = input.questions;
    assert.ok(question, "no person was asked how to continue");
    await conversation.answer(input, { decision: "allow", answers: { [question.id]: "rebuild" } });
    assert.equal((await conversation.waitForEnd(2)).data.outcome, "completed");
  },
};

const silence: Scenario = {
  name: "silence",
  title: "The provider stops during an answer: the turn is shown as stalled and can be interrupted",
  setting: { config: { deadlines: { silenceSeconds: 2 } } },
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[hangmid]] go" });
    await conversation.until("the stall", () => conversation.of("health.stalled")[0]);
    assert.ok((await conversation.view()).stalled);
    await bench.client.sessions.interrupt(conversation.id);
    assert.equal((await conversation.waitForEnd()).data.outcome, "interrupted");
    assert.equal((await conversation.view()).stalled, undefined);
    await conversation.runTurn("[[text]] again");
  },
};

export const deadlineScenarios = [refused, hang, silence];
