import { asArray, asObject, type Json } from "../json.ts";

/** What Google reads of JSON Schema. */
const KNOWN = new Set([
  ...["type", "format", "title", "description", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum"],
  ...["maximum", "anyOf", "properties", "additionalProperties", "required"],
]);
/** What it does not read, but a model may. */
const SPILLED = [
  "pattern",
  "minLength",
  "maxLength",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "default",
  "examples",
];
const DEEPEST = 24;

/** A tool's parameters in the part of JSON Schema that Google knows; what cannot be said is left open or told in words. */
export function googleParameters(parameters: Json): Json {
  const schema = simplify(parameters, parameters, 0);
  return schema.type === "object" ? schema : { type: "object", properties: {} };
}

function simplify(schema: Json, root: Json, depth: number): Json {
  if (depth > DEEPEST) return { type: "object" };
  const whole = unfolded(schema, root, depth);
  const result: Json = {};
  for (const [key, value] of Object.entries(whole)) {
    if (KNOWN.has(key)) result[key] = value;
  }
  if (whole.const !== undefined) result.enum = [whole.const];
  const variants = asArray(whole.anyOf ?? whole.oneOf);
  if (variants.length > 0) result.anyOf = variants.map((each) => simplify(asObject(each), root, depth + 1));
  if (Array.isArray(whole.type)) Object.assign(result, typesAsVariants(whole.type, result));
  if (result.properties) result.properties = each(asObject(result.properties), root, depth);
  if (result.items) result.items = simplify(asObject(result.items), root, depth + 1);
  if (Array.isArray(result.prefixItems)) {
    result.prefixItems = result.prefixItems.map((item) => simplify(asObject(item), root, depth + 1));
  }
  if (typeof result.additionalProperties === "object") {
    result.additionalProperties = simplify(asObject(result.additionalProperties), root, depth + 1);
  }
  if (whole.type === undefined && whole.properties) result.type = "object";
  // Google refuses values that are no text.
  if (Array.isArray(result.enum) && result.enum.some((value) => typeof value !== "string")) delete result.enum;
  return describe(result, whole);
}

function each(properties: Json, root: Json, depth: number): Json {
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

function unfolded(schema: Json, root: Json, depth: number): Json {
  let whole = schema;
  for (let hop = 0; typeof whole.$ref === "string" && hop + depth <= DEEPEST; hop++) {
    const { $ref, ...beside } = whole;
    let target: unknown = root;
    for (const key of $ref.replace(/^#\/?/, "").split("/")) target = asObject(target)[key];
    whole = { ...asObject(target), ...beside };
  }
  const all = asArray(whole.allOf);
  if (all.length === 0) return whole;
  const { allOf: _allOf, ...beside } = whole;
  return all.map((part) => unfolded(asObject(part), root, depth + 1)).reduceRight(merged, beside);
}

function merged(over: Json, under: Json): Json {
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

function describe(result: Json, whole: Json): Json {
  const notes = SPILLED.filter((key) => key in whole).map((key) => `${key}: ${JSON.stringify(whole[key])}`);
  if (Array.isArray(whole.enum) && !result.enum) notes.push(`one of ${JSON.stringify(whole.enum)}`);
  if (notes.length === 0) return result;
  const said = typeof whole.description === "string" ? `${whole.description} ` : "";
  return { ...result, description: `${said}[${notes.join(", ")}]` };
}
