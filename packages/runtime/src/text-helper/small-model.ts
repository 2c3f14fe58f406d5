import type { Model as RegistryModel } from "@gantry/models";
import type { Model } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";

type SmallModelFacts = Pick<Agent, "smallModels" | "providerInModel">;

/**
 * The agent's cheap model for a session that runs `current`. An agent of many providers stays with the provider of that
 * model, because a key for another one may be missing.
 */
export function findSmallModel(
  { smallModels = [], providerInModel }: SmallModelFacts,
  models: readonly Model[],
  current: string | undefined,
): string | undefined {
  const used = current ?? models.find((model) => model.default)?.id;
  const provider = providerInModel ? used?.split("/")[0] : undefined;
  if (providerInModel && provider === undefined) return undefined;
  const usable = models.filter(({ id, deprecated }) => !deprecated && (!provider || id.startsWith(`${provider}/`)));
  for (const pattern of smallModels) {
    const [cheapest] = usable.filter(({ id }) => matches(pattern, id)).sort((a, b) => listPrice(a) - listPrice(b));
    if (cheapest) return cheapest.id;
  }
  return undefined;
}

function matches(pattern: string, id: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(id);
}

function listPrice({ price }: Model): number {
  return price ? combinedPrice(price) : Number.POSITIVE_INFINITY;
}

/** A title has about four times as much input as output. */
function combinedPrice({ input, output }: { input: number; output: number }): number {
  return 4 * input + output;
}

/** Names of models that are made for other work than text. */
const OTHER_WORK = /embed|rerank|image|audio|voxtral|tts|whisper|vision|guard|safety|moderation|realtime|search|ocr/i;
/** Names that vendors give to the small models of a family. The smallest of all write poor titles. */
const SMALL = /(?:^|[^a-z])(?:haiku|flash|mini|nano|lite|luna|small)(?![a-z])/i;
const FEWEST_TOKENS = 16_000;
/** Dollars for a million tokens. */
const MOST_USD = { input: 1.5, output: 8 };

export type RegistryWish = {
  /** The provider to prefer. */
  provider?: string | undefined;
  /** The model that the session runs: then only its provider is used. */
  current?: RegistryModel | undefined;
  /** Selectors of models that their provider does not serve. */
  without?: ReadonlySet<string>;
};

/** The cheapest suitable model among those with a credential. A model without a price may be an expensive one. */
export function findCheapModel(
  models: readonly RegistryModel[],
  { provider, current, without }: RegistryWish,
): RegistryModel | undefined {
  const usable = models.filter((model) => !without?.has(selectorOf(model)) && (!current || isOf(model, current)));
  const [best] = usable.filter(isCheap).sort((a, b) => rank(a, provider) - rank(b, provider));
  // A local server and a user's own endpoint have no prices. Its text goes where the session's text goes.
  return best ?? (current && isFree(current) && !without?.has(selectorOf(current)) ? current : undefined);
}

export function selectorOf({ provider, id }: Pick<RegistryModel, "provider" | "id">): string {
  return `${provider}/${id}`;
}

const isOf = (model: RegistryModel, current: RegistryModel) => model.provider === current.provider;
const isFree = ({ cost }: RegistryModel) => cost.input === 0 && cost.output === 0;

function isCheap({ id, cost, input, contextWindow }: RegistryModel): boolean {
  if (cost.input <= 0 || cost.input > MOST_USD.input || cost.output > MOST_USD.output) return false;
  return input.includes("text") && contextWindow >= FEWEST_TOKENS && SMALL.test(id) && !OTHER_WORK.test(id);
}

function rank(model: RegistryModel, provider: string | undefined): number {
  return combinedPrice(model.cost) + (provider === undefined || model.provider === provider ? 0 : 1000);
}
