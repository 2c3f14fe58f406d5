import { createRequire } from "node:module";
import type { Usage } from "@gantry/protocol";

type Match =
  | { equals: string }
  | { starts_with: string }
  | { ends_with: string }
  | { contains: string }
  | { regex: string }
  | { or: Match[] }
  | { and: Match[] };
type Row = [match: Match, input: number, output: number, cacheRead: number | null, cacheWrite: number | null];
/** `maker`: its models are found by their bare names as well. */
type Provider = { id: string; maker: boolean; match: Match; models: Row[] };
type List = { source: string; made: string; providers: Provider[] };

/** What runs on the user's own machine costs nothing by any list. */
const LOCAL = /^(ollama|lmstudio|lm-studio|llama\.?cpp|llamacpp|vllm|local|localhost)$/;

let list: List | undefined;

/** The list is read when the first price is asked for: a daemon that prices nothing never loads it. */
function loadList(): List {
  list ??= createRequire(import.meta.url)("./prices.gen.json") as List;
  return list;
}

/**
 * What a turn's tokens cost by the provider's list, in US dollars. `undefined` for a model that is in no list: unknown is
 * not nothing. Tokens of the cache are part of the input and have their own price; those of reasoning are output.
 */
export function listPrice(model: string, usage: Usage): number | undefined {
  const row = find(model.replace(/\[[^\]]*\]$/, ""));
  if (!row) return undefined;
  const [, input, output, cacheRead, cacheWrite] = row;
  const fresh = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  const millionths =
    fresh * input +
    usage.cacheRead * (cacheRead ?? input) +
    usage.cacheWrite * (cacheWrite ?? input) +
    usage.output * output;
  return Number((millionths / 1_000_000).toFixed(9));
}

/** Where the prices are from, for people to read. */
export function priceSource(): string {
  const { source, made } = loadList();
  return `${source}, ${made}`;
}

/** `provider/model`, a name behind a gateway's, or a bare one; a suffix such as `:high` or `:free` is not part of it. */
function find(model: string): Row | undefined {
  const parts = model.toLowerCase().split("/");
  if (parts.slice(0, -1).some((part) => LOCAL.test(part))) return undefined;
  const name = parts.at(-1) ?? "";
  const { providers } = loadList();
  // The innermost name is the maker's: the outer ones are those of gateways.
  const named = parts.slice(0, -1).reverse();
  const provider = named.map((part) => providers.find(({ match }) => matchesName(match, part))).find(Boolean);
  const searched = provider ? [provider] : providers.filter(({ maker }) => maker);
  for (const candidate of new Set([name, name.replace(/:[a-z0-9-]+$/, "")]))
    for (const { models } of searched) {
      const row = models.find(([match]) => matchesName(match, candidate));
      if (row) return row;
    }
  return undefined;
}

function matchesName(match: Match, name: string): boolean {
  if ("equals" in match) return name === match.equals.toLowerCase();
  if ("starts_with" in match) return name.startsWith(match.starts_with.toLowerCase());
  if ("ends_with" in match) return name.endsWith(match.ends_with.toLowerCase());
  if ("contains" in match) return name.includes(match.contains.toLowerCase());
  if ("regex" in match) return new RegExp(match.regex).test(name);
  if ("or" in match) return match.or.some((one) => matchesName(one, name));
  return match.and.every((one) => matchesName(one, name));
}
