import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const kilo: Vendor = {
  id: "kilo",
  registryName: "@kilocode/cli",
  packageOf(version, platform) {
    const name = `@kilocode/cli-${platform}`;
    return { spec: `${name}@${version}`, program: `${name}/bin/kilo` };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".config", "kilo");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "kilo.json"), `${JSON.stringify(settings(modelUrl), null, 2)}\n`);
    return {
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local", "share"),
      XDG_STATE_HOME: join(home, ".local", "state"),
      XDG_CACHE_HOME: join(home, ".cache"),
      KILO_DISABLE_AUTOUPDATE: "1",
      KILO_DISABLE_MODELS_FETCH: "1",
      KILO_DISABLE_LSP_DOWNLOAD: "1",
      KILO_DISABLE_DEFAULT_PLUGINS: "1",
      KILO_TELEMETRY_LEVEL: "off",
    };
  },
};

function settings(modelUrl: string): Record<string, unknown> {
  const limit = { context: 128_000, output: 8192 };
  const modalities = { input: ["text", "image"], output: ["text"] };
  const able = { tool_call: true, reasoning: true, attachment: true, modalities, limit, cost: { input: 1, output: 4 } };
  const models = {
    "scripted-model": { name: "Scripted Model", ...able },
    "scripted-other": { name: "Scripted Other", ...able },
    "scripted-mini": { name: "Scripted Mini", limit },
  };
  const options = { baseURL: `${modelUrl}/v1`, apiKey: fakeKey("sk-scripted") };
  return {
    autoupdate: false,
    share: "disabled",
    model: "scripted/scripted-model",
    small_model: "scripted/scripted-mini",
    enabled_providers: ["scripted"],
    provider: { scripted: { npm: "@ai-sdk/openai-compatible", name: "Scripted", options, models } },
    permission: { edit: "ask", bash: "ask" },
    // It requests titles at any time, also in later turns.
    agent: { title: { disable: true } },
  };
}
