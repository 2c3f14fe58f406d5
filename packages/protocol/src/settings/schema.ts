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
  /** What a choice may be. */
  options: z.array(z.string()).optional(),
  description: z.string(),
  /** Absent: nothing. */
  default: SettingValue.optional(),
  /** What the file makes of it. */
  value: SettingValue.optional(),
  /** When a change is in force: for what happens from then on, or when the daemon is started again. */
  takesEffect: z.enum(["now", "restart"]),
});

export type Setting = z.infer<typeof Setting>;

const Values = z.record(z.string(), SettingValue);

/** The settings of `config.yml`, by key. `problems`: the file has mistakes; then `values` are those in force. */
export const SettingList = z.object({
  path: z.string(),
  values: Values,
  defaults: Values,
  problems: z.array(Mistake),
  settings: z.array(Setting),
});

export type SettingList = z.infer<typeof SettingList>;

/** New values by key; `null` goes back to the default. */
export const SettingChanges = z
  .record(z.string().max(100), SettingValue.nullable())
  .refine((changes) => Object.keys(changes).length > 0, "name at least one setting");

export type SettingChanges = z.infer<typeof SettingChanges>;
