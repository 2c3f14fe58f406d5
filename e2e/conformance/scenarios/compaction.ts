import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const compaction: Scenario = {
  name: "compaction",
  title: "The agent compacts its conversation; the session goes on",
  setting: {
    agentConfig: {
      codex: { file: ".codex/config.toml", lines: "model_auto_compact_token_limit = 1000" },
      droid: { file: ".factory/settings.json", settings: { compactionTokenLimit: 1000 } },
      pi: { file: ".pi/agent/settings.json", settings: { compaction: { keepRecentTokens: 1 } } },
      gantry: { file: "gantry-agent/config.yml", settings: { compaction: { keepRecentTokens: 1 } } },
      omp: { file: ".omp/agent/config.yml", settings: { compaction: { keepRecentTokens: 1 } } },
    },
  },
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] remember the heron");
    await talk.completes("[[text]] remember the egret");
    if (bench.target.compactPrompt) await talk.completes(bench.target.compactPrompt);
    await talk.completes("[[text]] and now?");
    assert.ok(talk.of("context.compacted").length > 0, "no compaction was told");
  },
};

export const compactionScenarios = [compaction];
