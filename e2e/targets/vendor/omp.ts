import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const omp: Omit<Target, "version" | "name"> = {
  agent: "omp",
  keyVariables: ["SCRIPTED_API_KEY"],
  // The name of a variable that is not set would pass as the key itself.
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
  // It takes three seconds of a whole core to start.
  extraPatienceMs: 60_000,
  runsCommandsItself: true,
  // It does not say what the summary took.
  unbilled: ["compaction"],
  cannot: {
    question: "oh-my-pi gives its model the tool to ask its user only in its own interface and over ACP.",
    retry: "oh-my-pi tries a failed request again below its own loop, without a word.",
    "refused-connection":
      "oh-my-pi tries a refused connection again without a word, so that the deadline for its first output ends it.",
    "mcp-server": "oh-my-pi takes servers from its host over ACP alone, and not in its RPC mode.",
  },
  // Its plans are answers like any other: a person goes on by changing the mode.
  leavesOut: ["plan-approval"],
};

export const ompTargets: readonly Target[] = [{ ...omp, version: "18.2.3", name: "oh-my-pi 18.2.3" }];
