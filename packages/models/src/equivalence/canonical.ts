import type { Equivalence } from "../config/schema.ts";
import type { Model } from "../model.ts";

/** Model makers, whose names are canonical. The first one wins. */
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
/** Prefixes that gateways add to the maker's id. */
const PREFIX =
  /^(?:~|@cf\/|workers-ai\/@cf\/)?(?:anthropic|openai|google|x-ai|xai|spacexai|deepseek|deepseek-ai|mistral|mistralai|moonshotai|z-ai|zai|zai-org|minimax|minimaxai|xiaomi|xiaomimimo|meta|meta-llama)\//i;
/** Bedrock ids: region, maker, id and Bedrock's version. */
const BEDROCK =
  /^(?:(?:us|eu|apac|jp|au|ca|in|global|us-gov)\.)?(?:anthropic|openai|xai|deepseek|zai|moonshotai|minimax)\.(.+?)(?:-v\d+(?::\d+)?|-\d+:\d+)?$/;
const DATE = /-(?:20\d{6}|20\d\d-\d\d-\d\d)$/;

/**
 * Maps a model to its maker's name for it, so that one name selects the same model at several providers. Conservative:
 * models are equivalent only if the user configures it, or if the id normalises to an id that the maker uses.
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
    // The bare id could be a canonical name; the full selector never is.
    if (excluded.has(selector)) return selector;
    return overrides[selector] ?? officialName(official, model.id) ?? model.id;
  };
}

function officialName(official: ReadonlyMap<string, string>, id: string): string | undefined {
  for (const name of candidateNames(id)) {
    const found = official.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Normalised candidates for an id, the most literal first. */
function* candidateNames(id: string): Generator<string> {
  const whole = id.toLowerCase();
  yield whole;
  const bare = whole.replace(PREFIX, "").replace(BEDROCK, "$1");
  for (const name of [bare, bare.replace(DATE, ""), bare.replace(/-latest$/, "")]) {
    yield name;
    yield name.replace(/(\d)\.(?=\d)/g, "$1-");
    yield name.replace(/(\d)-(?=\d+(?:\D|$))/g, "$1.");
  }
}
