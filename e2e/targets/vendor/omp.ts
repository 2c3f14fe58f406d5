import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, userSettings } from "../own-config.ts";
import type { Target } from "../target.ts";

const omp: Omit<Target, "version" | "name"> = {
  agent: "omp",
  keyVariables: ["SCRIPTED_API_KEY"],
  // The name of an unset variable would be used as the key itself.
  withoutKey: (home) => {
    const file = join(home, ".omp", "agent", "models.yml");
    writeFileSync(file, readFileSync(file, "utf8").replace(/"apiKey": "[^"]*",/, ""));
  },
  otherModel: "scripted/scripted-mini",
  otherModelServed: "scripted-mini",
  questionMode: "ask",
  mainChannel: "rpc",
  outputLimit: 40_000,
  compactPrompt: "/compact",
  awaitsSubagents: false,
  forget: (home) => rmSync(join(home, ".omp", "agent", "sessions"), { recursive: true }),
  // Its start takes three seconds of CPU time.
  extraPatienceMs: 60_000,
  runsCommandsItself: true,
  // It does not report the tokens of the summary.
  unbilled: ["compaction"],
  configure: {
    permissive: userSettings(".omp/agent/config.yml", { tools: { approvalMode: "yolo" } }),
    project: projectSettings(".omp/config.yml", { tools: { approvalMode: "yolo" } }),
    restrictive: userSettings(".omp/agent/config.yml", { tools: { approvalMode: "always-ask" } }),
  },
  projectCode: "refused",
  cannot: {
    "take-back": "oh-my-pi cannot give back a message that was sent into a running turn.",
    "task-command": "oh-my-pi ends a turn only when its background jobs have ended.",
    question: "oh-my-pi gives its model the question tool only in its terminal interface and over ACP.",
    retry: "oh-my-pi retries a failed request below its agent loop, without reporting it.",
    "refused-connection":
      "oh-my-pi retries a refused connection without reporting it; the first-output deadline ends the turn.",
    "mcp-server": "oh-my-pi accepts MCP servers from its host only over ACP, not in its RPC mode.",
  },
  // Its plans are ordinary answers: a person continues by changing the mode.
  leavesOut: ["plan-approval"],
};

export const ompTargets: readonly Target[] = [{ ...omp, version: "18.2.3", name: "oh-my-pi 18.2.3" }];
