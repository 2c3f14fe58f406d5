import { join } from "node:path";
import { type Model, writeSetting } from "@gantry/models";
import { type Choice, formatTokens } from "@gantry/terminal";
import type { CommandContext } from "../command-context.ts";

/** `persist`: also use the model for new sessions. */
type SwitchOptions = { persist: boolean };

/**
 * The available models: the current one first, then by vendor's name where several providers have it, by provider, by
 * role, and the profiles.
 */
export function modelChoices(context: CommandContext, options: SwitchOptions): Choice[] {
  const { session, registry } = context.agent;
  const now = session.state().model;
  const isNow = (model: Model) => model.provider === now?.provider && model.id === now.id;
  const models = session
    .availableModels()
    .toSorted((a, b) => Number(isNow(b)) - Number(isNow(a)) || a.provider.localeCompare(b.provider))
    .map((model) => ({
      label: `${model.provider}/${model.id}`,
      detail: `${isNow(model) ? "✓ " : ""}${model.name}, ${formatTokens(model.contextWindow)}`,
      pick: () => switchModel(context, `${model.provider}/${model.id}`, options),
    }));
  const profiles = registry.profiles().map(({ name, missing, roles }) => ({
    label: `preset ${name}`,
    detail: missing.length > 0 ? `✗ needs ${missing.join(", ")}` : `✓ ${roles[0]?.selector ?? ""}`,
    pick: () => useProfile(context, name, options),
  }));
  const isFirst = now !== undefined && models.length > 0;
  return [
    ...models.slice(0, isFirst ? 1 : 0),
    ...canonicalChoices(context, options),
    ...models.slice(isFirst ? 1 : 0),
    ...roleChoices(context, options),
    ...profiles.filter(({ detail }) => detail.startsWith("✓")),
    ...profiles.filter(({ detail }) => !detail.startsWith("✓")),
  ];
}

/** A vendor's name stays valid when a login of one provider ends: then the model of another provider is used. */
function canonicalChoices(context: CommandContext, options: SwitchOptions): Choice[] {
  const { session, registry } = context.agent;
  const groups = Map.groupBy(session.availableModels(), (model) => registry.canonical(model));
  return [...groups].flatMap(([id, models]) => {
    const providers = [...new Set(models.map(({ provider }) => provider))];
    if (providers.length < 2) return [];
    return [{ label: id, detail: `at ${providers.join(", ")}`, pick: () => switchModel(context, id, options) }];
  });
}

const ROLES = ["executor", "architect", "planner", "critic"];

/** The roles that have another model than the default. */
function roleChoices(context: CommandContext, options: SwitchOptions): Choice[] {
  const { registry } = context.agent;
  const usual = registry.resolve("gantry/default");
  return ROLES.flatMap((role) => {
    const found = registry.resolve(`gantry/${role}`);
    const isUsual = found?.model === usual?.model && found?.thinking === usual?.thinking;
    if (!found || isUsual || !registry.ready(found.model)) return [];
    const level = found.thinking === undefined ? "" : `:${found.thinking}`;
    const detail = `${found.model.provider}/${found.model.id}${level}`;
    return [{ label: `role ${role}`, detail, pick: () => switchModel(context, `gantry/${role}`, options) }];
  });
}

export async function switchModel(
  { agent, print }: CommandContext,
  selector: string,
  { persist }: SwitchOptions,
): Promise<void> {
  const { session, registry, agentDir } = agent;
  const found = registry.resolve(selector);
  if (!found) throw new Error(`No model matches ${selector}.`);
  await session.setModel(found.model.provider, found.model.id);
  if (found.thinking) session.setThinkingLevel(found.thinking);
  if (!persist) return;
  const written = writeSetting(join(agentDir, "config.yml"), ["modelRoles", "default"], selector);
  if (!written.ok) throw new Error(written.message);
  print(["  New sessions use this model, too."]);
}

async function useProfile(context: CommandContext, name: string, { persist }: SwitchOptions): Promise<void> {
  const { registry, agentDir } = context.agent;
  const used = registry.useProfile(name);
  if (!used.ok) throw new Error(used.message);
  await switchModel(context, "gantry/default", { persist: false });
  if (!persist) return;
  const written = writeSetting(join(agentDir, "config.yml"), ["modelProfile", "default"], name);
  if (!written.ok) throw new Error(written.message);
}
