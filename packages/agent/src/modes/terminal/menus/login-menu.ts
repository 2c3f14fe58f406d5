import { KEY_VARIABLES, openLocalStore } from "@gantry/models";
import type { CommandContext } from "../command-context.ts";
import type { Choice } from "./picker.ts";

/** Who can be logged in to: subscriptions first, then keys of all providers. */
export async function loginChoices(context: CommandContext): Promise<Choice[]> {
  const { services, credentials } = context.agent;
  const known = (await services.loginProviders?.()) ?? [];
  const subscriptions = known.map(({ id, name, authenticated }) => ({
    label: name,
    detail: `${authenticated ? "✓ " : ""}log in with a subscription (${id})`,
    pick: () => logIn(context, id),
  }));
  const keys = Object.keys(KEY_VARIABLES).map((provider) => ({
    label: provider,
    detail: `${credentials.has(provider) ? "✓ " : ""}keep an API key`,
    pick: () => keepKey(context, provider),
  }));
  return [...subscriptions, ...keys];
}

async function logIn(context: CommandContext, provider: string): Promise<void> {
  const { print, ask, cancellable } = context;
  await cancellable((signal) =>
    context.agent.services.login?.(provider, {
      openUrl: (url, instructions) => print([...(instructions ? [`  ${instructions}`] : []), "", `  ${url}`, ""]),
      code: (prompt) => ask([`${prompt} (enter sends it, esc gives up)`], { signal }),
      progress: (words) => print([`  ${words}`]),
      signal,
    }),
  );
  print([`  ${provider}: logged in.`]);
  await firstModel(context, provider);
}

async function keepKey(context: CommandContext, provider: string): Promise<void> {
  const { print, ask, cancellable, env } = context;
  const key = await cancellable((signal) => ask([`API key for ${provider}:`], { secret: true, signal }));
  if (key === undefined || key.trim() === "") return print(["  Nothing was kept."]);
  if (!/^\S{4,}$/.test(key.trim())) throw new Error("That is no key.");
  const store = openLocalStore(env, context.agent.agentDir);
  try {
    const row = await store.put(provider, { type: "api_key", key: key.trim() });
    print([`  ${provider}: kept as ${row.identity}.`]);
  } finally {
    store.close();
  }
  await firstModel(context, provider);
}

/** Whoever had no model until now has one of the provider they have just come to. */
async function firstModel({ agent, print }: CommandContext, provider: string): Promise<void> {
  const { session, registry } = agent;
  if (session.state().model) return print(["  /model shows what can be used now."]);
  const found = registry.initial() ?? { model: registry.available().find((model) => model.provider === provider) };
  if (found.model) await session.setModel(found.model.provider, found.model.id);
}

/** What is kept, to be removed. */
export function logoutChoices({ agent, env, print }: CommandContext): Choice[] {
  return agent.credentials.rows().map(({ id, provider, identity, type }) => ({
    label: provider,
    detail: `${type === "oauth" ? "login" : "key"} ${identity}`,
    pick() {
      const store = openLocalStore(env, agent.agentDir);
      try {
        store.remove([id]);
      } finally {
        store.close();
      }
      print([`  ${provider}: ${identity} is removed.`]);
    },
  }));
}
