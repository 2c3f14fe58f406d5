import type { ModelEntry, ProviderConfig } from "./schema.ts";

/** Their access comes from the environment or files of their own vendor, never from a key in models.yml. */
const AMBIENT = ["bedrock-converse-stream", "google-vertex"];
const OVERRIDES = [
  "baseUrl",
  "headers",
  "compat",
  "requestTransform",
  "disableStrictTools",
  "cacheRetention",
  "modelOverrides",
  "discovery",
] as const;

type Broken = { path: PropertyKey[]; message: string };

/** What no schema of single fields can tell: whether they go together. The first thing that is wrong, or nothing. */
export function providerProblem(id: string, provider: ProviderConfig): Broken | undefined {
  if (provider.apiKey !== undefined && provider.apiKeyEnv !== undefined) {
    return { path: ["apiKeyEnv"], message: "Give apiKey or apiKeyEnv, not both." };
  }
  if (provider.discovery && !provider.api) {
    return { path: ["discovery"], message: `"discovery" needs "api": how are the models of ${id} spoken to?` };
  }
  if (!provider.models?.length) return overrideProblem(provider);
  return customProblem(id, provider, provider.models);
}

function overrideProblem(provider: ProviderConfig): Broken | undefined {
  if (OVERRIDES.some((key) => provider[key] !== undefined)) return undefined;
  return { path: [], message: `Without "models" it must have at least one of: ${OVERRIDES.join(", ")}.` };
}

function customProblem(id: string, provider: ProviderConfig, models: readonly ModelEntry[]): Broken | undefined {
  if (!provider.baseUrl) return { path: ["models"], message: `"baseUrl" is missing: ${id} has models of its own.` };
  const apis = models.map((model) => model.api ?? provider.api);
  const without = apis.indexOf(undefined);
  if (without >= 0) {
    return { path: ["models", without], message: `"api" is missing, here or for the whole provider ${id}.` };
  }
  const ambient = apis.every((api) => AMBIENT.includes(api ?? ""));
  if (provider.auth !== "none" && !ambient && !provider.apiKey && !provider.apiKeyEnv) {
    return {
      path: ["models"],
      message: `"apiKey" or "apiKeyEnv" is missing; write "auth: none" if ${id} asks for no key.`,
    };
  }
  const ids = models.map((model) => model.id);
  const twice = ids.findIndex((model, i) => ids.indexOf(model) < i);
  return twice < 0 ? undefined : { path: ["models", twice], message: `There are two models "${ids[twice]}".` };
}
