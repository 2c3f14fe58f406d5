import type { Target } from "../target.ts";

const qwen: Omit<Target, "version" | "name"> = {
  agent: "qwen",
  keyVariables: ["OPENAI_API_KEY"],
  otherModel: "scripted-other",
  questionMode: "ask",
  outputLimit: 120_000,
  compactPrompt: "/compress",
  awaitsSubagents: true,
  cannot: {},
};

export const qwenTargets: readonly Target[] = [{ ...qwen, version: "0.24.4", name: "Qwen Code 0.24.4" }];
