import type { Equivalence } from "../config/schema.ts";
import type { Model } from "../model.ts";

/** Who makes models, and is therefore right about what they are called. In doubt the first one. */
const MAKERS = [
  "anthropic",
  "openai",
  "google",
  "xai",
  "deepseek",
  "mistral",
  "moonshotai",
  "zai",
  "minimax",
  "xiaomi",
  "meta",
  "openai-codex",
];
/** What gateways put before the id of the model's maker. */
const PREFIX =
  /^(?:~|@cf\/|workers-ai\/@cf\/)?(?:anthropic|openai|google|x-ai|xai|spacexai|deepseek|deepseek-ai|mistral|mistralai|moonshotai|z-ai|zai|zai-org|minimax|minimaxai|xiaomi|xiaomimimo|meta|meta-llama)\//i;
/** Bedrock: region, maker, id, and the version of its own. */
const BEDROCK =
  /^(?:(?:us|eu|apac|jp|au|ca|in|global|us-gov)\.)?(?:anthropic|openai|xai|deepseek|zai|moonshotai|minimax)\.(.+?)(?:-v\d+(?::\d+)?|-\d+:\d+)?$/;
const DATE = /-(?:20\d{6}|20\d\d-\d\d-\d\d)$/;

/**
 * What a model is called by those who made it, so that the same model at several providers can be asked for by one name.
 * Careful: two are taken for the same only if a user says so or the name leads to one that its maker uses.
 */
export type Canonical = (model: Model) => string;

export function canonicalOf(
  bundled: ReadonlyMap<string, readonly Model[]>,
  { overrides = {}, exclude = [] }: Equivalence,
): Canonical {
  const excluded = new Set(exclude);
  const official = new Map<string, string>();
  for (const maker of MAKERS) {
    for (const { id } of bundled.get(maker) ?? []) {
      if (!official.has(id.toLowerCase())) official.set(id.toLowerCase(), id);
    }
  }
  return (model) => {
    const selector = `${model.provider}/${model.id}`;
    // Its own id could be the name of a group, the selector never is.
    if (excluded.has(selector)) return selector;
    return overrides[selector] ?? officialName(official, model.id) ?? model.id;
  };
}

function officialName(official: ReadonlyMap<string, string>, id: string): string | undefined {
  for (const name of names(id)) {
    const found = official.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the id may stand for, the most literal first. */
function* names(id: string): Generator<string> {
  const whole = id.toLowerCase();
  yield whole;
  const bare = whole.replace(PREFIX, "").replace(BEDROCK, "$1");
  for (const name of [bare, bare.replace(DATE, ""), bare.replace(/-latest$/, "")]) {
    yield name;
    yield name.replace(/(\d)\.(?=\d)/g, "$1-");
    yield name.replace(/(\d)-(?=\d+(?:\D|$))/g, "$1.");
  }
}
