import { APIS } from "@gantry/models";
import type { ProviderPlace, ProviderRequest } from "@gantry/models/providers";
import { type Choice, stripControls } from "@gantry/terminal";
import type { CommandContext } from "../command-context.ts";

const USAGE =
  "/provider lists the providers. /provider add <preset or provider>, /provider add <name> <url> [format] [model …], /provider test <provider>, /provider remove <provider>.";
/** Models of a new provider that are listed. */
const MOST_MODELS = 20;

/** Runs `/provider <rest>`. Throws an error with a message for people. */
export async function runProviderCommand(context: CommandContext, rest: string): Promise<void> {
  const [verb = "", ...parts] = rest.split(/\s+/).filter((part) => part !== "--preset");
  const [name] = parts;
  if (verb === "" || verb === "list") return await showProviders(context);
  if (verb === "add")
    return name === undefined ? await askForProvider(context) : await add(context, readRequest(parts));
  if (name !== undefined && verb === "test") return await test(context, name);
  if (name !== undefined && verb === "remove") return await remove(context, name);
  throw new Error(USAGE);
}

/** `<name>`, or `<name> <url> [format] [model …]`. */
function readRequest([name = "", baseUrl, api, ...models]: readonly string[]): ProviderRequest {
  return {
    name,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(api === undefined ? {} : { api }),
    ...(models.length > 0 ? { models } : {}),
  };
}

/** The choice for a server that is in no list. */
export function customProviderChoice(context: CommandContext): Choice {
  return { label: "Add custom provider", detail: "a server by its URL", pick: () => askForProvider(context) };
}

async function showProviders(context: CommandContext): Promise<void> {
  const { listProviders } = await import("@gantry/models/providers");
  const rows = listProviders(placeOf(context)).map(({ provider, models, isReady, inFile, source }) => {
    const from = [inFile ? "models.yml" : "", source ?? ""].filter(Boolean).join(", ");
    return `  ${isReady ? "✓" : "✗"} ${provider.padEnd(20)} ${String(models).padStart(4)} models  ${stripControls(from)}`;
  });
  context.print(rows.length > 0 ? rows : ["  There is no provider yet. /provider add adds one."]);
}

/** Asks for name, URL, wire format and models, one after the other. Cancelling any of them changes nothing. */
async function askForProvider(context: CommandContext): Promise<void> {
  const { PRESETS } = await import("@gantry/models/providers");
  const question = (text: string) => context.runCancellable((signal) => context.ask([text], { signal }));
  const name = (await question(`Name of the provider, or a preset (${Object.keys(PRESETS).join(", ")}):`))?.trim();
  if (!name) return context.print(["  Nothing was added."]);
  if (Object.hasOwn(PRESETS, name)) return await add(context, { name });
  const baseUrl = (await question("URL of the server, for example https://host/v1:"))?.trim();
  if (!baseUrl) return context.print(["  Nothing was added."]);
  const choices = APIS.map((api) => ({
    label: api,
    pick: async () => {
      const models = await question("Ids of models, separated by spaces (- to ask the server):");
      if (models === undefined) return context.print(["  Nothing was added."]);
      const ids = models.split(/\s+/).filter((id) => id !== "" && id !== "-");
      await add(context, { name, baseUrl, api, ...(ids.length > 0 ? { models: ids } : {}) });
    },
  }));
  context.pick("Wire format of the server", choices);
}

async function add(context: CommandContext, request: ProviderRequest): Promise<void> {
  const { addProvider, planFor } = await import("@gantry/models/providers");
  const { print, ask, runCancellable, agent } = context;
  const place = placeOf(context);
  const plan = planFor(place, request);
  if (!plan.ok) throw new Error(plan.message);
  const needsKey = plan.needsKey && !agent.credentials.has(plan.provider);
  const prompt = `API key for ${plan.provider} (- if it needs none, or if it is in ${plan.variable ?? "the environment"}):`;
  const typed = needsKey ? await runCancellable((signal) => ask([prompt], { secret: true, signal })) : "-";
  if (typed === undefined) return print(["  Nothing was added."]);
  const key = typed.trim() === "-" ? undefined : typed;
  const added = await runCancellable((signal) => addProvider(place, request, key, signal));
  const { provider, file, isNew, identity } = added;
  const models = agent.registry.all().filter((model) => model.provider === provider);
  const left = models.length - MOST_MODELS;
  print([
    isNew ? `  ${provider} was added to ${file}.` : `  ${provider} was there already; ${file} is unchanged.`,
    ...(identity === undefined ? [] : [`  The key is stored as ${identity}.`]),
    ...models.slice(0, MOST_MODELS).map(({ id }) => `    ${stripControls(`${provider}/${id}`)}`),
    ...(left > 0 ? [`    and ${left} more; /model lists them.`] : []),
  ]);
  await test(context, provider);
}

async function test(context: CommandContext, provider: string): Promise<void> {
  const { testProvider } = await import("@gantry/models/providers");
  const result = await context.runCancellable((signal) => testProvider(placeOf(context), provider, signal));
  if (!result.ok) throw new Error(`The test of ${result.model ?? provider} failed: ${stripControls(result.message)}`);
  context.print([`  ${result.model} answered after ${result.ms} ms.`]);
}

async function remove(context: CommandContext, provider: string): Promise<void> {
  const { removeProvider } = await import("@gantry/models/providers");
  const { file, stored } = await removeProvider(placeOf(context), provider);
  context.print([
    `  ${provider} was removed from ${file}.`,
    ...(stored > 0 ? ["  Its stored keys and logins stayed; /logout removes them."] : []),
  ]);
}

function placeOf({ agent, env }: CommandContext): ProviderPlace {
  const { agentDir, registry, credentials } = agent;
  return { env, agentDir, registry, credentials };
}
