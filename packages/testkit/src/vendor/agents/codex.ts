import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../fake-key.ts";
import type { Platform, Vendor } from "../vendor.ts";

const TRIPLES: Record<Platform, string> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

export const codex: Vendor = {
  id: "codex",
  registryName: "@openai/codex",
  packageOf(version, platform) {
    return {
      spec: `codex-native@npm:@openai/codex@${version}-${platform}`,
      program: `codex-native/vendor/${TRIPLES[platform]}/bin/codex`,
      olderPrograms: [`codex-native/vendor/${TRIPLES[platform]}/codex/codex`],
    };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".codex");
    const catalog = join(folder, "catalog.json");
    mkdirSync(folder, { recursive: true });
    writeFileSync(catalog, `${JSON.stringify({ models: [MODEL] }, null, 2)}\n`);
    writeFileSync(join(folder, "config.toml"), config(catalog, modelUrl));
    return { CODEX_HOME: folder, SCRIPTED_API_KEY: fakeKey("sk-scripted") };
  },
};

function config(catalog: string, modelUrl: string): string {
  return `model = "scripted-model"
model_provider = "scripted"
model_catalog_json = ${JSON.stringify(catalog)}
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false

[model_providers.scripted]
name = "Scripted"
base_url = ${JSON.stringify(`${modelUrl}/v1`)}
env_key = "SCRIPTED_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 20000
`;
}

const MODEL = {
  slug: "scripted-model",
  display_name: "Scripted Model",
  description: "Plays scenarios",
  default_reasoning_level: "medium",
  service_tiers: [{ id: "priority", name: "Fast", description: "Faster" }],
  additional_speed_tiers: ["fast"],
  supported_reasoning_levels: ["low", "medium", "high"].map((effort) => ({ effort, description: effort })),
  shell_type: "unified_exec",
  visibility: "list",
  supported_in_api: true,
  priority: 1,
  base_instructions: "You are a scripted test model.",
  apply_patch_tool_type: "freeform",
  truncation_policy: { mode: "tokens", limit: 10_000 },
  context_window: 272_000,
  supports_reasoning_summaries: true,
  support_verbosity: false,
  supports_parallel_tool_calls: true,
  experimental_supported_tools: [],
  input_modalities: ["text", "image"],
};
