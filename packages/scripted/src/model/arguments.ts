import { asArray, asObject, type Json } from "../json.ts";

/**
 * Fits `wanted` into a JSON schema: keeps the fields that the schema has, and makes up required ones that are missing.
 * Without properties in the schema, `wanted` passes unchanged.
 */
export function fitArguments(schema: Json, wanted: Json): Json {
  if (Object.keys(asObject(schema.properties)).length === 0) return wanted;
  return fitObject(schema, wanted);
}

/** Some value that the schema allows. */
export function inventValue(schema: Json, text = "scripted value"): unknown {
  if (schema.const !== undefined) return schema.const;
  const choices = asArray(schema.enum);
  if (choices.length > 0) return choices[0];
  const variant = variantOf(schema);
  if (variant) return inventValue(variant, text);
  switch (typeOf(schema)) {
    case "object":
      return fitObject(schema, {}, text);
    case "array":
      return Array.from({ length: Math.max(1, Number(schema.minItems ?? 1)) }, () =>
        inventValue(asObject(schema.items), text),
      );
    case "integer":
    case "number":
      return schema.minimum ?? 30;
    case "boolean":
      return false;
    default:
      return text;
  }
}

/** The schema's type in lower case (Gemini uses upper case), without `null`. */
export function typeOf(schema: Json): string {
  const declared = Array.isArray(schema.type) ? schema.type.find((type) => type !== "null") : schema.type;
  if (typeof declared === "string") return declared.toLowerCase();
  const variant = variantOf(schema);
  if (variant) return typeOf(variant);
  return schema.properties ? "object" : "string";
}

function fitObject(schema: Json, wanted: Json, text?: string): Json {
  const required = asArray(schema.required);
  const result: Json = {};
  for (const [key, value] of Object.entries(asObject(schema.properties))) {
    if (Object.hasOwn(wanted, key)) result[key] = fitValue(asObject(value), wanted[key]);
    else if (required.includes(key)) result[key] = inventValue(asObject(value), text);
  }
  const open = schema.additionalProperties === true || Object.keys(asObject(schema.additionalProperties)).length > 0;
  return open ? { ...wanted, ...result } : result;
}

function fitValue(schema: Json, wanted: unknown): unknown {
  const type = typeOf(schema);
  if (type === "array" && Array.isArray(wanted)) return wanted.map((item) => fitValue(asObject(schema.items), item));
  if (type === "object" && typeof wanted === "object" && wanted !== null) return fitArguments(schema, asObject(wanted));
  if (type === "string" && Array.isArray(wanted)) return numberSteps(wanted.map(asObject));
  const choices = asArray(schema.enum);
  return choices.length > 0 && !choices.includes(wanted) ? choices[0] : wanted;
}

/** A list of steps in Droid's format: `1. [pending] step A`. */
function numberSteps(steps: Json[]): string {
  return steps.map(({ status, content }, index) => `${index + 1}. [${status}] ${content}`).join("\n");
}

function variantOf(schema: Json): Json | undefined {
  if (schema.type || schema.properties) return undefined;
  const variants = asArray(schema.anyOf ?? schema.oneOf).map(asObject);
  return variants.find((variant) => variant.type !== "null");
}
