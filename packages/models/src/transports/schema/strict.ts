import type { ToolSpec } from "../../stream.ts";
import { asArray, asObject, type Json } from "../json.ts";

/** Keywords that strict mode does not support. They are moved into the description. */
const DESCRIBED_KEYWORDS = [
  ...["pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "examples"],
];
const DROPPED = new Set([
  ...DESCRIBED_KEYWORDS,
  "$schema",
  "$id",
  "$comment",
  "title",
  "default",
  "deprecated",
  "readOnly",
]);
const UNSUPPORTED = [
  "patternProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "$dynamicRef",
];
const MAX_DEPTH = 40;

class NotStrict extends Error {}

/** Treatment of optional properties: OpenAI requires all properties, Anthropic supports optional ones. */
type Optional = "nullable" | "unchanged";
type Scope = { root: Json; optional: Optional };

/**
 * A tool's parameters under the rules of strict mode: objects are closed, every property is required, and optional ones
 * become nullable. `undefined`: strict mode cannot express the schema; the tool is then sent without `strict`.
 */
export function strictParameters(parameters: Json, optional: Optional = "nullable"): Json | undefined {
  try {
    const strict = enforce(parameters, { root: parameters, optional }, 0);
    return strict.type === "object" ? strict : undefined;
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}

/** Removes nulls from arguments that only mean "not given", at any depth. */
export function withoutNulls(args: Json, parameters: Json): Json {
  const properties = asObject(parameters.properties);
  const required = asArray(parameters.required);
  const given = Object.entries(args).filter(
    ([key, value]) =>
      value !== null || required.includes(key) || !Object.hasOwn(properties, key) || allowsNull(properties[key]),
  );
  return Object.fromEntries(given.map(([key, value]) => [key, removeNulls(value, asObject(properties[key]))]));
}

function removeNulls(value: unknown, schema: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => removeNulls(item, asObject(schema.items)));
  return typeof value === "object" && value !== null && schema.properties ? withoutNulls(value as Json, schema) : value;
}

/** The parameters to send for a tool, and whether to send `strict`. */
export function strictTool(
  tool: ToolSpec,
  requested: boolean,
  optional?: Optional,
): { parameters: Json; strict: boolean } {
  const strict = requested ? strictParameters(tool.parameters, optional) : undefined;
  return strict ? { parameters: strict, strict: true } : { parameters: tool.parameters, strict: false };
}

function enforce(schema: Json, scope: Scope, depth: number): Json {
  if (depth > MAX_DEPTH) throw new NotStrict("recursive");
  const whole = inlineReferences(schema, scope.root, depth);
  if (UNSUPPORTED.some((key) => key in whole)) throw new NotStrict("unknown keyword");
  const supported = Object.fromEntries(
    Object.entries(whole).filter(([key]) => !DROPPED.has(key) && key !== "$defs" && key !== "definitions"),
  );
  const described = describeKeywords(supported, whole);
  const alternatives = asArray(whole.anyOf ?? whole.oneOf);
  if (alternatives.length > 0) {
    const { oneOf: _oneOf, ...rest } = described;
    return { ...rest, anyOf: alternatives.map((each) => enforce(asObject(each), scope, depth + 1)) };
  }
  if (whole.type === "object" || whole.properties) return closeObject(described, whole, scope, depth);
  if (whole.type === "array") {
    if (!whole.items || Array.isArray(whole.items)) throw new NotStrict("items");
    return { ...described, items: enforce(asObject(whole.items), scope, depth + 1) };
  }
  return inferType(described);
}

function closeObject(described: Json, whole: Json, scope: Scope, depth: number): Json {
  const open = whole.additionalProperties;
  if (open === true || (typeof open === "object" && open !== null)) throw new NotStrict("open object");
  if (open === undefined && !whole.properties && depth > 0) throw new NotStrict("any object");
  const required = asArray(whole.required);
  const properties = Object.fromEntries(
    Object.entries(asObject(whole.properties)).map(([name, value]) => {
      const strict = enforce(asObject(value), scope, depth + 1);
      return [name, required.includes(name) || scope.optional === "unchanged" ? strict : makeNullable(strict)];
    }),
  );
  const all = scope.optional === "unchanged" ? required : Object.keys(properties);
  return { ...described, type: "object", properties, required: all, additionalProperties: false };
}

function inferType(schema: Json): Json {
  if (schema.type) return schema;
  const values = schema.const === undefined ? asArray(schema.enum) : [schema.const];
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  if (types.length !== 1 || types[0] === "object") throw new NotStrict("no type");
  return { ...schema, type: types[0] };
}

function makeNullable(schema: Json): Json {
  if (allowsNull(schema)) return schema;
  const { description, ...rest } = schema;
  return { anyOf: [rest, { type: "null" }], ...(description ? { description } : {}) };
}

function allowsNull(schema: unknown): boolean {
  const { type, anyOf, oneOf } = asObject(schema);
  if (type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  return asArray(anyOf ?? oneOf).some((each) => allowsNull(each));
}

/** Replaces internal references by their targets. Sibling keywords win. */
function inlineReferences(schema: Json, root: Json, depth: number): Json {
  let whole = schema;
  for (let hop = 0; typeof whole.$ref === "string"; hop++) {
    if (hop + depth > MAX_DEPTH) throw new NotStrict("recursive");
    const { $ref, ...siblings } = whole;
    const path = /^#\/(.+)$/.exec($ref)?.[1];
    if (path === undefined) throw new NotStrict("foreign reference");
    let target: unknown = root;
    for (const key of path.split("/")) {
      target = asObject(target)[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    if (target === undefined) throw new NotStrict("reference to nothing");
    whole = { ...asObject(target), ...siblings };
  }
  const all = asArray(whole.allOf);
  if (all.length === 0) return whole;
  if (all.length > 1) throw new NotStrict("allOf");
  const { allOf: _allOf, ...siblings } = whole;
  return { ...inlineReferences(asObject(all[0]), root, depth + 1), ...siblings };
}

/** Adds unsupported rules to the description, for the model. */
function describeKeywords(supported: Json, whole: Json): Json {
  const notes = DESCRIBED_KEYWORDS.filter((key) => key in whole).map((key) => `${key}: ${JSON.stringify(whole[key])}`);
  const preset = whole.default === undefined ? "" : ` (default: ${JSON.stringify(whole.default)})`;
  const original = typeof whole.description === "string" ? whole.description : "";
  const description = `${original}${preset}${notes.length > 0 ? ` [${notes.join(", ")}]` : ""}`.trim();
  return description === "" ? supported : { ...supported, description };
}
