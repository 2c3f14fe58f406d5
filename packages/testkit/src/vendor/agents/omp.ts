import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../fake-key.ts";
import type { Platform, Vendor } from "../vendor.ts";

const PACKAGE = "@oh-my-pi/pi-coding-agent";
const PROGRAM = `${PACKAGE}/dist/cli.js`;

/** It is a script that runs on bun. */
const BUN_VERSION = "1.4.4";
const BUN: Record<Platform, string> = {
  "linux-x64": "@oven/bun-linux-x64",
  "linux-arm64": "@oven/bun-linux-aarch64",
  "darwin-x64": "@oven/bun-darwin-x64",
  "darwin-arm64": "@oven/bun-darwin-aarch64",
};

export const omp: Vendor = {
  id: "omp",
  registryName: PACKAGE,
  packageOf(version, platform) {
    return { spec: `${PACKAGE}@${version}`, program: PROGRAM, companions: [`${BUN[platform]}@${BUN_VERSION}`] };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".omp", "agent");
    mkdirSync(folder, { recursive: true });
    // JSON is valid YAML.
    writeFileSync(join(folder, "models.yml"), `${JSON.stringify({ providers: providers(modelUrl) }, null, 2)}\n`);
    writeFileSync(join(folder, "config.yml"), `${JSON.stringify(SETTINGS, null, 2)}\n`);
    return { SCRIPTED_API_KEY: fakeKey("sk-scripted"), PI_OFFLINE: "1", OMP_OFFLINE: "1", PI_TELEMETRY: "0" };
  },
  runsOn(program) {
    const modules = program.slice(0, -PROGRAM.length);
    return join(modules, BUN[`${process.platform}-${process.arch}` as Platform], "bin");
  },
};

const SETTINGS = {
  modelRoles: { default: "scripted/scripted-model", smol: "scripted/scripted-mini" },
  retry: { enabled: true, maxRetries: 1, baseDelayMs: 100 },
};

function providers(modelUrl: string): Record<string, unknown> {
  const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const model = { reasoning: true, input: ["text", "image"], cost, contextWindow: 200_000, maxTokens: 8192 };
  return {
    scripted: {
      baseUrl: `${modelUrl}/v1`,
      api: "openai-completions",
      apiKey: "SCRIPTED_API_KEY",
      models: [
        { id: "scripted-model", name: "Scripted Model", ...model },
        { id: "scripted-mini", name: "Scripted Mini", ...model },
      ],
    },
  };
}
