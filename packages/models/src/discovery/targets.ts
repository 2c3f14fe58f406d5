import type { DiscoveryType, ProviderConfig } from "../config/schema.ts";
import type { Api } from "../model.ts";

/** A provider that is asked which models it has. */
export type DiscoveryTarget = {
  provider: string;
  type: DiscoveryType;
  api: Api;
  baseUrl: string;
  keyless: boolean;
  headers: Record<string, string>;
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

export function discoveryTargets(
  providers: ReadonlyMap<string, ProviderConfig>,
  env: Record<string, string | undefined>,
  bundledUrl: (provider: string) => string | undefined,
): DiscoveryTarget[] {
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
  return [...named, ...local];
}
