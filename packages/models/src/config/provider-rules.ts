import type { ModelEntry, ProviderConfig } from "./schema.ts";

/** Wire formats whose credentials come from the vendor's environment or files, or from a login. */
const AMBIENT = ["bedrock-converse-stream", "google-vertex", "google-gemini-cli"];
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

type RuleViolation = { path: PropertyKey[]; message: string };

/** Checks rules across fields, which the schema cannot express. Returns the first violation. */
export function providerProblem(id: string, provider: ProviderConfig): RuleViolation | undefined {
  if (provider.apiKey !== undefined && provider.apiKeyEnv !== undefined) {
    return { path: ["apiKeyEnv"], message: "Give apiKey or apiKeyEnv, not both." };
  }
  if (provider.discovery && !provider.api) {
    return { path: ["discovery"], message: `"discovery" needs "api", the wire format of ${id}.` };
  }
  if (!provider.models?.length) return overrideProblem(provider);
  return customProblem(id, provider, provider.models);
}

function overrideProblem(provider: ProviderConfig): RuleViolation | undefined {
  if (OVERRIDES.some((key) => provider[key] !== undefined)) return undefined;
  return { path: [], message: `Without "models" it must have at least one of: ${OVERRIDES.join(", ")}.` };
}

function customProblem(id: string, provider: ProviderConfig, models: readonly ModelEntry[]): RuleViolation | undefined {
  if (!provider.baseUrl) return { path: ["models"], message: `"baseUrl" is missing: ${id} defines its own models.` };
  const apis = models.map((model) => model.api ?? provider.api);
  const without = apis.indexOf(undefined);
  if (without >= 0) {
    return { path: ["models", without], message: `"api" is missing, here or for the whole provider ${id}.` };
  }
  const ambient = apis.every((api) => AMBIENT.includes(api ?? ""));
  if (provider.auth !== "none" && !ambient && !provider.apiKey && !provider.apiKeyEnv) {
    return {
      path: ["models"],
      message: `"apiKey" or "apiKeyEnv" is missing; write "auth: none" if ${id} needs no key.`,
    };
  }
  const ids = models.map((model) => model.id);
  const twice = ids.findIndex((model, i) => ids.indexOf(model) < i);
  return twice < 0 ? undefined : { path: ["models", twice], message: `There are two models "${ids[twice]}".` };
}
