import type { Model, ThinkingLevel } from "../model.ts";
import { bestEntry, findNamed, matchEntries, type ResolveContext, resolveSelector } from "./resolve.ts";
import { isGlob, parseSelector, roleOf } from "./selector.ts";

export type ScopedModel = { model: Model; level?: ThinkingLevel };

/**
 * Expands patterns to models, in order and without duplicates. A full name gives that model, a canonical id all its
 * models, a glob all matches, a role its model, and part of a name the best match (`"all"`: all matches).
 */
export function expandScope(
  context: ResolveContext,
  patterns: readonly string[],
  loose: "best" | "all" = "best",
): ScopedModel[] {
  const found = new Map<Model, ScopedModel>();
  for (const pattern of patterns) {
    for (const one of expandPattern(context, pattern, loose)) if (!found.has(one.model)) found.set(one.model, one);
  }
  return [...found.values()];
}

function expandPattern(context: ResolveContext, pattern: string, loose: "best" | "all"): ScopedModel[] {
  const { whole, base, level } = parseSelector(pattern);
  if (whole === "") return [];
  if (roleOf(base) !== undefined) {
    const found = resolveSelector(context, whole);
    return "model" in found ? [makeScopedModel(found.model, found.level)] : [];
  }
  const literal = findExactMatches(context, whole);
  if (literal.length > 0) return literal.map((model) => makeScopedModel(model));
  const named = level === undefined ? [] : findExactMatches(context, base);
  if (named.length > 0) return named.map((model) => makeScopedModel(model, level));
  const entries = matchEntries(context, base);
  const best = isGlob(base) || loose === "all" ? entries : [bestEntry(context, entries, base)];
  return best.flatMap((entry) => (entry ? [makeScopedModel(entry.model, level)] : []));
}

function findExactMatches(context: ResolveContext, text: string): Model[] {
  const named = findNamed(context, text);
  const key = text.toLowerCase();
  const { byCanonical, byId } = context.index.names();
  const models = named ? [named] : (byCanonical.get(key) ?? byId.get(key) ?? []).map(({ model }) => model);
  return models.filter(({ provider }) => context.enabled(provider));
}

function makeScopedModel(model: Model, level?: ThinkingLevel): ScopedModel {
  return level === undefined ? { model } : { model, level };
}
