import type { ControlChanges, ControlValues } from "@gantry/protocol";
import { usageError } from "../program/errors.ts";

export type OnOff = "on" | "off";

export type ControlFlags = { control?: readonly string[]; fast?: OnOff };

/** The choice that leaves a setting to the mode or to the agent's own configuration, without a configured default. */
const UNSET = "default";

/** A setting of a flag: `default` is `null`, which drops a configured default. */
export function orUnset<T extends string>(value: T | undefined): Exclude<T, typeof UNSET> | null | undefined {
  return value === UNSET ? null : (value as Exclude<T, typeof UNSET> | undefined);
}

/** `--control sandbox=read-only --fast on` as changes: `default` is `null`. `undefined` without any flag. */
export function controlChanges({ control = [], fast }: ControlFlags): ControlChanges | undefined {
  const pairs = control.map((text): [string, string | null] => {
    const [id = "", ...rest] = text.split("=");
    const choice = rest.join("=").trim();
    if (!id.trim() || !choice) {
      throw usageError(`${text} sets no control.`, "Write control=choice, such as `--control sandbox=read-only`.");
    }
    return [id.trim(), choice === UNSET ? null : choice];
  });
  const all = fast === undefined ? pairs : [...pairs, ["fast", fast] as const];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

/** Like `controlChanges`, for something that has no defaults: there is nothing to take back. */
export function controlValues(flags: ControlFlags): ControlValues | undefined {
  const entries = Object.entries(controlChanges(flags) ?? {});
  const values = entries.filter((entry): entry is [string, string] => entry[1] !== null);
  return values.length === 0 ? undefined : Object.fromEntries(values);
}
