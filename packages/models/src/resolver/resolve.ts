import type { Model, ThinkingLevel } from "../model.ts";
import { type IndexEntry, type ModelIndex, selectorOf, squeeze } from "./index-models.ts";
import { globMatcher, isGlob, parseSelector, roleOf } from "./selector.ts";

/** Inputs of the resolver. All are in memory. */
export type ResolveContext = {
  index: ModelIndex;
  /** Whether the provider is enabled in this folder. */
  enabled(provider: string): boolean;
  /** Enabled, with a credential or without needing one. */
  ready(model: Model): boolean;
  /** Whether `enabledModels` includes the model. A full name also resolves models that it excludes. */
  isEnabled(model: Model): boolean;
  /** Lower ranks are preferred. */
  rank(model: Model): number;
  /** The selector of a role. */
  role(name: string): string | undefined;
  providerAlias(provider: string): string;
};

export type Found = { model: Model; level?: ThinkingLevel; why: string[] };
/** No match, with the reasons. */
export type NotFound = { why: string[] };

/**
 * Resolves a selector: a role; else `provider/id`, canonical id or bare id, each first with a `:suffix` as part of the id;
 * else the best model whose name contains the search terms. Never throws.
 */
export function resolveSelector(
  context: ResolveContext,
  text: string,
  roles: readonly string[] = [],
): Found | NotFound {
  const { whole, base, level } = parseSelector(text);
  if (whole === "") return { why: ["The selector is empty."] };
  const role = roleOf(whole) ?? roleOf(base);
  if (role !== undefined) return resolveRole(context, role, whole === base ? undefined : level, roles);
  const disabled = [whole, base]
    .map((name) => findNamed(context, name))
    .find((named) => named && !context.enabled(named.provider));
  // Do not fall back to a similar name, perhaps of another provider.
  if (disabled)
    return { why: [`${selectorOf(disabled)} exists, but the provider ${disabled.provider} is disabled here.`] };
  const why: string[] = [];
  const exact = findExact(context, whole, why);
  if (exact) return { model: exact, why };
  if (level === undefined) return findLoose(context, whole, undefined, why);
  const without = findExact(context, base, why);
  if (without) return { model: without, level, why: [...why, `The suffix ":${level}" is the thinking level.`] };
  return findLoose(context, base, level, why);
}

function resolveRole(
  context: ResolveContext,
  role: string,
  level: ThinkingLevel | undefined,
  roles: readonly string[],
): Found | NotFound {
  if (roles.includes(role)) return { why: [`The role ${[...roles, role].join(" → ")} refers to itself.`] };
  const selector = context.role(role);
  if (selector === undefined) return { why: [`No model is set for the role ${role}.`] };
  const found = resolveSelector(context, selector, [...roles, role]);
  const why = [`The role ${role} is set to ${selector}.`, ...found.why];
  if (!("model" in found)) return { why };
  return level === undefined
    ? { ...found, why }
    : { ...found, level, why: [...why, `The level ${level} was requested.`] };
}

function findExact(context: ResolveContext, text: string, why: string[]): Model | undefined {
  const named = findNamed(context, text);
  if (named) {
    why.push(`${selectorOf(named)} is the full name of a model.`);
    return named;
  }
  const group = context.index.names().byCanonical.get(text.toLowerCase()) ?? [];
  return pick(context, group, why, `"${text}" is the canonical id`) ?? findBare(context, text, why);
}

/** The model with the full name `provider/id`; accepts former provider names. */
export function findNamed({ index, providerAlias }: ResolveContext, text: string): Model | undefined {
  const key = text.toLowerCase();
  const slash = key.indexOf("/");
  return slash < 0 ? undefined : index.bySelector.get(`${providerAlias(key.slice(0, slash))}${key.slice(slash)}`);
}

/** Models with this id; if none of them has a credential, equivalent models of other providers. */
function findBare(context: ResolveContext, text: string, why: string[]): Model | undefined {
  const { byId, byCanonical } = context.index.names();
  const named = byId.get(text.toLowerCase()) ?? [];
  if (named.length === 0 || named.some(({ model }) => context.ready(model)))
    return pick(context, named, why, `"${text}" is the id`);
  const same = new Set(named.flatMap(({ canonical }) => byCanonical.get(canonical.toLowerCase()) ?? []));
  return pick(context, [...same], why, `"${text}" is an id`);
}

