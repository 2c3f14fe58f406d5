import { asArray, asObject, type Json } from "../json.ts";

/** JSON Schema keywords that Google supports. */
const SUPPORTED = new Set([
  ...["type", "format", "title", "description", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum"],
  ...["maximum", "anyOf", "properties", "additionalProperties", "required"],
]);
/** Unsupported keywords that are useful to the model, moved into the description. */
const DESCRIBED_KEYWORDS = [
  "pattern",
  "minLength",
  "maxLength",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "default",
  "examples",
];
const MAX_DEPTH = 24;

/** A tool's parameters in Google's subset of JSON Schema. Unsupported rules are dropped or described in text. */
export function googleParameters(parameters: Json): Json {
  const schema = simplify(parameters, parameters, 0);
  return schema.type === "object" ? schema : { type: "object", properties: {} };
}

function simplify(schema: Json, root: Json, depth: number): Json {
  if (depth > MAX_DEPTH) return { type: "object" };
  const whole = inlineReferences(schema, root, depth);
  const result: Json = {};
  for (const [key, value] of Object.entries(whole)) {
    if (SUPPORTED.has(key)) result[key] = value;
  }
  if (whole.const !== undefined) result.enum = [whole.const];
  const variants = asArray(whole.anyOf ?? whole.oneOf);
  if (variants.length > 0) result.anyOf = variants.map((each) => simplify(asObject(each), root, depth + 1));
  if (Array.isArray(whole.type)) Object.assign(result, typesAsVariants(whole.type, result));
  if (result.properties) result.properties = simplifyProperties(asObject(result.properties), root, depth);
  if (result.items) result.items = simplify(asObject(result.items), root, depth + 1);
  if (Array.isArray(result.prefixItems)) {
    result.prefixItems = result.prefixItems.map((item) => simplify(asObject(item), root, depth + 1));
  }
  if (typeof result.additionalProperties === "object") {
    result.additionalProperties = simplify(asObject(result.additionalProperties), root, depth + 1);
  }
  if (whole.type === undefined && whole.properties) result.type = "object";
  // Google rejects enum values that are not strings.
  if (Array.isArray(result.enum) && result.enum.some((value) => typeof value !== "string")) delete result.enum;
  return describeKeywords(result, whole);
}

function simplifyProperties(properties: Json, root: Json, depth: number): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, simplify(asObject(value), root, depth + 1)]),
  );
}

function typesAsVariants(types: unknown[], schema: Json): Json {
  const real = types.filter((type) => type !== "null");
  if (real.length === 1 && !types.includes("null")) return { type: real[0] };
  const { description: _description, ...rest } = schema;
  const variants = real.map((type) => ({ ...rest, type, anyOf: undefined }));
  const all = [...variants, ...(types.includes("null") ? [{ type: "null" }] : [])];
  return { type: undefined, properties: undefined, items: undefined, enum: undefined, anyOf: all };
}

function inlineReferences(schema: Json, root: Json, depth: number): Json {
  let whole = schema;
  for (let hop = 0; typeof whole.$ref === "string" && hop + depth <= MAX_DEPTH; hop++) {
    const { $ref, ...siblings } = whole;
    let target: unknown = root;
    for (const key of $ref.replace(/^#\/?/, "").split("/")) target = asObject(target)[key];
    whole = { ...asObject(target), ...siblings };
  }
  const all = asArray(whole.allOf);
  if (all.length === 0) return whole;
  const { allOf: _allOf, ...siblings } = whole;
  return all.map((part) => inlineReferences(asObject(part), root, depth + 1)).reduceRight(mergeSchemas, siblings);
}

function mergeSchemas(over: Json, under: Json): Json {
  return {
    ...under,
    ...over,
    ...(under.properties || over.properties
      ? { properties: { ...asObject(under.properties), ...asObject(over.properties) } }
      : {}),
    ...(under.required || over.required
      ? { required: [...new Set([...asArray(under.required), ...asArray(over.required)])] }
      : {}),
  };
}

function describeKeywords(result: Json, whole: Json): Json {
  const notes = DESCRIBED_KEYWORDS.filter((key) => key in whole).map((key) => `${key}: ${JSON.stringify(whole[key])}`);
  if (Array.isArray(whole.enum) && !result.enum) notes.push(`one of ${JSON.stringify(whole.enum)}`);
  if (notes.length === 0) return result;
  const original = typeof whole.description === "string" ? `${whole.description} ` : "";
  return { ...result, description: `${original}[${notes.join(", ")}]` };
}
