import { canonicalJson } from "./canonical.ts";

/** The supported subset of JSON Schema 2020-12. Other keywords are rejected, because they would not be checked. */
const KEYWORDS = new Set([
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minimum",
  "maximum",
  "title",
  "description",
  "oneOf",
  "anyOf",
]);
const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

const LIMITS = {
  schemaBytes: 64 * 1024,
  depth: 16,
  properties: 256,
  enumValues: 512,
  answerBytes: 256 * 1024,
} as const;

export type GateSchema = { [keyword: string]: unknown };
export type SchemaFault = { path: string; keyword: string; message: string; expected?: unknown };

/** Why a schema cannot be used, as text; `undefined` if it can. */
export function schemaProblem(schema: unknown): string | undefined {
  if (Buffer.byteLength(canonicalJson(schema)) > LIMITS.schemaBytes) {
    return `the schema is larger than ${LIMITS.schemaBytes} bytes`;
  }
  const counts = { properties: 0, enumValues: 0 };
  return problemAt(schema, "", 0, counts);
}

function problemAt(schema: unknown, path: string, depth: number, counts: Counts): string | undefined {
  if (depth > LIMITS.depth) return `${path || "/"}: nested deeper than ${LIMITS.depth}`;
  if (!isObject(schema)) return `${path || "/"}: a schema must be an object`;
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) return `${path || "/"}: the keyword ${unknown} is not supported`;
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const badType = types.find((type) => !TYPES.has(type as string));
  if (badType !== undefined) return `${path}/type: ${String(badType)} is no type`;
  if (schema.enum !== undefined) {
    if (!Array.isArray(schema.enum)) return `${path}/enum: must be a list`;
    counts.enumValues += schema.enum.length;
    if (counts.enumValues > LIMITS.enumValues) return `${path}/enum: more than ${LIMITS.enumValues} values`;
  }
  if (schema.required !== undefined && !isTextList(schema.required)) return `${path}/required: must be a list of names`;
  return partsProblem(schema, path, depth, counts);
}

type Counts = { properties: number; enumValues: number };

function partsProblem(schema: GateSchema, path: string, depth: number, counts: Counts): string | undefined {
  if (schema.properties !== undefined) {
    if (!isObject(schema.properties)) return `${path}/properties: must be an object`;
    counts.properties += Object.keys(schema.properties).length;
    if (counts.properties > LIMITS.properties) return `${path}/properties: more than ${LIMITS.properties}`;
    for (const [name, part] of Object.entries(schema.properties)) {
      const problem = problemAt(part, `${path}/properties/${name}`, depth + 1, counts);
      if (problem) return problem;
    }
  }
  const { additionalProperties } = schema;
  const nested: [string, unknown][] = [];
  if (additionalProperties !== undefined && typeof additionalProperties !== "boolean") {
    nested.push(["additionalProperties", additionalProperties]);
  }
  if (schema.items !== undefined) nested.push(["items", schema.items]);
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = schema[keyword];
    if (choices === undefined) continue;
    if (!Array.isArray(choices) || choices.length === 0) return `${path}/${keyword}: must be a list of schemas`;
    for (const [at, choice] of choices.entries()) nested.push([`${keyword}/${at}`, choice]);
  }
  for (const [name, part] of nested) {
    const problem = problemAt(part, `${path}/${name}`, depth + 1, counts);
    if (problem) return problem;
  }
  return undefined;
}

/** All violations of a schema that passed `schemaProblem`. */
export function answerFaults(schema: GateSchema, answer: unknown): SchemaFault[] {
  if (Buffer.byteLength(canonicalJson(answer)) > LIMITS.answerBytes) {
    const message = `must not be larger than ${LIMITS.answerBytes} bytes`;
    return [{ path: "/answer", keyword: "maxLength", message, expected: LIMITS.answerBytes }];
  }
  return faultsAt(schema, answer, "/answer");
}

/** All violations of a value at `path`, without a limit of its size. */
export function faultsAt(schema: GateSchema, value: unknown, path: string): SchemaFault[] {
  const fault = (keyword: string, message: string, expected?: unknown): SchemaFault => ({
    path,
    keyword,
    message,
    ...(expected === undefined ? {} : { expected }),
  });
  const types = schema.type === undefined ? [] : ([schema.type].flat() as string[]);
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    return [fault("type", `must be ${types.join(" or ")}`, schema.type)];
  }
  const faults: SchemaFault[] = [];
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isEqual(one, value))) {
    faults.push(
      fault("enum", `must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(", ")}`, schema.enum),
    );
  }
  if ("const" in schema && !isEqual(schema.const, value)) {
    faults.push(fault("const", `must be ${JSON.stringify(schema.const)}`, schema.const));
  }
  faults.push(...sizeFaults(schema, value, fault), ...memberFaults(schema, value, path, fault));
  faults.push(...choiceFaults(schema, value, path, fault));
  return faults;
}

type MakeFault = (keyword: string, message: string, expected?: unknown) => SchemaFault;

function sizeFaults(schema: GateSchema, value: unknown, fault: MakeFault): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const checkBound = (keyword: string, size: number, what: string) => {
    const limit = schema[keyword];
    if (typeof limit !== "number") return;
    const tooLow = keyword.startsWith("min") && size < limit;
    const tooHigh = keyword.startsWith("max") && size > limit;
    if (tooLow || tooHigh)
      faults.push(fault(keyword, `must ${tooLow ? "be at least" : "be at most"} ${limit}${what}`, limit));
  };
  if (typeof value === "string") {
    const length = [...value].length;
    checkBound("minLength", length, " characters");
    checkBound("maxLength", length, " characters");
  }
  if (typeof value === "number") {
    checkBound("minimum", value, "");
    checkBound("maximum", value, "");
  }
  if (Array.isArray(value)) {
    checkBound("minItems", value.length, " items");
    checkBound("maxItems", value.length, " items");
    const distinct = new Set(value.map(canonicalJson)).size;
    if (schema.uniqueItems === true && distinct < value.length)
      faults.push(fault("uniqueItems", "must not repeat items"));
  }
  return faults;
}

function memberFaults(schema: GateSchema, value: unknown, path: string, fault: MakeFault): SchemaFault[] {
  if (Array.isArray(value)) {
    if (!isObject(schema.items)) return [];
    const items = schema.items;
    return value.flatMap((item, at) => faultsAt(items, item, `${path}/${at}`));
  }
  if (!isObject(value)) return [];
  const faults: SchemaFault[] = [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const name of (schema.required as string[] | undefined) ?? []) {
    if (!Object.hasOwn(value, name)) faults.push(fault("required", `must have ${name}`, name));
  }
  for (const [name, member] of Object.entries(value)) {
    const part = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    if (part === false) faults.push(fault("additionalProperties", `must not have ${name}`));
    else if (isObject(part)) faults.push(...faultsAt(part, member, `${path}/${name}`));
  }
  return faults;
}

function choiceFaults(schema: GateSchema, value: unknown, path: string, fault: MakeFault): SchemaFault[] {
  const matches = (choices: unknown) =>
    (choices as GateSchema[]).filter((choice) => faultsAt(choice, value, path).length === 0).length;
  const faults: SchemaFault[] = [];
  if (schema.anyOf !== undefined && matches(schema.anyOf) === 0)
    faults.push(fault("anyOf", "must fit one of the choices"));
  if (schema.oneOf !== undefined && matches(schema.oneOf) !== 1) {
    faults.push(fault("oneOf", "must fit exactly one of the choices"));
  }
  return faults;
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is GateSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isEqual(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
