import type { Canonical } from "../equivalence/canonical.ts";
import type { Model } from "../model.ts";

/** A model with what it is searched by; `squeezed…` is in lower case and without blanks and dashes. */
export type Entry = {
  model: Model;
  selector: string;
  lowerSelector: string;
  lowerId: string;
  canonical: string;
  squeezed: string;
  squeezedId: string;
  squeezedCanonical: string;
};

/** What a name other than the full one is looked up in. Keys in lower case. */
export type ModelNames = {
  entries: readonly Entry[];
  byCanonical: ReadonlyMap<string, readonly Entry[]>;
  byId: ReadonlyMap<string, readonly Entry[]>;
};

/** Everything that a selector is looked up in. `names` is made when first asked for: most selectors are full names. */
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

/** `Claude Sonnet 4.5`, `claude-sonnet-4-5` and `claude sonnet 45` are the same word. */
export function squeeze(text: string): string {
  return text.toLowerCase().replace(/[\s._-]+/g, "");
}

function nameModels(models: readonly Model[], canonical: Canonical): ModelNames {
  const byCanonical = new Map<string, Entry[]>();
  const byId = new Map<string, Entry[]>();
  const entries = models.map((model) => {
    const name = canonical(model);
    const selector = selectorOf(model);
    const squeezedId = squeeze(model.id);
    const entry: Entry = {
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

function put(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const there = map.get(key);
  if (there) there.push(entry);
  else map.set(key, [entry]);
}
