import { z } from "zod";
import { Mistake } from "../profiles/schema.ts";

export const SettingValue = z.union([
  z.string().max(100_000),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string().max(1000), z.number()])).max(100),
]);

export type SettingValue = z.infer<typeof SettingValue>;

/** One setting of the daemon. `key` is its place in the file, such as `deadlines.turnSeconds`. */
export const Setting = z.object({
  key: z.string(),
  type: z.enum(["number", "text", "switch", "choice", "list"]),
  /** The values of a choice. */
  options: z.array(z.string()).optional(),
  description: z.string(),
  /** Absent: no default. */
  default: SettingValue.optional(),
  /** The value from the file. */
  value: SettingValue.optional(),
  /** When a change takes effect: immediately, or after a restart of the daemon. */
  takesEffect: z.enum(["now", "restart"]),
});

export type Setting = z.infer<typeof Setting>;

const Values = z.record(z.string(), SettingValue);

/** The settings of `config.yml`, by key. `problems`: the file is invalid; `values` are then the ones in effect. */
export const SettingList = z.object({
  path: z.string(),
  values: Values,
  defaults: Values,
  problems: z.array(Mistake),
  settings: z.array(Setting),
});

export type SettingList = z.infer<typeof SettingList>;

/** New values by key; `null` restores the default. */
export const SettingChanges = z
  .record(z.string().max(100), SettingValue.nullable())
  .refine((changes) => Object.keys(changes).length > 0, "name at least one setting");

export type SettingChanges = z.infer<typeof SettingChanges>;
