import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AssistantMessage, Model, OpenModels } from "@gantry/models";
import type { Agent } from "../agents/contract.ts";
import { fields } from "../agents/fields.ts";
import { failureIn } from "../agents/gantry/failures.ts";
import type { OneShotResult } from "./one-shot.ts";
import { findCheapModel, selectorOf } from "./small-model.ts";

type Environment = Record<string, string | undefined>;

export type RegistryWriterDeps = { home: string; env: Environment };

/** The work that a text is about: its agent, its model and the environment of its session. */
export type Subject = {
  agent: Pick<Agent, "provider" | "providerInModel" | "usesRegistry">;
  model?: string | undefined;
  env: Environment;
};

export type RegistryRequest = {
  /** `provider/id` */
  selector: string;
  env: Environment;
  rules: string;
  prompt: string;
  maxChars: number;
  timeoutMs: number;
  signal: AbortSignal;
};

/** Reasoning that a model cannot switch off counts as output. */
const REASONING_TOKENS = 1024;
/** Variables that may hold the key of a provider. */
const KEY = /_(API_KEY|TOKEN)$|^AWS_|^GOOGLE_/;

/** Writes texts with the models and keys of Gantry's model registry, without a process. */
export class RegistryWriter {
  readonly #deps: RegistryWriterDeps;
  /** Models that their provider does not serve. In memory: the provider may serve them later. */
  readonly #unserved = new Set<string>();

  constructor(deps: RegistryWriterDeps) {
    this.#deps = deps;
  }

  /** The selector of a cheap model that has a key. `undefined`: there is none. Sends no request. */
  async findModel({ agent, model, env }: Subject): Promise<string | undefined> {
    if (!this.#mayHaveKeys(env)) return undefined;
    const { registry, close } = await this.#open(env);
    try {
      const current = agent.usesRegistry
        ? ((model === undefined ? undefined : registry.resolve(model)) ?? registry.initial())?.model
        : undefined;
      if (agent.usesRegistry && !current) return undefined;
      const provider = agent.providerInModel ? model?.split("/")[0] : agent.provider;
      const found = findCheapModel(registry.available(), { provider, current, without: this.#unserved });
      return found && selectorOf(found);
    } finally {
      close();
    }
  }

  /** One request without tools. Never throws. */
  async write(request: RegistryRequest): Promise<OneShotResult> {
    const { selector, env } = request;
    const { registry, credentials, close } = await this.#open(env);
    try {
      const model = registry.all().find((one) => selectorOf(one) === selector);
      if (!model) return { prompted: false, why: `there is no model ${selector}` };
      const { provider } = model;
      const found = await credentials.get(provider, { signal: request.signal });
      const credential = found ?? (model.keyless ? { kind: "none" as const } : undefined);
      if (!credential) return { prompted: false, why: `there is no key for ${provider}` };
      const { message, isTooLong } = await this.#send(model, { ...request, credential });
      if (message?.failure?.category !== "aborted") credentials.report(provider, credential, message?.failure ?? "ok");
      if (message?.failure?.category === "invalid") this.#unserved.add(selector);
      return resultOf(selector, message, isTooLong);
    } catch (error) {
      return { prompted: false, why: (error as Error).message };
    } finally {
      close();
    }
  }

  async #send(
    model: Model,
    request: RegistryRequest & { credential: Parameters<typeof import("@gantry/models").streamModel>[1]["credential"] },
  ): Promise<{ message: AssistantMessage | undefined; isTooLong: boolean }> {
    const { streamModel, clampLevel } = await load();
    const { rules, prompt, maxChars, timeoutMs, credential, env } = request;
    const full = new AbortController();
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs), full.signal]);
    const stream = streamModel(model, {
      system: [rules],
      messages: [{ role: "user", content: prompt, timestamp: Date.now() }],
      tools: [],
      thinking: clampLevel(model, "off"),
      maxTokens: Math.min(model.maxTokens, maxChars + REASONING_TOKENS),
      cacheRetention: "none",
      ...{ credential, signal, env },
    });
    let length = 0;
    let message: AssistantMessage | undefined;
    for await (const event of stream) {
      if (event.type === "text_delta") length += event.delta.length;
      if (length > maxChars) full.abort();
      if (event.type === "done" || event.type === "error") message = event.message;
    }
    return { message, isTooLong: length > maxChars };
  }

  /** Opening the registry reads the whole catalogue, so it is not opened where no key can be. */
  #mayHaveKeys(env: Environment): boolean {
    const all = { ...this.#deps.env, ...env };
    if (Object.entries(all).some(([name, value]) => value && KEY.test(name))) return true;
    return existsSync(all.GANTRY_AGENT_DIR ?? join(this.#deps.home, "agent"));
  }

  async #open(env: Environment): Promise<OpenModels> {
    const { openModels } = await load();
    const { home } = this.#deps;
    return openModels({ home, cwd: home, env: { ...this.#deps.env, ...env } });
  }
}

/** Loaded by the first request: most daemons never need the catalogue and the transports. */
const load = () => import("@gantry/models");

function resultOf(selector: string, message: AssistantMessage | undefined, isTooLong: boolean): OneShotResult {
  if (!message) return { prompted: false, why: "the request returned nothing" };
  const { usage, failure: reason } = message;
  const spent = {
    prompted: true,
    servedModel: selector,
    usage: {
      input: usage.input,
      output: usage.output,
      cacheRead: usage.cacheRead,
      cacheWrite: usage.cacheWrite,
      reasoning: usage.reasoningTokens ?? 0,
    },
    ...(usage.cost.total > 0 ? { cost: { usd: usage.cost.total, source: "list" as const } } : {}),
  };
  if (isTooLong) return { ...spent, why: "the answer is too long" };
  const failed = failureIn(fields(message));
  if (reason) return { ...spent, why: reason.message, ...(failed ? { failure: failed } : {}) };
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  return text.trim() === "" ? { ...spent, why: "the model sent no text" } : { ...spent, text };
}
