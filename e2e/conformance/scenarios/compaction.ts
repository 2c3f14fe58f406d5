import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const compaction: Scenario = {
  name: "compaction",
  title: "The agent compacts its conversation; the session continues",
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
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] remember the heron");
    await conversation.runTurn("[[text]] remember the egret");
    if (bench.target.compactPrompt) await conversation.runTurn(bench.target.compactPrompt);
    await conversation.runTurn("[[text]] and now?");
    assert.ok(conversation.of("context.compacted").length > 0, "no compaction was reported");
  },
};

export const compactionScenarios = [compaction];
