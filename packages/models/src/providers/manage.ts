import { join } from "node:path";
import { brokerAddress } from "../credentials/broker/address.ts";
import { type OpenCredentials, openLocalStore } from "../credentials/credentials.ts";
import type { Model } from "../model.ts";
import type { FullModelRegistry } from "../registry/registry.ts";
import type { Credential } from "../stream.ts";
import { streamModel } from "../transports/stream-model.ts";
import { deleteProvider, insertProvider } from "./edit-file.ts";
import { type ProviderPlan, type ProviderRequest, planProvider } from "./plan.ts";

/** The stores that a change of providers needs. */
export type ProviderPlace = {
  env: Record<string, string | undefined>;
  agentDir: string;
  registry: FullModelRegistry;
  credentials: OpenCredentials;
};

/** A provider for display. `source`: where its credential comes from, as text. Never contains a key. */
export type ProviderView = { provider: string; models: number; isReady: boolean; inFile: boolean; source?: string };

/** The result of one short request. */
export type ProviderTest = { ok: true; model: string; ms: number } | { ok: false; model?: string; message: string };

/** `identity`: the stored key, as `gantry auth list` shows it. */
export type ProviderAdded = { provider: string; file: string; isNew: boolean; variable?: string; identity?: string };

const TEST_MS = 30_000;

/** The providers of models.yml, and those with a credential. */
export function listProviders({ registry, credentials }: ProviderPlace): ProviderView[] {
  const counts = Map.groupBy(registry.all(), ({ provider }) => provider);
  const configured = new Set(registry.configured());
  const names = [...new Set([...configured, ...counts.keys()])];
  return names.flatMap((provider) => {
    const models = counts.get(provider) ?? [];
    const source = credentials.source(provider);
    const isReady = models.some((model) => registry.ready(model));
    if (!configured.has(provider) && !isReady) return [];
    const inFile = configured.has(provider);
    return [{ provider, models: models.length, isReady, inFile, ...(source === undefined ? {} : { source }) }];
  });
}

/** What `addProvider` would do, to ask for the key only if one is needed. Changes nothing. */
export function planFor({ registry }: ProviderPlace, request: ProviderRequest): ProviderPlan {
  const known = new Set(registry.all().map(({ provider }) => provider));
  return planProvider(request, (provider) => known.has(provider));
}

/**
 * Adds a provider to models.yml of the agent's folder and stores its key, if one is given, in the credential store. Then
 * the registry has its models. Throws an `Error` with a message for people if nothing was changed.
 */
export async function addProvider(
  place: ProviderPlace,
  request: ProviderRequest,
  key?: string,
  signal?: AbortSignal,
): Promise<ProviderAdded> {
  const plan = planFor(place, request);
  if (!plan.ok) throw new Error(plan.message);
  const secret = key?.trim();
  if (secret !== undefined) checkKey(place, secret);
  const { provider, config, variable } = plan;
  const file = join(place.agentDir, "models.yml");
  const edited = config ? insertProvider(file, provider, config) : { ok: true as const, changed: false };
  if (!edited.ok) {
    const { problem } = edited;
    throw new Error(
      problem ? `${edited.message} ${file}:${problem.line}:${problem.column} ${problem.message}` : edited.message,
    );
  }
  const identity = secret === undefined ? undefined : await storeKey(place, provider, secret);
  await place.registry.refresh("online", signal);
  return {
    provider,
    file,
    isNew: edited.changed,
    ...(variable === undefined ? {} : { variable }),
    ...(identity === undefined ? {} : { identity }),
  };
}

/** Removes the entry of models.yml. Stored keys and logins stay. Throws if there is no entry. */
export async function removeProvider(
  place: ProviderPlace,
  provider: string,
): Promise<{ file: string; stored: number }> {
  const file = join(place.agentDir, "models.yml");
  const edited = deleteProvider(file, provider);
  if (!edited.ok) throw new Error(edited.message);
  if (!edited.changed) throw new Error(`${file} has no provider "${provider}". Nothing was changed.`);
  await place.registry.refresh("offline");
  const stored = place.credentials.rows().filter((row) => row.provider === provider).length;
  return { file, stored };
}

/** Sends one short request to a model of the provider. Never rejects; messages contain no key. */
export async function testProvider(place: ProviderPlace, provider: string, signal: AbortSignal): Promise<ProviderTest> {
  const { registry, credentials, env } = place;
  const models = registry.all().filter((model) => model.provider === provider);
  const model = models.find((one) => registry.ready(one)) ?? models[0];
  if (!model) return { ok: false, message: whyNoModel(registry, provider) };
  const selector = `${provider}/${model.id}`;
  const found = await credentialOf(credentials, model, signal);
  if (typeof found === "string") return { ok: false, model: selector, message: found };
  const began = Date.now();
  const request = {
    system: [],
    messages: [{ role: "user" as const, content: "Reply with OK.", timestamp: began }],
    tools: [],
    thinking: registry.clamp(model, "off"),
    maxTokens: Math.min(256, model.maxTokens),
    credential: found,
    signal,
    idleMs: TEST_MS,
    env,
  };
  for await (const event of streamModel(model, request)) {
    if (event.type === "done") return { ok: true, model: selector, ms: Date.now() - began };
    if (event.type === "error")
      return { ok: false, model: selector, message: event.message.errorMessage ?? "No answer." };
  }
  return { ok: false, model: selector, message: "No answer." };
}

async function credentialOf(
  credentials: OpenCredentials,
  { provider, keyless }: Model,
  signal: AbortSignal,
): Promise<Credential | string> {
  try {
    const found = await credentials.get(provider, { signal });
    if (found) return found;
    return keyless ? { kind: "none" } : `There is no key for ${provider}. Store one: gantry auth set ${provider}`;
  } catch (error) {
    return (error as Error).message;
  }
}

function whyNoModel(registry: FullModelRegistry, provider: string): string {
  const problem = registry.problems().find(({ path }) => path.startsWith(`providers.${provider}`));
  return problem ? `${provider} has no models: ${problem.message}` : `There is no provider "${provider}" with models.`;
}

function checkKey({ env, agentDir }: ProviderPlace, key: string): void {
  if (!/^\S{4,}$/.test(key)) {
    throw new Error("That is not a valid key: it must have at least 4 characters and no spaces. Nothing was changed.");
  }
  if (brokerAddress(env, agentDir)) {
    throw new Error(
      "Credentials of this machine come from a broker. Store the key on its machine. Nothing was changed.",
    );
  }
}

async function storeKey({ env, agentDir }: ProviderPlace, provider: string, key: string): Promise<string> {
  const store = openLocalStore(env, agentDir);
  try {
    return (await store.put(provider, { type: "api_key", key })).identity;
  } finally {
    store.close();
  }
}
