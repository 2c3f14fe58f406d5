import type { z } from "zod";

const ROUNDS = 8;

/**
 * Parses a model's arguments and tolerates slips with an unambiguous meaning: a number, boolean, list or object in quotes,
 * a single value instead of a list, a number instead of a string, `null` for an omitted field. Only values that the schema
 * rejects are changed.
 */
export function parseLeniently<Schema extends z.ZodType>(schema: Schema, input: unknown) {
  let value: unknown = typeof input === "string" ? (parsedJson(input) ?? input) : (input ?? {});
  let result = schema.safeParse(value);
  for (let round = 0; round < ROUNDS && !result.success; round++) {
    const next = repairIssues(value, result.error.issues);
    if (!next) break;
    value = next.value;
    result = schema.safeParse(value);
  }
  return result;
}

/** The value with each repairable issue fixed; `undefined` if none can be. */
function repairIssues(value: unknown, issues: readonly z.core.$ZodIssue[]): { value: unknown } | undefined {
  const copy = structuredClone(value);
  let changed = false;
  for (const issue of issues) {
    const key = issue.path.at(-1);
    const parent = issue.path.slice(0, -1).reduce<unknown>((at, step) => property(at, step), copy);
    if (key === undefined || typeof parent !== "object" || parent === null) continue;
    const before = property(parent, key);
    if (before === null && !Array.isArray(parent)) {
      Reflect.deleteProperty(parent, key);
      changed = true;
      continue;
    }
    const after = coerceValue(before, expectation(issue));
    if (after === undefined) continue;
    Reflect.set(parent, key, after);
    changed = true;
  }
  return changed ? { value: copy } : undefined;
}

function property(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return issue.expected;
  return issue.code === "invalid_union" ? "union" : "";
}

function coerceValue(value: unknown, expected: string): unknown {
  if (typeof value === "string") return fromText(value, expected);
  if (expected === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (expected === "array" && value !== undefined) return [value];
  return undefined;
}

function fromText(text: string, expected: string): unknown {
  const trimmed = text.trim();
  if (expected === "number" || expected === "int") {
    return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
  }
  if (expected === "boolean") return ({ true: true, false: false } as Record<string, boolean>)[trimmed.toLowerCase()];
  const json = parsedJson(trimmed);
  if (expected === "array") return Array.isArray(json) ? json : [text];
  if (expected === "object" || expected === "record" || expected === "union") return json;
  return undefined;
}

/** The list or object in a text; `undefined` if there is none. */
function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
