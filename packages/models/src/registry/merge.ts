import type { ModelEntry, ModelOverride, ProviderConfig } from "../config/schema.ts";
import {
  type Api,
  type CacheRetention,
  type Compat,
  type Cost,
  CUSTOM_DEFAULTS,
  type Model,
  type RequestTransform,
} from "../model.ts";

export type ProviderParts = {
  provider: string;
  bundled: readonly Model[];
  /** Discovered models, already merged with `bundled`. */
  discovered?: readonly Model[] | undefined;
  config?: ProviderConfig | undefined;
  cacheRetention?: CacheRetention | undefined;
};

/**
 * All models of a provider: bundled or discovered, with the file's provider settings, then the models that the file adds,
 * then its overrides of single models. Returns the same array if the file has no entry for the provider.
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
 * Merges bundled and discovered models. The provider decides which models exist. For wire format, size and price the
 * catalogue wins, because most providers' lists contain little more than names.
 */
export function mergeDiscovered(bundled: readonly Model[], found: readonly Model[]): readonly Model[] {
  if (found.length === 0) return bundled;
  const live = new Map(found.map((model) => [model.id, model]));
  const known = new Set(bundled.map(({ id }) => id));
  return [
    ...bundled.map((model) => {
      const discovered = live.get(model.id);
      return discovered ? { ...discovered, ...model } : model;
    }),
    ...found.filter(({ id }) => !known.has(id)),
  ];
}

function overrideProvider(model: Model, { bundled }: ProviderParts, config: ProviderConfig): Model {
  return omitUndefined({
    ...model,
    // A discovered model already has the URL at which it was found.
    baseUrl: config.baseUrl && bundled.some(({ id }) => id === model.id) ? config.baseUrl : model.baseUrl,
    headers: mergeHeaders(model.headers, config.headers),
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
  const { compat, headers, requestTransform, cost, ...fields } = entry;
  return omitUndefined({
    ...{ name: before.name, reasoning: before.reasoning, input: before.input },
    ...{ contextWindow: before.contextWindow, maxTokens: before.maxTokens },
    thinking: "thinking" in before && fields.reasoning !== false ? before.thinking : undefined,
    ...fields,
    api: (entry.api ?? config.api) as Api,
    provider,
    baseUrl: entry.baseUrl ?? config.baseUrl ?? "",
    cost: mergeCost(before.cost, cost),
    headers: mergeHeaders(config.headers, headers),
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
  const { compat, headers, requestTransform, cost, ...fields } = override;
  return omitUndefined({
    ...model,
    ...fields,
    cost: mergeCost(model.cost, cost),
    headers: mergeHeaders(model.headers, headers),
    compat: mergeCompat(model.compat, compat),
    requestTransform: mergeTransform(model.requestTransform, requestTransform),
  });
}

/** A configured price applies to every context length, unless it comes with tiers. */
function mergeCost(base: Cost, override: Partial<Cost> | undefined): Cost {
  if (!override) return base;
  const { tiers: _tiers, ...prices } = base;
  return { ...prices, ...override };
}

/** Merges field by field, one level deep. */
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
  return omitUndefined({
    ...base,
    ...over,
    setHeaders: base.setHeaders || over.setHeaders ? { ...base.setHeaders, ...over.setHeaders } : undefined,
    extraBody: base.extraBody || over.extraBody ? { ...base.extraBody, ...over.extraBody } : undefined,
  });
}

/** Header names are case-insensitive; the later one wins. */
function mergeHeaders(
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

/** Removes undefined fields. */
function omitUndefined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
