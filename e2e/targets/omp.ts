import type { Target } from "../target.ts";

const omp: Omit<Target, "version" | "name"> = {
  agent: "omp",
  keyVariables: ["SCRIPTED_API_KEY"],
  otherModel: "scripted/scripted-mini",
  otherModelServed: "scripted-mini",
  questionMode: "ask",
  outputLimit: 40_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  cannot: {},
};

export const ompTargets: readonly Target[] = [{ ...omp, version: "18.2.3", name: "oh-my-pi 18.2.3" }];
