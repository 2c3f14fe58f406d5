import type { Canonical } from "../equivalence/canonical.ts";
import type { Model } from "../model.ts";

/** A model with its search keys. `squeezed…` keys are in lower case, without blanks and punctuation. */
export type IndexEntry = {
  model: Model;
  selector: string;
  lowerSelector: string;
  lowerId: string;
  canonical: string;
  squeezed: string;
  squeezedId: string;
  squeezedCanonical: string;
};

/** Lookup tables for names other than full selectors. Keys are in lower case. */
export type ModelNames = {
  entries: readonly IndexEntry[];
  byCanonical: ReadonlyMap<string, readonly IndexEntry[]>;
  byId: ReadonlyMap<string, readonly IndexEntry[]>;
};

/** Lookup tables for selectors. `names` is built on first use, because most selectors are full names. */
export type ModelIndex = { bySelector: ReadonlyMap<string, Model>; names(): ModelNames };

export function indexModels(models: readonly Model[], canonical: Canonical): ModelIndex {
  let names: ModelNames | undefined;
  return {
    bySelector: new Map(models.map((model) => [selectorOf(model).toLowerCase(), model])),
    names: () => {
      names ??= nameModels(models, canonical);
      return names;
    },
  };
}

export function selectorOf({ provider, id }: Model): string {
  return `${provider}/${id}`;
}

/** Normalises for search: `Claude Sonnet 4.5`, `claude-sonnet-4-5` and `claude sonnet 45` become equal. */
export function squeeze(text: string): string {
  return text.toLowerCase().replace(/[\s._-]+/g, "");
}

function nameModels(models: readonly Model[], canonical: Canonical): ModelNames {
  const byCanonical = new Map<string, IndexEntry[]>();
  const byId = new Map<string, IndexEntry[]>();
  const entries = models.map((model) => {
    const name = canonical(model);
    const selector = selectorOf(model);
    const squeezedId = squeeze(model.id);
    const entry: IndexEntry = {
      model,
      selector,
      lowerSelector: selector.toLowerCase(),
      lowerId: model.id.toLowerCase(),
      canonical: name,
      squeezed: `${squeeze(model.provider)}/${squeezedId} ${squeeze(model.name)}`,
      squeezedId,
      squeezedCanonical: name === model.id ? squeezedId : squeeze(name),
    };
    put(byCanonical, name.toLowerCase(), entry);
    put(byId, entry.lowerId, entry);
    return entry;
  });
  return { entries, byCanonical, byId };
}

function put(map: Map<string, IndexEntry[]>, key: string, entry: IndexEntry): void {
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}
