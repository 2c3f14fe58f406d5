import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  hermeticEnvironment,
  type ScriptedModel,
  startScriptedModel,
  vendorBinary,
  writeFakeAgent,
} from "@gantry/testkit";

/** An agent whose turn is interrupted by kills, and the environment that it needs. */
export type Subject = {
  name: string;
  agent: string;
  /** A turn with text, a tool that needs approval, and more text. */
  prompt: string;
  prepare(home: string): Promise<{ env: Record<string, string>; model?: ScriptedModel }>;
};

const CHAOTIC = "[[write]] Please write the file.";

export const subjects: Subject[] = [
  {
    name: "fake agent",
    agent: "scripted",
    prompt: CHAOTIC,
    prepare: async (home) => {
      const bin = writeFakeAgent({ dir: join(home, "bin"), dialect: "scripted", pace: 20 });
      return { env: { ...plainEnvironment(home), GANTRY_SCRIPTED_BIN: bin } };
    },
  },
  {
    name: "Claude Code 2.1.325",
    agent: "claude",
    prompt: CHAOTIC,
    prepare: (home) => prepareVendor("claude", "2.1.325", home),
  },
  {
    name: "Codex 0.166.0",
    agent: "codex",
    prompt: CHAOTIC,
    prepare: (home) => prepareVendor("codex", "0.166.0", home),
  },
];

async function prepareVendor(agent: "claude" | "codex", version: string, home: string) {
  const model = await startScriptedModel({ defaults: { pace: 20 } });
  const bin = await vendorBinary({ agent, version });
  const env = await hermeticEnvironment({ agent, home, modelUrl: model.url });
  return { model, env: { ...env, GANTRY_HOME: join(home, "gantry"), [`GANTRY_${agent.toUpperCase()}_BIN`]: bin } };
}

function plainEnvironment(home: string): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return { PATH: process.env.PATH ?? "", HOME: home, GANTRY_HOME: join(home, "gantry") };
}
