import assert from "node:assert/strict";
import { eventually } from "../../harness/wait.ts";
import type { Scenario } from "../scenario.ts";

const refused: Scenario = {
  name: "refused-connection",
  title: "Nobody answers at the provider's address: it ends as `network`, by the deadline if not before",
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
    const talk = await bench.session({ prompt: "[[text]] go" });
    const end = await talk.ended();
    assert.equal(end.data.outcome, "failed");
    assert.equal(end.data.error?.category, "network", `told as ${JSON.stringify(end.data.error)}`);
    if (bench.target.givesUp) return;
    assert.equal(end.data.reason, "deadline: retry");
    const retries = talk.frames.filter((frame) => "live" in frame && frame.live.type === "retry");
    assert.ok(retries.length > 0, "no retry was shown");
    await eventually("the end of the agent", () => bench.agents().length === 0);
  },
  /** It ends all the same, by the deadline if the agent says nothing. */
  async refused(bench) {
    const talk = await bench.session({ prompt: "[[text]] go" });
    const end = await talk.ended();
    assert.equal(end.data.outcome, "failed");
    assert.ok(end.data.error?.remedy && end.data.error.message);
  },
};

const hang: Scenario = {
  name: "hang",
  title: "A provider that never answers ends the turn as `timeout`",
  setting: { config: { deadlines: { firstOutputSeconds: 10 } } },
  async run(bench) {
    const talk = await bench.session({ prompt: "[[hang]] go" });
    const end = await talk.ended();
    assert.equal(end.data.outcome, "failed");
    assert.equal(end.data.error?.category, "timeout");
    assert.equal(end.data.reason, "deadline: firstOutput");
    await talk.completes("[[text]] again");
  },
  /** The conversation is lost with its process: a person says how it goes on. */
  async refused(bench) {
    const talk = await bench.session({ prompt: "[[hang]] go" });
    assert.equal((await talk.ended()).data.error?.category, "timeout");
    await talk.send("[[text]] again");
    const input = await talk.asked();
    const [question] = input.questions;
    assert.ok(question, "nobody was asked how to go on");
    await talk.answer(input, { decision: "allow", answers: { [question.id]: "rebuild" } });
    assert.equal((await talk.ended(2)).data.outcome, "completed");
  },
};

const silence: Scenario = {
  name: "silence",
  title: "A provider that falls silent in mid-answer is shown as stalled, and can be interrupted",
  setting: { config: { deadlines: { silenceSeconds: 2 } } },
  async run(bench) {
    const talk = await bench.session({ prompt: "[[hangmid]] go" });
    await talk.until("the stall", () => talk.of("health.stalled")[0]);
    assert.ok((await talk.view()).stalled);
    await bench.client.sessions.interrupt(talk.id);
    assert.equal((await talk.ended()).data.outcome, "interrupted");
    assert.equal((await talk.view()).stalled, undefined);
    await talk.completes("[[text]] again");
  },
};

export const deadlineScenarios = [refused, hang, silence];
