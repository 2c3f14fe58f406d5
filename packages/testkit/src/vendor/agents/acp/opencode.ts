import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const opencode: Vendor = {
  id: "opencode",
  registryName: "opencode-ai",
  packageOf(version, platform) {
    const name = `opencode-${platform}`;
    return { spec: `${name}@${version}`, program: `${name}/bin/opencode` };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".config", "opencode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "opencode.json"), `${JSON.stringify(settings(modelUrl), null, 2)}\n`);
    return {
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local", "share"),
      XDG_STATE_HOME: join(home, ".local", "state"),
      XDG_CACHE_HOME: join(home, ".cache"),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
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
    $schema: "https://opencode.ai/config.json",
    autoupdate: false,
    share: "disabled",
    model: "scripted/scripted-model",
    small_model: "scripted/scripted-mini",
    enabled_providers: ["scripted"],
    provider: { scripted: { npm: "@ai-sdk/openai-compatible", name: "Scripted", options, models } },
    permission: { edit: "ask", bash: "ask" },
  };
}
