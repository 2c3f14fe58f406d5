import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ModelsConfig } from "../config/models-file.ts";
import type { ModelSettings } from "../config/settings-file.ts";
import { type Canonical, canonicalOf } from "../equivalence/canonical.ts";
import type { Api, CacheRetention, Model, Websockets } from "../model.ts";
import { indexModels, type ModelIndex } from "../resolver/index-models.ts";
import { mergeProvider } from "./merge.ts";

/** Providers that come first where nothing else decides: the model makers. */
const FIRST_PROVIDERS = [
  "anthropic",
  "openai",
  "openai-codex",
  "google",
  "xai",
  "deepseek",
  "mistral",
  "moonshotai",
  "zai",
];

export type SnapshotParts = {
  catalogue: Catalogue;
  config: ModelsConfig;
  settings: ModelSettings;
  env: Record<string, string | undefined>;
  /** By provider, merged with the bundled models. */
  discovered: ReadonlyMap<string, readonly Model[]>;
};

/** All models at one moment. Immutable; rebuilt after a change. */
export type Snapshot = {
  byProvider: ReadonlyMap<string, readonly Model[]>;
  all: readonly Model[];
  canonical(): Canonical;
  index(): ModelIndex;
};

export function takeSnapshot(parts: SnapshotParts): Snapshot {
  const { catalogue, config, discovered } = parts;
  const names = new Set([
    ...FIRST_PROVIDERS,
    ...config.providers.keys(),
    ...catalogue.providers.keys(),
    ...discovered.keys(),
  ]);
  const byProvider = new Map<string, readonly Model[]>();
  for (const provider of names) {
    const models = modelsOf(provider, parts);
    if (models.length > 0) byProvider.set(provider, models);
  }
  const all = [...byProvider.values()].flat();
  const canonical = memoize(() => canonicalOf(catalogue.providers, config.equivalence));
  return { byProvider, all, canonical, index: memoize(() => indexModels(all, (model) => canonical()(model))) };
}

function memoize<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

function modelsOf(provider: string, { catalogue, config, settings, env, discovered }: SnapshotParts) {
  const entry = config.providers.get(provider);
  const bundled = kimiFormat(provider, settings, catalogue.providers.get(provider) ?? []);
  const merged = mergeProvider({
    provider,
    bundled,
    discovered: discovered.get(provider),
    config: entry,
    cacheRetention: parseRetention(env.GANTRY_CACHE_RETENTION),
  });
  return withWebsockets(merged, settings.openaiWebsockets);
}

/** The wire formats with a WebSocket mode, and the servers that are known to have it. */
const SOCKET_APIS: ReadonlySet<string> = new Set<Api>(["openai-responses", "openai-codex-responses"]);
const SOCKET_HOSTS = /^https:\/\/(api\.openai\.com|chatgpt\.com)(\/|$)/;

function withWebsockets(models: readonly Model[], websockets: Websockets): readonly Model[] {
  if (websockets === "off") return models;
  const canUse = ({ api, baseUrl }: Model) =>
    SOCKET_APIS.has(api) && (websockets === "on" || baseUrl === "" || SOCKET_HOSTS.test(baseUrl));
  return models.some(canUse) ? models.map((model) => (canUse(model) ? { ...model, websockets } : model)) : models;
}

/** Kimi's coding plan offers two wire formats at two URLs. */
function kimiFormat(provider: string, settings: ModelSettings, models: readonly Model[]): readonly Model[] {
  if (provider !== "kimi-coding" || settings.kimiApiFormat !== "openai") return models;
  return models.map((model) => ({ ...model, api: "openai-completions", baseUrl: `${model.baseUrl}/v1` }));
}

function parseRetention(value: string | undefined): CacheRetention | undefined {
  return value === "none" || value === "short" || value === "long" ? value : undefined;
}
