import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plantCanaries } from "@gantry/testkit";
import { projectSettings, userSettings } from "./own-config.ts";
import type { Target } from "./target.ts";

const gantry: Omit<Target, "version" | "name"> = {
  agent: "gantry",
  own: { environment },
  keyVariables: ["SCRIPTED_API_KEY"],
  otherModel: "scripted/scripted-mini",
  otherModelServed: "scripted-mini",
  questionMode: "ask",
  outputLimit: 48_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  givesBack: true,
  tasks: "commands",
  forget: (home) => rmSync(join(home, "gantry-agent", "sessions"), { recursive: true }),
  configure: {
    permissive: userSettings("gantry-agent/config.yml", { permissions: { mode: "full-auto" } }),
    project: projectSettings(".gantry/config.yml", { permissions: { mode: "full-auto" } }),
    restrictive: userSettings("gantry-agent/config.yml", { permissions: { mode: "plan" } }),
  },
  cannot: {},
  // Its plans are ordinary answers: a person continues by changing the mode.
  leavesOut: ["plan-approval"],
};

/** One early retry; two models of the scripted provider. */
function environment(home: string, modelUrl: string): Record<string, string> {
  const folder = join(home, "gantry-agent");
  const model = { reasoning: true, input: ["text", "image"], contextWindow: 200_000, maxTokens: 8192 };
  const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const models = ["scripted-model", "scripted-mini"].map((id) => ({ id, name: id, ...model, cost }));
  const scripted = {
    baseUrl: `${modelUrl}/v1`,
    api: "openai-completions",
    apiKeyEnv: "SCRIPTED_API_KEY",
    models,
  };
  const settings = {
    modelRoles: { default: "scripted/scripted-model" },
    retry: { maxRetries: 1, baseDelayMs: 100 },
    task: { maxConcurrency: 2 },
  };
  const secret = plantCanaries(folder, settings);
  // JSON is YAML.
  writeFileSync(join(folder, "models.yml"), JSON.stringify({ providers: { scripted } }, null, 2));
  return { ...secret, GANTRY_AGENT_DIR: folder, SCRIPTED_API_KEY: "sk-scripted-0123456789" };
}

export const gantryTargets: readonly Target[] = [{ ...gantry, version: "0.1.0", name: "Gantry 0.1.0" }];
