import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../fake-key.ts";
import type { Vendor } from "../vendor.ts";

export const pi: Vendor = {
  id: "pi",
  registryName: "@earendil-works/pi-coding-agent",
  packageOf(version) {
    const name = "@earendil-works/pi-coding-agent";
    return {
      spec: `${name}@${version}`,
      program: `${name}/dist/bundle/cli.js`,
      olderPrograms: [`${name}/dist/cli.js`],
      // The registry lacks dependencies of version 1; its program is bundled, except for what it loads as WebAssembly.
      ...(version.startsWith("0.") ? {} : { bundled: name, companions: WASM }),
    };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".pi", "agent");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "models.json"), `${JSON.stringify({ providers: providers(modelUrl) }, null, 2)}\n`);
    writeFileSync(join(folder, "settings.json"), `${JSON.stringify(SETTINGS, null, 2)}\n`);
    return { PI_CODING_AGENT_DIR: folder, PI_OFFLINE: "1", SCRIPTED_API_KEY: fakeKey("sk-scripted") };
  },
};

const WASM = ["@silvia-odwyer/photon-node@0.3.4", "quickjs-wasi@3.6.2"];

/** One fast retry. */
const SETTINGS = {
  defaultProvider: "scripted",
  defaultModel: "scripted-model",
  retry: { enabled: true, maxRetries: 1, baseDelayMs: 100 },
};

function providers(modelUrl: string): Record<string, unknown> {
  const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const limits = { contextWindow: 200_000, maxTokens: 8192 };
  const model = { reasoning: true, input: ["text", "image"], cost, ...limits };
  return {
    scripted: {
      baseUrl: `${modelUrl}/v1`,
      api: "openai-completions",
      apiKey: "$SCRIPTED_API_KEY",
      models: [
        { id: "scripted-model", name: "Scripted Model", ...model },
        { id: "scripted-mini", name: "Scripted Mini", ...model },
      ],
    },
  };
}
