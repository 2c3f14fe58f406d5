import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const COUNT = 6;

const many: Scenario = {
  name: "six-at-once",
  title: "Six sessions at once, each with its own work",
  async run(bench) {
    // Codex sets up a database at its very first start in a home, and several that do so at once fail each other.
    await (await bench.session()).completes("[[text]] settle in");
    const talks = await Promise.all(Array.from({ length: COUNT }, () => bench.session({ mode: "full-auto" })));
    await Promise.all(talks.map((talk, index) => talk.completes(`[[slow:20:20]] number ${index}`)));
    await Promise.all(talks.map((talk) => talk.completes("[[text]] and again")));
    for (const talk of talks) {
      assert.equal(talk.of("message.user").length, 2);
      assert.equal(talk.of("message.done")[0]?.data.text.trim().split(" ").length, 20);
    }
    const handles = await Promise.all(talks.map(async (talk) => (await talk.view()).handles[bench.target.agent]));
    assert.equal(new Set(handles).size, COUNT);
  },
};

export const scaleScenarios = [many];
