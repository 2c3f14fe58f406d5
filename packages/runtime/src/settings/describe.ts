import type { Setting, SettingValue } from "@gantry/protocol";
import { z } from "zod";
import { Config } from "../config.ts";

type Schema = {
  type?: string;
  enum?: string[];
  description?: string;
  default?: SettingValue;
  properties?: Record<string, Schema>;
  items?: Schema;
};

/** Settings that the server reads once at start. All others apply immediately. */
const AT_START = /^server\./;

/** Every setting there is, read off the schema of the file. */
export function describeSettings(): Omit<Setting, "value">[] {
  return leaves(z.toJSONSchema(Config, { io: "input" }) as Schema, "");
}

/** Values of a configuration by key; what is not set is left out. */
export function flatten(config: object): Record<string, SettingValue> {
  const entries = describeSettings().flatMap(({ key }) => {
    const value = key.split(".").reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], config);
    return value === undefined ? [] : [[key, value as SettingValue] as const];
  });
  return Object.fromEntries(entries);
}

function leaves(schema: Schema, prefix: string): Omit<Setting, "value">[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const key = `${prefix}${name}`;
    if (part.properties) return leaves(part, `${key}.`);
    // A list of objects and a map with free keys are edited in the file.
    if (part.items?.type === "object" || part.type === "object") return [];
    return {
      key,
      type: typeOf(part),
      ...(part.enum ? { options: part.enum } : {}),
      description: part.description ?? "",
      ...(part.default === undefined ? {} : { default: part.default }),
      takesEffect: AT_START.test(key) ? ("restart" as const) : ("now" as const),
    };
  });
}

function typeOf({ type, enum: choices }: Schema): Setting["type"] {
  if (choices) return "choice";
  if (type === "array") return "list";
  if (type === "boolean") return "switch";
  return type === "number" || type === "integer" ? "number" : "text";
}
