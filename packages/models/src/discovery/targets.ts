import type { DiscoveryType, ProviderConfig } from "../config/schema.ts";
import type { Api } from "../model.ts";

/** A provider to query for its models. */
export type DiscoveryTarget = {
  provider: string;
  type: DiscoveryType | "anthropic-models-list" | "google-models-list";
  api: Api;
  baseUrl: string;
  keyless: boolean;
  headers: Record<string, string>;
  /** Headers for the key, where it is not sent as `Authorization`. */
  keyHeaders?(key: string): Record<string, string>;
  /** Not configured, only probed. It is no error if it is absent. */
  implicit: boolean;
};

type Local = { type: DiscoveryType; api: Api; variable: string; baseUrl: string };

/** Local model servers that are probed without configuration. */
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

const openAiList = (api: Api): Managed => ({ type: "openai-models-list", api });

/** Providers of the catalogue that are queried if there is a credential for them. */
const MANAGED: Record<string, Managed> = {
  anthropic: {
    type: "anthropic-models-list",
    api: "anthropic-messages",
    // The token of a login has another prefix and is sent as a bearer token.
    keyHeaders: (key): Record<string, string> => ({
      "anthropic-version": "2023-06-01",
      ...(key.startsWith("sk-ant-oat") ? { authorization: `Bearer ${key}` } : { "x-api-key": key }),
    }),
  },
  google: { type: "google-models-list", api: "google-generative-ai", keyHeaders: (key) => ({ "x-goog-api-key": key }) },
  openai: openAiList("openai-responses"),
  xai: openAiList("openai-responses"),
  ...Object.fromEntries(
    ["baseten", "cerebras", "deepseek", "groq", "huggingface", "mistral", "moonshotai", "moonshotai-cn", "nvidia"]
      .concat(["openrouter", "together", "xiaomi", "zai"])
      .map((provider) => [provider, openAiList("openai-completions")]),
  ),
};

export type TargetParts = {
  providers: ReadonlyMap<string, ProviderConfig>;
  env: Record<string, string | undefined>;
  /** The catalogue's base URL of a provider, for a wire format if given. */
  bundledUrl(provider: string, api?: Api): string | undefined;
  /** Whether there is a credential for the provider. */
  has(provider: string): boolean;
};

export function discoveryTargets({ providers, env, bundledUrl, has }: TargetParts): DiscoveryTarget[] {
  const configured = [...providers].flatMap(([provider, config]) => {
    if (!config.discovery || !config.api) return [];
    const { type } = config.discovery;
    const defaultUrl = Object.values(LOCAL).find((local) => local.type === type)?.baseUrl;
    const baseUrl = config.baseUrl ?? bundledUrl(provider) ?? defaultUrl;
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
  return [...configured, ...local, ...managed];
}
