import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const COUNT = 6;

const many: Scenario = {
  name: "six-at-once",
  title: "Six sessions at once, each with its own work",
  async run(bench) {
    // Codex creates a database at its first start in a home; several concurrent first starts fail.
    await (await bench.session()).runTurn("[[text]] settle in");
    const talks = await Promise.all(Array.from({ length: COUNT }, () => bench.session({ mode: "full-auto" })));
    await Promise.all(talks.map((conversation, index) => conversation.runTurn(`[[slow:20:20]] number ${index}`)));
    await Promise.all(talks.map((conversation) => conversation.runTurn("[[text]] and again")));
    for (const conversation of talks) {
      assert.equal(conversation.of("message.user").length, 2);
      assert.equal(conversation.of("message.done")[0]?.data.text.trim().split(" ").length, 20);
    }
    const handles = await Promise.all(
      talks.map(async (conversation) => (await conversation.view()).handles[bench.target.agent]),
    );
    assert.equal(new Set(handles).size, COUNT);
  },
};

export const scaleScenarios = [many];
