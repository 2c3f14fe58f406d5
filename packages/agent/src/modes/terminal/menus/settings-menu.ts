import { join } from "node:path";
import { writeSetting } from "@gantry/models";
import type { Choice } from "@gantry/terminal";
import { z } from "zod";
import { loadSettings, parseSettings } from "../../../settings/load.ts";
import { settingsSchema } from "../../../settings/schema.ts";
import type { CommandContext } from "../command-context.ts";

type Value = string | number | boolean;
type Setting = { path: string[]; value: Value; options: readonly Value[] | undefined };
type Schema = { properties?: Record<string, Schema>; type?: string; enum?: Value[]; allOf?: Schema[] };

/** All settings with a simple value. Choosing one toggles it, lists its values, or asks for one. */
export async function settingChoices(context: CommandContext): Promise<Choice[]> {
  const { agent } = context;
  const { settings } = await loadSettings({ agentDir: agent.agentDir, cwd: agent.session.cwd });
  const schema = z.toJSONSchema(settingsSchema(), { unrepresentable: "any", io: "input" }) as Schema;
  return listSettings(schema, settings).map((setting) => ({
    label: setting.path.join("."),
    detail: String(setting.value),
    pick: () => changeSetting(context, setting),
  }));
}

function listSettings(schema: Schema, value: unknown, path: string[] = []): Setting[] {
  const { properties } = schema;
  if (properties)
    return Object.entries(properties).flatMap(([key, inner]) =>
      listSettings(inner, (value as Record<string, unknown> | undefined)?.[key], [...path, key]),
    );
  if (!["string", "number", "boolean"].includes(typeof value)) return [];
  return [
    { path, value: value as Value, options: schema.enum ?? (typeof value === "boolean" ? [true, false] : undefined) },
  ];
}

async function changeSetting(context: CommandContext, setting: Setting): Promise<void> {
  const { path, value, options } = setting;
  if (typeof value === "boolean") return store(context, path, !value);
  if (options)
    return context.pick(
      path.join("."),
      options.map((option) => ({
        label: String(option),
        ...(option === value ? { detail: "now" } : {}),
        pick: () => store(context, path, option),
      })),
    );
  const question = [`${path.join(".")} is ${value}. New value:`];
  const text = await context.runCancellable((signal) => context.ask(question, { signal }));
  if (text === undefined) return context.print(["  Nothing was changed."]);
  store(context, path, typeof value === "number" ? Number(text) : text.trim());
}

/** Writes the value to the user's file. Throws an error with a message for people if it is invalid. */
function store({ agent, print }: CommandContext, path: readonly string[], value: Value): void {
  const name = path.join(".");
  const [problem] = parseSettings({ [name]: value }).problems;
  if (problem) throw new Error(`${name} is unchanged: ${problem.message}`);
  const file = join(agent.agentDir, "config.yml");
  const written = writeSetting(file, path, value);
  if (!written.ok) throw new Error(written.message);
  const isApplied = applySetting(agent.session, name, value);
  print([`  ${name}: ${value}. Stored in ${file}${isApplied ? "" : "; new sessions use it"}.`]);
}

/** The settings that a running session can change. */
function applySetting(session: CommandContext["agent"]["session"], name: string, value: Value): boolean {
  const setters: Record<string, () => void> = {
    "compaction.enabled": () => session.setAutoCompaction(value === true),
    "retry.enabled": () => session.setAutoRetry(value === true),
    steeringMode: () => session.setSteeringMode(value as Parameters<typeof session.setSteeringMode>[0]),
    followUpMode: () => session.setFollowUpMode(value as Parameters<typeof session.setFollowUpMode>[0]),
    interruptMode: () => session.setInterruptMode(value as Parameters<typeof session.setInterruptMode>[0]),
    "permissions.mode": () => session.setMode(value as Parameters<typeof session.setMode>[0]),
  };
  setters[name]?.();
  return name in setters;
}
