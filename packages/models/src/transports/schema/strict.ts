import type { ToolSpec } from "../../stream.ts";
import { asArray, asObject, type Json } from "../json.ts";

/** What strict mode does not know; what it says to people goes into the description. */
const SPILLED = [
  ...["pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "examples"],
];
const DROPPED = new Set([...SPILLED, "$schema", "$id", "$comment", "title", "default", "deprecated", "readOnly"]);
const UNKNOWN = ["patternProperties", "propertyNames", "not", "if", "then", "else", "dependentRequired", "$dynamicRef"];
const DEEPEST = 40;

class NotStrict extends Error {}

/** What becomes of properties that need not be given: OpenAI wants them all, Anthropic takes them as they are. */
type Optional = "nullable" | "kept";
type Scope = { root: Json; optional: Optional };

/**
 * A tool's parameters after the rules of strict mode: objects are closed, everything is required, what was optional may
 * be null. `undefined`: the schema says something that cannot be said so; then it is sent as it is, without `strict`.
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

/** Takes back out of arguments the nulls that only stand for "not given", at any depth. */
export function withoutNulls(args: Json, parameters: Json): Json {
  const properties = asObject(parameters.properties);
  const required = asArray(parameters.required);
  const kept = Object.entries(args).filter(
    ([key, value]) =>
      value !== null || required.includes(key) || !Object.hasOwn(properties, key) || allowsNull(properties[key]),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, cleaned(value, asObject(properties[key]))]));
}

function cleaned(value: unknown, schema: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, asObject(schema.items)));
  return typeof value === "object" && value !== null && schema.properties ? withoutNulls(value as Json, schema) : value;
}

/** A tool's parameters as they are sent, and whether strict mode goes with them. */
export function strictTool(
  tool: ToolSpec,
  wanted: boolean,
  optional?: Optional,
): { parameters: Json; strict: boolean } {
  const strict = wanted ? strictParameters(tool.parameters, optional) : undefined;
  return strict ? { parameters: strict, strict: true } : { parameters: tool.parameters, strict: false };
}

function enforce(schema: Json, scope: Scope, depth: number): Json {
  if (depth > DEEPEST) throw new NotStrict("recursive");
  const whole = inlined(schema, scope.root, depth);
  if (UNKNOWN.some((key) => key in whole)) throw new NotStrict("unknown keyword");
  const kept = Object.fromEntries(
    Object.entries(whole).filter(([key]) => !DROPPED.has(key) && key !== "$defs" && key !== "definitions"),
  );
  const described = describe(kept, whole);
  const alternatives = asArray(whole.anyOf ?? whole.oneOf);
  if (alternatives.length > 0) {
    const { oneOf: _oneOf, ...rest } = described;
    return { ...rest, anyOf: alternatives.map((each) => enforce(asObject(each), scope, depth + 1)) };
  }
  if (whole.type === "object" || whole.properties) return closed(described, whole, scope, depth);
  if (whole.type === "array") {
    if (!whole.items || Array.isArray(whole.items)) throw new NotStrict("items");
    return { ...described, items: enforce(asObject(whole.items), scope, depth + 1) };
  }
  return primitive(described);
}

function closed(described: Json, whole: Json, scope: Scope, depth: number): Json {
  const open = whole.additionalProperties;
  if (open === true || (typeof open === "object" && open !== null)) throw new NotStrict("open object");
  if (open === undefined && !whole.properties && depth > 0) throw new NotStrict("any object");
  const required = asArray(whole.required);
  const properties = Object.fromEntries(
    Object.entries(asObject(whole.properties)).map(([name, value]) => {
      const strict = enforce(asObject(value), scope, depth + 1);
      return [name, required.includes(name) || scope.optional === "kept" ? strict : nullable(strict)];
    }),
  );
  const all = scope.optional === "kept" ? required : Object.keys(properties);
  return { ...described, type: "object", properties, required: all, additionalProperties: false };
}

function primitive(schema: Json): Json {
  if (schema.type) return schema;
  const values = schema.const === undefined ? asArray(schema.enum) : [schema.const];
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  if (types.length !== 1 || types[0] === "object") throw new NotStrict("no type");
  return { ...schema, type: types[0] };
}

function nullable(schema: Json): Json {
  if (allowsNull(schema)) return schema;
  const { description, ...rest } = schema;
  return { anyOf: [rest, { type: "null" }], ...(description ? { description } : {}) };
}

function allowsNull(schema: unknown): boolean {
  const { type, anyOf, oneOf } = asObject(schema);
  if (type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  return asArray(anyOf ?? oneOf).some((each) => allowsNull(each));
}

/** References of the document itself are put where they point to; what stands beside them wins. */
function inlined(schema: Json, root: Json, depth: number): Json {
  let whole = schema;
  for (let hop = 0; typeof whole.$ref === "string"; hop++) {
    if (hop + depth > DEEPEST) throw new NotStrict("recursive");
    const { $ref, ...beside } = whole;
    const path = /^#\/(.+)$/.exec($ref)?.[1];
    if (path === undefined) throw new NotStrict("foreign reference");
    let target: unknown = root;
    for (const key of path.split("/")) {
      target = asObject(target)[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    if (target === undefined) throw new NotStrict("reference to nothing");
    whole = { ...asObject(target), ...beside };
  }
  const all = asArray(whole.allOf);
  if (all.length === 0) return whole;
  if (all.length > 1) throw new NotStrict("allOf");
  const { allOf: _allOf, ...beside } = whole;
  return { ...inlined(asObject(all[0]), root, depth + 1), ...beside };
}

/** Rules that strict mode cannot hold are told to the model instead. */
function describe(kept: Json, whole: Json): Json {
  const notes = SPILLED.filter((key) => key in whole).map((key) => `${key}: ${JSON.stringify(whole[key])}`);
  const preset = whole.default === undefined ? "" : ` (default: ${JSON.stringify(whole.default)})`;
  const said = typeof whole.description === "string" ? whole.description : "";
  const description = `${said}${preset}${notes.length > 0 ? ` [${notes.join(", ")}]` : ""}`.trim();
  return description === "" ? kept : { ...kept, description };
}
