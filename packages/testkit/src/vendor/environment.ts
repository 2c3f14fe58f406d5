import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VendorAgent } from "./platform.ts";

export interface HermeticOptions {
  agent: VendorAgent;
  /** A fresh folder that becomes the agent's home. */
  home: string;
  /** Where the scripted model listens, without a path: `http://127.0.0.1:1234`. */
  modelUrl: string;
}

/**
 * The whole environment for a vendor's program that shall see nothing of this machine: its own home, a made-up key,
 * the scripted model as its provider, and no calls home. Writes the configuration that the agent needs under `home`.
 * Use it as the only environment of the process.
 */
export function hermeticEnvironment({ agent, home, modelUrl }: HermeticOptions): Record<string, string> {
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  const common = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
  };
  switch (agent) {
    case "claude":
      return { ...common, ...claude(home, modelUrl) };
    case "codex":
      return { ...common, ...codex(home, modelUrl) };
    case "opencode":
      return { ...common, ...openCode(home, modelUrl) };
  }
}

function claude(home: string, modelUrl: string): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: fakeKey("sk-ant-scripted"),
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
    IS_SANDBOX: "1",
  };
}

function codex(home: string, modelUrl: string): Record<string, string> {
  const folder = join(home, ".codex");
  const catalog = join(folder, "catalog.json");
  mkdirSync(folder, { recursive: true });
  writeFileSync(catalog, `${JSON.stringify({ models: [CODEX_MODEL] }, null, 2)}\n`);
  writeFileSync(join(folder, "config.toml"), codexConfig(catalog, modelUrl));
  return { CODEX_HOME: folder, SCRIPTED_API_KEY: fakeKey("sk-scripted") };
}

function codexConfig(catalog: string, modelUrl: string): string {
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

const CODEX_MODEL = {
  slug: "scripted-model",
  display_name: "Scripted Model",
  description: "Plays scenarios",
  default_reasoning_level: "medium",
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

function openCode(home: string, modelUrl: string): Record<string, string> {
  const config = join(home, ".config", "opencode");
  mkdirSync(config, { recursive: true });
  const limit = { context: 128_000, output: 8192 };
  const models = {
    "scripted-model": { name: "Scripted Model", tool_call: true, reasoning: true, limit },
    "scripted-mini": { name: "Scripted Mini", limit },
  };
  const options = { baseURL: `${modelUrl}/v1`, apiKey: fakeKey("sk-scripted") };
  const settings = {
    $schema: "https://opencode.ai/config.json",
    autoupdate: false,
    share: "disabled",
    model: "scripted/scripted-model",
    small_model: "scripted/scripted-mini",
    enabled_providers: ["scripted"],
    provider: { scripted: { npm: "@ai-sdk/openai-compatible", name: "Scripted", options, models } },
    permission: { edit: "ask", bash: "ask" },
  };
  writeFileSync(join(config, "opencode.json"), `${JSON.stringify(settings, null, 2)}\n`);
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
}

/** Long and unique, so that an agent which hides its key in what it prints hides nothing else. */
function fakeKey(prefix: string): string {
  return `${prefix}-${randomBytes(24).toString("hex")}`;
}
