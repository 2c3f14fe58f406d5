import type { DiscoveryType, ProviderConfig } from "../config/schema.ts";
import type { Api } from "../model.ts";

/** A provider that is asked which models it has. */
export type DiscoveryTarget = {
  provider: string;
  type: DiscoveryType | "anthropic-models-list" | "google-models-list";
  api: Api;
  baseUrl: string;
  keyless: boolean;
  headers: Record<string, string>;
  /** How a key is told, where it is not by `Authorization`. */
  keyHeaders?(key: string): Record<string, string>;
  /** Nobody has named it; it is looked for, and it is no mistake when it is not there. */
  implicit: boolean;
};

type Local = { type: DiscoveryType; api: Api; variable: string; baseUrl: string };

/** Programs that serve models on this machine and are found without being named. */
const LOCAL: Record<string, Local> = {
  ollama: { type: "ollama", api: "openai-responses", variable: "OLLAMA_BASE_URL", baseUrl: "http://127.0.0.1:11434" },
  "llama.cpp": {
    type: "llama.cpp",
    api: "openai-responses",
    variable: "LLAMA_CPP_BASE_URL",
    baseUrl: "http://127.0.0.1:8080",
  },
  "lm-studio": {
    type: "lm-studio",
    api: "openai-completions",
    variable: "LM_STUDIO_BASE_URL",
    baseUrl: "http://127.0.0.1:1234/v1",
  },
};

type Managed = Pick<DiscoveryTarget, "type" | "api" | "keyHeaders">;

const listed = (api: Api): Managed => ({ type: "openai-models-list", api });

/** Providers of the catalogue whose list is asked for where somebody has a key for them. */
const MANAGED: Record<string, Managed> = {
  anthropic: {
    type: "anthropic-models-list",
    api: "anthropic-messages",
    // A token of a login begins otherwise, and is told as all tokens are.
    keyHeaders: (key): Record<string, string> => ({
      "anthropic-version": "2023-06-01",
      ...(key.startsWith("sk-ant-oat") ? { authorization: `Bearer ${key}` } : { "x-api-key": key }),
    }),
  },
  google: { type: "google-models-list", api: "google-generative-ai", keyHeaders: (key) => ({ "x-goog-api-key": key }) },
  openai: listed("openai-responses"),
  xai: listed("openai-responses"),
  ...Object.fromEntries(
    ["baseten", "cerebras", "deepseek", "groq", "huggingface", "mistral", "moonshotai", "moonshotai-cn", "nvidia"]
      .concat(["openrouter", "together", "xiaomi", "zai"])
      .map((provider) => [provider, listed("openai-completions")]),
  ),
};

export type TargetParts = {
  providers: ReadonlyMap<string, ProviderConfig>;
  env: Record<string, string | undefined>;
  /** Where the catalogue finds a provider, spoken to in this way if it matters. */
  bundledUrl(provider: string, api?: Api): string | undefined;
  /** Has somebody a key for it? */
  has(provider: string): boolean;
};

export function discoveryTargets({ providers, env, bundledUrl, has }: TargetParts): DiscoveryTarget[] {
  const named = [...providers].flatMap(([provider, config]) => {
    if (!config.discovery || !config.api) return [];
    const { type } = config.discovery;
    const usual = Object.values(LOCAL).find((local) => local.type === type)?.baseUrl;
    const baseUrl = config.baseUrl ?? bundledUrl(provider) ?? usual;
    if (baseUrl === undefined) return [];
    const headers = config.headers ?? {};
    return [{ provider, type, api: config.api, baseUrl, keyless: config.auth === "none", headers, implicit: false }];
  });
  const local = Object.entries(LOCAL).flatMap(([provider, { type, api, variable, baseUrl }]) => {
    if (providers.has(provider)) return [];
    return [{ provider, type, api, baseUrl: env[variable] || baseUrl, keyless: true, headers: {}, implicit: true }];
  });
  const managed = Object.entries(MANAGED).flatMap(([provider, how]) => {
    const config = providers.get(provider);
    const baseUrl = config?.baseUrl ?? bundledUrl(provider, how.api);
    if (config?.discovery || baseUrl === undefined || !has(provider)) return [];
    return [{ provider, ...how, baseUrl, keyless: false, headers: config?.headers ?? {}, implicit: true }];
  });
  return [...named, ...local, ...managed];
}
