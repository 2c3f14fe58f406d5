import type { Model, ThinkingLevel } from "../model.ts";
import { type Entry, type ModelIndex, selectorOf, squeeze } from "./index-models.ts";
import { globMatcher, isGlob, parseSelector, roleOf } from "./selector.ts";

/** What a resolver goes by. All answer from memory. */
export type ResolveContext = {
  index: ModelIndex;
  /** Whether a provider may be used here at all. */
  enabled(provider: string): boolean;
  /** Enabled, and somebody is logged in or nobody has to be. */
  ready(model: Model): boolean;
  /** Whether it is among those that the settings want. Asking for it by its full name works all the same. */
  wanted(model: Model): boolean;
  /** Lower is sooner. */
  rank(model: Model): number;
  /** What a role stands for. */
  role(name: string): string | undefined;
  providerAlias(provider: string): string;
};

export type Found = { model: Model; level?: ThinkingLevel; why: string[] };
/** Nothing, and why. */
export type NotFound = { why: string[] };

/**
 * What a selector means: a role; else `provider/id`, canonical id or bare id, each first with everything after a colon as
 * part of it; else the best of those whose name holds the words. Never throws.
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
  const shut = [whole, base]
    .map((name) => findNamed(context, name))
    .find((named) => named && !context.enabled(named.provider));
  // Something else with a similar name, perhaps somewhere else, is not what was asked for.
  if (shut) return { why: [`${selectorOf(shut)} is there, but the provider ${shut.provider} is disabled here.`] };
  const why: string[] = [];
  const exact = findExact(context, whole, why);
  if (exact) return { model: exact, why };
  if (level === undefined) return findLoose(context, whole, undefined, why);
  const without = findExact(context, base, why);
  if (without) return { model: without, level, why: [...why, `The end ":${level}" is the thinking level.`] };
  return findLoose(context, base, level, why);
}

function resolveRole(
  context: ResolveContext,
  role: string,
  level: ThinkingLevel | undefined,
  roles: readonly string[],
): Found | NotFound {
  if (roles.includes(role)) return { why: [`The role ${[...roles, role].join(" → ")} points at itself.`] };
  const selector = context.role(role);
  if (selector === undefined) return { why: [`No model is set for the role ${role}.`] };
  const found = resolveSelector(context, selector, [...roles, role]);
  const why = [`The role ${role} stands for ${selector}.`, ...found.why];
  if (!("model" in found)) return { why };
  return level === undefined
    ? { ...found, why }
    : { ...found, level, why: [...why, `The level ${level} was asked for.`] };
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

/** The model that `provider/id` names, the provider by an older name too. */
export function findNamed({ index, providerAlias }: ResolveContext, text: string): Model | undefined {
  const key = text.toLowerCase();
  const slash = key.indexOf("/");
  return slash < 0 ? undefined : index.bySelector.get(`${providerAlias(key.slice(0, slash))}${key.slice(slash)}`);
}

/** Those who call a model so; if nobody is logged in at one of them, others who have the same model. */
function findBare(context: ResolveContext, text: string, why: string[]): Model | undefined {
  const { byId, byCanonical } = context.index.names();
  const named = byId.get(text.toLowerCase()) ?? [];
  if (named.length === 0 || named.some(({ model }) => context.ready(model)))
    return pick(context, named, why, `"${text}" is the id`);
  const same = new Set(named.flatMap(({ canonical }) => byCanonical.get(canonical.toLowerCase()) ?? []));
  return pick(context, [...same], why, `"${text}" is an id`);
}

/** The best of some that are all meant: ready ones first, then by the order of providers. */
function pick(context: ResolveContext, all: readonly Entry[], why: string[], said: string): Model | undefined {
  if (all.length === 0) return undefined;
  const enabled = all.filter(({ model }) => context.enabled(model.provider) && context.wanted(model));
  if (enabled.length === 0) {
    why.push(`${said} of ${names(all)}, but none of them is enabled here.`);
    return undefined;
  }
  const ready = enabled.filter(({ model }) => context.ready(model));
  const best = (ready.length > 0 ? ready : enabled).reduce((a, b) =>
    context.rank(b.model) < context.rank(a.model) ? b : a,
  );
  why.push(`${said} of ${names(all)}.`);
  if (ready.length === 0) why.push("Nobody is logged in at any of them.");
  else if (all.length > 1) why.push(`${best.selector} comes first of those that are ready.`);
  return best.model;
}

function findLoose(
  context: ResolveContext,
  text: string,
  level: ThinkingLevel | undefined,
  why: string[],
): Found | NotFound {
  const matching = matchEntries(context, text).filter(({ model }) => context.wanted(model));
  const best = first(context, matching, text);
  if (!best) return { why: [...why, `No model's name holds "${text}".`] };
  const many = matching.length > 1 ? ` ${matching.length} models match; it is the best of them.` : "";
  const said = isGlob(text) ? `${best.selector} matches "${text}".` : `The name of ${best.selector} holds "${text}".`;
  const found: Found = { model: best.model, why: [...why, `${said}${many}`] };
  if (!context.ready(best.model)) found.why.push("Nobody is logged in there.");
  if (level === undefined) return found;
  return { ...found, level, why: [...found.why, `The end ":${level}" is the thinking level.`] };
}

/** All enabled models that a glob or a part of a name means, in the order of the registry. */
export function matchEntries(context: ResolveContext, text: string): Entry[] {
  const { entries } = context.index.names();
  const lower = text.toLowerCase();
  if (isGlob(text)) {
    const matches = globMatcher(lower);
    return entries.filter(
      ({ model, lowerId, lowerSelector }) =>
        (matches(lowerSelector) || matches(lowerId)) && context.enabled(model.provider),
    );
  }
  const words = lower.split(/\s+/).map(squeeze).filter(Boolean);
  if (words.length === 0) return [];
  return entries.filter(
    ({ model, squeezed }) => words.every((word) => squeezed.includes(word)) && context.enabled(model.provider),
  );
}

/** The best of those that a text means: ready, near to what was typed, of a preferred provider, with the highest numbers. */
export function first(context: ResolveContext, entries: readonly Entry[], text: string): Entry | undefined {
  const typed = isGlob(text) ? "" : squeeze(text);
  let best: Weighed | undefined;
  for (const entry of entries) {
    const keys = [context.ready(entry.model) ? 0 : 1, distance(entry, typed), context.rank(entry.model)];
    if (!best || compare({ entry, keys }, best) < 0) best = { entry, keys };
  }
  return best?.entry;
}

type Weighed = { entry: Entry; keys: number[] };

function compare(a: Weighed, b: Weighed): number {
  for (const [i, key] of a.keys.entries()) if (key !== b.keys[i]) return key - b.keys[i]!;
  return byNumbers(b.entry.model.id, a.entry.model.id);
}

/** How far a name is from what was typed: less is better. A name with a date or a variant is behind the same without. */
function distance({ model, canonical, squeezedId, squeezedCanonical }: Entry, typed: string): number {
  const begins = squeezedId.startsWith(typed) || squeezedCanonical.startsWith(typed);
  const place = begins ? 0 : squeezedId.includes(typed) ? 1 : 2;
  const varied = /20\d{6}|:/.test(model.id) ? 2 : 0;
  return place * 4 + varied + (canonical === model.id ? 0 : 1);
}

/** `gpt-10` is after `gpt-9`. */
function byNumbers(a: string, b: string): number {
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

function names(entries: readonly Entry[]): string {
  const shown = entries.slice(0, 5).map(({ selector }) => selector);
  return entries.length > 5 ? `${shown.join(", ")} and ${entries.length - 5} more` : shown.join(", ");
}
