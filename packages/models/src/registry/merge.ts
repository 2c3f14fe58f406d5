import type { ModelEntry, ModelOverride, ProviderConfig } from "../config/schema.ts";
import type { Api, CacheRetention, Compat, Cost, Model, RequestTransform } from "../model.ts";

/** What a model is taken to be where nobody says otherwise. */
export const CUSTOM_DEFAULTS = {
  reasoning: false,
  input: ["text"] as ("text" | "image")[],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 128_000,
  maxTokens: 16_384,
};

export type ProviderParts = {
  provider: string;
  bundled: readonly Model[];
  /** What the provider itself has said, already joined with `bundled`. */
  discovered?: readonly Model[] | undefined;
  config?: ProviderConfig | undefined;
  cacheRetention?: CacheRetention | undefined;
};

/**
 * All models of a provider: bundled or discovered, with what the file says about the provider, then the models that it
 * adds, then what it says about single models. Without a file's word the very same array comes back.
 */
export function mergeProvider(parts: ProviderParts): readonly Model[] {
  const { config, bundled, discovered = bundled, cacheRetention } = parts;
  const known = config ? discovered.map((model) => overrideProvider(model, parts, config)) : discovered;
  const custom = (config?.models ?? []).map((entry) => customModel(entry, parts, config!));
  const replaced = new Map(custom.map((model) => [model.id, model]));
  const ids = new Set(known.map(({ id }) => id));
  const merged =
    custom.length === 0
      ? known
      : [...known.map((model) => replaced.get(model.id) ?? model), ...custom.filter(({ id }) => !ids.has(id))];
  const overrides = config?.modelOverrides;
  const final = overrides ? merged.map((model) => overrideModel(model, overrides[model.id])) : merged;
  return cacheRetention ? final.map((model) => ({ cacheRetention, ...model })) : final;
}

/**
 * Bundled and discovered models of a provider together. The provider knows which models it has; how one is spoken to,
 * how large it is and what it costs the catalogue knows better than a list that mostly holds names.
 */
export function mergeDiscovered(bundled: readonly Model[], found: readonly Model[]): readonly Model[] {
  if (found.length === 0) return bundled;
  const live = new Map(found.map((model) => [model.id, model]));
  const known = new Set(bundled.map(({ id }) => id));
  return [
    ...bundled.map((model) => {
      const now = live.get(model.id);
      return now ? { ...now, ...model } : model;
    }),
    ...found.filter(({ id }) => !known.has(id)),
  ];
}

function overrideProvider(model: Model, { bundled }: ProviderParts, config: ProviderConfig): Model {
  return tidy({
    ...model,
    // What was discovered already stands at the place where it was found.
    baseUrl: config.baseUrl && bundled.some(({ id }) => id === model.id) ? config.baseUrl : model.baseUrl,
    headers: headersOf(model.headers, config.headers),
    compat: mergeCompat(model.compat, config.compat),
    requestTransform: mergeTransform(model.requestTransform, config.requestTransform),
    disableStrictTools: config.disableStrictTools ?? model.disableStrictTools,
    cacheRetention: config.cacheRetention ?? model.cacheRetention,
    keyless: config.auth === "none" || model.keyless,
    authHeader: config.authHeader || undefined,
  });
}

function customModel(entry: ModelEntry, { provider, bundled }: ProviderParts, config: ProviderConfig): Model {
  const before = bundled.find(({ id }) => id === entry.id) ?? { ...CUSTOM_DEFAULTS, name: entry.id };
  const { compat, headers, requestTransform, cost, ...given } = entry;
  return tidy({
    ...{ name: before.name, reasoning: before.reasoning, input: before.input },
    ...{ contextWindow: before.contextWindow, maxTokens: before.maxTokens },
    thinking: "thinking" in before && given.reasoning !== false ? before.thinking : undefined,
    ...given,
    api: (entry.api ?? config.api) as Api,
    provider,
    baseUrl: entry.baseUrl ?? config.baseUrl ?? "",
    cost: costOf(before.cost, cost),
    headers: headersOf(config.headers, headers),
    compat: mergeCompat(config.compat, compat),
    requestTransform: mergeTransform(config.requestTransform, requestTransform),
    disableStrictTools: config.disableStrictTools,
    cacheRetention: entry.cacheRetention ?? config.cacheRetention,
    keyless: config.auth === "none" || undefined,
    authHeader: config.authHeader || undefined,
  });
}

function overrideModel(model: Model, override: ModelOverride | undefined): Model {
  if (!override) return model;
  const { compat, headers, requestTransform, cost, ...given } = override;
  return tidy({
    ...model,
    ...given,
    cost: costOf(model.cost, cost),
    headers: headersOf(model.headers, headers),
    compat: mergeCompat(model.compat, compat),
    requestTransform: mergeTransform(model.requestTransform, requestTransform),
  });
}

/** Whoever says a price says it for every length, unless they say more. */
function costOf(base: Cost, given: Partial<Cost> | undefined): Cost {
  if (!given) return base;
  const { tiers: _tiers, ...prices } = base;
  return { ...prices, ...given };
}

/** Field by field, and within the nested ones too. */
export function mergeCompat(base: Compat | undefined, over: Partial<Compat> | undefined): Compat | undefined {
  if (!base || !over) return (over as Compat | undefined) ?? base;
  const nested = ["openRouterRouting", "vercelGatewayRouting", "extraBody", "reasoningEffortMap"] as const;
  const joined = nested.flatMap((key) => (base[key] && over[key] ? [[key, { ...base[key], ...over[key] }]] : []));
  return { ...base, ...over, ...Object.fromEntries(joined) };
}

function mergeTransform(
  base: RequestTransform | undefined,
  over: RequestTransform | undefined,
): RequestTransform | undefined {
  if (!base || !over) return over ?? base;
  return tidy({
    ...base,
    ...over,
    setHeaders: base.setHeaders || over.setHeaders ? { ...base.setHeaders, ...over.setHeaders } : undefined,
    extraBody: base.extraBody || over.extraBody ? { ...base.extraBody, ...over.extraBody } : undefined,
  });
}

/** Names of headers are the same whatever their case; the later one counts. */
function headersOf(
  base: Record<string, string> | undefined,
  over: Record<string, string> | undefined,
): Record<string, string> | undefined {
  const all = { ...base };
  for (const [name, value] of Object.entries(over ?? {})) {
    for (const other of Object.keys(all)) if (other.toLowerCase() === name.toLowerCase()) delete all[other];
    all[name] = value;
  }
  return Object.keys(all).length > 0 ? all : undefined;
}

/** Without the fields that nobody has said anything about. */
function tidy<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
