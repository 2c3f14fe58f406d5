import type { Model, ThinkingLevel } from "../model.ts";
import { findNamed, first, matchEntries, type ResolveContext, resolveSelector } from "./resolve.ts";
import { isGlob, parseSelector, roleOf } from "./selector.ts";

export type ScopedModel = { model: Model; level?: ThinkingLevel };

/**
 * The models that a list of patterns means, in its order, each once: a full name is that model, a canonical id all who
 * have it, a glob all that match, a role its model, and part of a name the best that has it (`"all"`: all that have it).
 */
export function expandScope(
  context: ResolveContext,
  patterns: readonly string[],
  loose: "best" | "all" = "best",
): ScopedModel[] {
  const found = new Map<Model, ScopedModel>();
  for (const pattern of patterns) {
    for (const one of expand(context, pattern, loose)) if (!found.has(one.model)) found.set(one.model, one);
  }
  return [...found.values()];
}

function expand(context: ResolveContext, pattern: string, loose: "best" | "all"): ScopedModel[] {
  const { whole, base, level } = parseSelector(pattern);
  if (whole === "") return [];
  if (roleOf(base) !== undefined) {
    const found = resolveSelector(context, whole);
    return "model" in found ? [scoped(found.model, found.level)] : [];
  }
  const literal = exact(context, whole);
  if (literal.length > 0) return literal.map((model) => scoped(model));
  const named = level === undefined ? [] : exact(context, base);
  if (named.length > 0) return named.map((model) => scoped(model, level));
  const entries = matchEntries(context, base);
  const best = isGlob(base) || loose === "all" ? entries : [first(context, entries, base)];
  return best.flatMap((entry) => (entry ? [scoped(entry.model, level)] : []));
}

function exact(context: ResolveContext, text: string): Model[] {
  const named = findNamed(context, text);
  const key = text.toLowerCase();
  const { byCanonical, byId } = context.index.names();
  const models = named ? [named] : (byCanonical.get(key) ?? byId.get(key) ?? []).map(({ model }) => model);
  return models.filter(({ provider }) => context.enabled(provider));
}

function scoped(model: Model, level?: ThinkingLevel): ScopedModel {
  return level === undefined ? { model } : { model, level };
}
