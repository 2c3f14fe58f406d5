import type { Target } from "../target.ts";

const pi: Omit<Target, "version" | "name"> = {
  agent: "pi",
  keyVariables: ["SCRIPTED_API_KEY"],
  otherModel: "scripted/scripted-mini",
  otherModelServed: "scripted-mini",
  questionMode: "ask",
  outputLimit: 40_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  cannot: {},
};

export const piTargets: readonly Target[] = [{ ...pi, version: "0.87.1", name: "Pi 0.87.1" }];