/** The best of several exact matches: ready models first, then by provider order. */
function pick(context: ResolveContext, all: readonly IndexEntry[], why: string[], match: string): Model | undefined {
  if (all.length === 0) return undefined;
  const enabled = all.filter(({ model }) => context.enabled(model.provider) && context.isEnabled(model));
  if (enabled.length === 0) {
    why.push(`${match} of ${listSelectors(all)}, but none of them is enabled here.`);
    return undefined;
  }
  const ready = enabled.filter(({ model }) => context.ready(model));
  const best = (ready.length > 0 ? ready : enabled).reduce((a, b) =>
    context.rank(b.model) < context.rank(a.model) ? b : a,
  );
  why.push(`${match} of ${listSelectors(all)}.`);
  if (ready.length === 0) why.push("None of them has a credential.");
  else if (all.length > 1) why.push(`${best.selector} is the first of those that are ready.`);
  return best.model;
}

function findLoose(
  context: ResolveContext,
  text: string,
  level: ThinkingLevel | undefined,
  why: string[],
): Found | NotFound {
  const matching = matchEntries(context, text).filter(({ model }) => context.isEnabled(model));
  const best = bestEntry(context, matching, text);
  if (!best) return { why: [...why, `No model matches "${text}".`] };
  const many = matching.length > 1 ? ` ${matching.length} models match; this is the best match.` : "";
  const match = `${best.selector} matches "${text}".`;
  const found: Found = { model: best.model, why: [...why, `${match}${many}`] };
  if (!context.ready(best.model)) found.why.push("It has no credential.");
  if (level === undefined) return found;
  return { ...found, level, why: [...found.why, `The suffix ":${level}" is the thinking level.`] };
}

/** All enabled models that match a glob or part of a name, in registry order. */
export function matchEntries(context: ResolveContext, text: string): IndexEntry[] {
  const { entries } = context.index.names();
  const lower = text.toLowerCase();
  if (isGlob(text)) {
    const matches = globMatcher(lower);
    return entries.filter(
      ({ model, lowerId, lowerSelector }) =>
        (matches(lowerSelector) || matches(lowerId)) && context.enabled(model.provider),
    );
  }
  const terms = lower.split(/\s+/).map(squeeze).filter(Boolean);
  if (terms.length === 0) return [];
  return entries.filter(
    ({ model, squeezed }) => terms.every((term) => squeezed.includes(term)) && context.enabled(model.provider),
  );
}

/** The best loose match: ready, close to the typed text, from a preferred provider, with the highest version numbers. */
export function bestEntry(
  context: ResolveContext,
  entries: readonly IndexEntry[],
  text: string,
): IndexEntry | undefined {
  const typed = isGlob(text) ? "" : squeeze(text);
  let best: RankedEntry | undefined;
  for (const entry of entries) {
    const keys = [context.ready(entry.model) ? 0 : 1, distance(entry, typed), context.rank(entry.model)];
    if (!best || compare({ entry, keys }, best) < 0) best = { entry, keys };
  }
  return best?.entry;
}

type RankedEntry = { entry: IndexEntry; keys: number[] };

function compare(a: RankedEntry, b: RankedEntry): number {
  for (const [i, key] of a.keys.entries()) if (key !== b.keys[i]) return key - b.keys[i]!;
  return compareNaturally(b.entry.model.id, a.entry.model.id);
}

/** Distance of a name from the typed text; lower is better. Names with a date or variant rank after those without. */
function distance({ model, canonical, squeezedId, squeezedCanonical }: IndexEntry, typed: string): number {
  const isPrefix = squeezedId.startsWith(typed) || squeezedCanonical.startsWith(typed);
  const place = isPrefix ? 0 : squeezedId.includes(typed) ? 1 : 2;
  const varied = /20\d{6}|:/.test(model.id) ? 2 : 0;
  return place * 4 + varied + (canonical === model.id ? 0 : 1);
}

/** Natural order: `gpt-10` is after `gpt-9`. */
function compareNaturally(a: string, b: string): number {
  const [left, right] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (const [i, piece] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const numbers = Number(piece) - Number(other);
    if (numbers !== 0 && !Number.isNaN(numbers)) return numbers;
    if (piece !== other) return piece < other ? -1 : 1;
  }
  return left.length - right.length;
}

function listSelectors(entries: readonly IndexEntry[]): string {
  const shown = entries.slice(0, 5).map(({ selector }) => selector);
  return entries.length > 5 ? `${shown.join(", ")} and ${entries.length - 5} more` : shown.join(", ");
}
