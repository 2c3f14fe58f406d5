import type { Cost, Model, ThinkingLevel } from "../model.ts";
import type { ConfigProblem } from "../registry-port.ts";
import type { FullModelRegistry } from "./registry.ts";

/** A model for display, without headers, because they may contain keys. */
export type ModelView = {
  selector: string;
  provider: string;
  id: string;
  name: string;
  canonical: string;
  api: string;
  contextWindow: number;
  maxTokens: number;
  input: string[];
  levels: ThinkingLevel[];
  cost: Cost;
  available: boolean;
};

export type ModelListing = {
  models: ModelView[];
  canonical: { id: string; selectors: string[]; chosen?: string; available: boolean }[];
  providers: { id: string; models: number; ready: boolean; disabled: boolean }[];
  problems: ConfigProblem[];
};

export type ListingQuery = { q?: string | undefined; provider?: string | undefined; all?: boolean };

export function describeModel(
  registry: FullModelRegistry,
  model: Model,
  available = isAvailable(registry, model),
): ModelView {
  const { provider, id, name, api, contextWindow, maxTokens, input, cost } = model;
  return {
    selector: `${provider}/${id}`,
    provider,
    id,
    name,
    canonical: registry.canonical(model),
    api,
    contextWindow,
    maxTokens,
    input: [...input],
    levels: [...registry.levels(model)],
    cost,
    available,
  };
}

/** Lists matching models, also grouped by canonical id and by provider. Without `all`, available models only. */
export function listModels(registry: FullModelRegistry, { q, provider, all = false }: ListingQuery): ModelListing {
  const available = new Set(registry.available());
  const matching = (q === undefined ? registry.all() : registry.search(q)).filter(
    (model) => (all || available.has(model)) && (provider === undefined || model.provider === provider),
  );
  const models = matching.map((model) => describeModel(registry, model, available.has(model)));
  return {
    models,
    canonical: canonicalGroups(registry, models),
    providers: providerRows(registry),
    problems: [...registry.problems()],
  };
}

function isAvailable(registry: FullModelRegistry, model: Model): boolean {
  return registry.available().includes(model);
}

function canonicalGroups(registry: FullModelRegistry, models: readonly ModelView[]): ModelListing["canonical"] {
  const byName = new Map<string, ModelView[]>();
  for (const model of models) byName.set(model.canonical, [...(byName.get(model.canonical) ?? []), model]);
  return [...byName].map(([id, members]) => {
    const available = members.some((model) => model.available);
    const chosen = available ? registry.resolve(id)?.model : undefined;
    const row = { id, selectors: members.map(({ selector }) => selector), available };
    return chosen ? { ...row, chosen: `${chosen.provider}/${chosen.id}` } : row;
  });
}

function providerRows(registry: FullModelRegistry): ModelListing["providers"] {
  const rows = new Map<string, ModelListing["providers"][number]>();
  for (const model of registry.all()) {
    const row = rows.get(model.provider) ?? {
      id: model.provider,
      models: 0,
      ready: registry.ready(model),
      disabled: !registry.enabled(model.provider),
    };
    row.models++;
    rows.set(model.provider, row);
  }
  return [...rows.values()];
}
