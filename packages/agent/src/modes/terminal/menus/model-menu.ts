import { join } from "node:path";
import { type Model, writeSetting } from "@gantry/models";
import type { CommandContext } from "../command-context.ts";
import type { Choice } from "./picker.ts";

/** `kept`: it is the model of the next sessions, too. */
type Wish = { kept: boolean };

/** Models that can be used now, and the profiles; the one in use first. */
export function modelChoices(context: CommandContext, wish: Wish): Choice[] {
  const { session, registry } = context.agent;
  const now = session.state().model;
  const isNow = (model: Model) => model.provider === now?.provider && model.id === now.id;
  const models = session
    .availableModels()
    .toSorted((a, b) => Number(isNow(b)) - Number(isNow(a)))
    .map((model) => ({
      label: `${model.provider}/${model.id}`,
      detail: `${isNow(model) ? "✓ " : ""}${model.name}, ${Math.round(model.contextWindow / 1000)}k`,
      pick: () => use(context, `${model.provider}/${model.id}`, wish),
    }));
  const profiles = registry.profiles().map(({ name, missing, roles }) => ({
    label: `preset ${name}`,
    detail: missing.length > 0 ? `✗ needs ${missing.join(", ")}` : `✓ ${roles[0]?.selector ?? ""}`,
    pick: () => useProfile(context, name, wish),
  }));
  return [
    ...models,
    ...profiles.filter(({ detail }) => detail.startsWith("✓")),
    ...profiles.filter(({ detail }) => !detail.startsWith("✓")),
  ];
}

export async function use({ agent, print }: CommandContext, selector: string, { kept }: Wish): Promise<void> {
  const { session, registry, agentDir } = agent;
  const found = registry.resolve(selector);
  if (!found) throw new Error(`There is no model ${selector}.`);
  await session.setModel(found.model.provider, found.model.id);
  if (found.thinking) session.setThinkingLevel(found.thinking);
  if (!kept) return;
  const written = writeSetting(join(agentDir, "config.yml"), ["modelRoles", "default"], selector);
  if (!written.ok) throw new Error(written.message);
  print(["  It is the model of the next sessions, too."]);
}

async function useProfile(context: CommandContext, name: string, { kept }: Wish): Promise<void> {
  const { registry, agentDir } = context.agent;
  const used = registry.useProfile(name);
  if (!used.ok) throw new Error(used.message);
  await use(context, "gantry/default", { kept: false });
  if (!kept) return;
  const written = writeSetting(join(agentDir, "config.yml"), ["modelProfile", "default"], name);
  if (!written.ok) throw new Error(written.message);
}
