import { KEY_VARIABLES, openLocalStore } from "@gantry/models";
import type { Choice } from "@gantry/terminal";
import type { CommandContext } from "../command-context.ts";

/** The login choices: subscriptions first, then API keys of all providers. */
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
    detail: `${credentials.has(provider) ? "✓ " : ""}store an API key`,
    pick: () => storeKey(context, provider),
  }));
  return [...subscriptions, ...keys];
}

async function logIn(context: CommandContext, provider: string): Promise<void> {
  const { print, ask, runCancellable } = context;
  await runCancellable((signal) =>
    context.agent.services.login?.(provider, {
      openUrl: (url, instructions) => print([...(instructions ? [`  ${instructions}`] : []), "", `  ${url}`, ""]),
      code: (prompt) => ask([`${prompt} (enter to send, esc to cancel)`], { signal }),
      progress: (text) => print([`  ${text}`]),
      signal,
    }),
  );
  print([`  ${provider}: logged in.`]);
  await selectFirstModel(context, provider);
}

async function storeKey(context: CommandContext, provider: string): Promise<void> {
  const { print, ask, runCancellable, env } = context;
  const key = await runCancellable((signal) => ask([`API key for ${provider}:`], { secret: true, signal }));
  if (key === undefined || key.trim() === "") return print(["  No key was stored."]);
  if (!/^\S{4,}$/.test(key.trim()))
    throw new Error("That is not a valid key: it must have at least 4 characters and no spaces.");
  const store = openLocalStore(env, context.agent.agentDir);
  try {
    const row = await store.put(provider, { type: "api_key", key: key.trim() });
    print([`  ${provider}: stored as ${row.identity}.`]);
  } finally {
    store.close();
  }
  await selectFirstModel(context, provider);
}

/** After a login: selects a model of the provider if there was none. */
async function selectFirstModel({ agent, print }: CommandContext, provider: string): Promise<void> {
  const { session, registry } = agent;
  if (session.state().model) return print(["  /model lists the available models."]);
  const found = registry.initial() ?? { model: registry.available().find((model) => model.provider === provider) };
  if (found.model) await session.setModel(found.model.provider, found.model.id);
}

/** The stored credentials, to remove one. */
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
      print([`  ${provider}: ${identity} was removed.`]);
    },
  }));
}
