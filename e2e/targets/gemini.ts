import type { Target } from "../target.ts";

const gemini: Omit<Target, "version" | "name"> = {
  agent: "gemini",
  keyVariables: ["GEMINI_API_KEY"],
  otherModel: "gemini-2.5-flash",
  questionMode: "ask",
  outputLimit: 120_000,
  awaitsSubagents: true,
  cannot: {},
};

export const geminiTargets: readonly Target[] = [{ ...gemini, version: "0.61.0", name: "Gemini CLI 0.61.0" }];
