import { faultsAt, type GateSchema } from "../../gates/schema.ts";

/** Keywords that are checked as they are. */
const PLAIN = [
  "type",
  "enum",
  "const",
  "required",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minimum",
  "maximum",
] as const;

/** Schemas below this depth are not checked: a schema that refers to itself has no end. */
const DEEPEST = 12;

/**
 * The check of a host tool's arguments against its declared JSON Schema. A valid argument always passes: a keyword that
 * Gantry does not know is left to the host, and so is the difference between `oneOf` and `anyOf`. Returns what is wrong,
 * as text for the model.
 */
export function createArgumentCheck(parameters: Record<string, unknown>): (args: unknown) => string | undefined {
  let schema: GateSchema | undefined;
  return (args) => {
    schema ??= checkedPart(parameters, parameters, 0);
    const faults = faultsAt(schema, args, "");
    if (faults.length === 0) return undefined;
    return faults.map(({ path, message }) => (path === "" ? message : `${path.slice(1)} ${message}`)).join("; ");
  };
}

/** The part of a schema that is checked. */
function checkedPart(schema: unknown, root: GateSchema, depth: number): GateSchema {
  if (schema === false) return { enum: [] };
  if (!isObject(schema) || depth > DEEPEST) return {};
  const part = (inner: unknown) => checkedPart(inner, root, depth + 1);
  if (typeof schema.$ref === "string") return part(definitionOf(schema.$ref, root));
  const checked: GateSchema = {};
  for (const keyword of PLAIN) if (isUsable(keyword, schema[keyword])) checked[keyword] = schema[keyword];
  if (isObject(schema.properties)) {
    const entries = Object.entries(schema.properties).map(([name, inner]) => [name, part(inner)]);
    checked.properties = Object.fromEntries(entries);
  }
  // With patterns, the names that count as additional are not known here.
  if (schema.additionalProperties !== undefined && schema.patternProperties === undefined) {
    const { additionalProperties } = schema;
    checked.additionalProperties = additionalProperties === false ? false : part(additionalProperties);
  }
  if (isObject(schema.items) && schema.prefixItems === undefined) checked.items = part(schema.items);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices) && choices.length > 0) checked.anyOf = choices.map(part);
  return checked;
}

/** A keyword with a value that JSON Schema does not allow is ignored. */
function isUsable(keyword: (typeof PLAIN)[number], value: unknown): boolean {
  if (value === undefined) return false;
  if (keyword === "enum" || keyword === "required") return Array.isArray(value);
  return true;
}

/** A definition in the same schema: `#`, `#/$defs/name`, `#/definitions/name`. */
function definitionOf(reference: string, root: GateSchema): unknown {
  if (!reference.startsWith("#")) return {};
  const names = reference.slice(1).split("/").slice(1);
  return names.reduce<unknown>((at, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : {};
  }, root);
}

function isObject(value: unknown): value is GateSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
