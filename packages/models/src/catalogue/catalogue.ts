import { createRequire } from "node:module";
import type { Api, Compat, Model, Thinking } from "../model.ts";

/** The models that Gantry comes with, by provider. Arrays and models are shared by all who ask: never changed. */
export type Catalogue = { source: string; made: string; providers: ReadonlyMap<string, readonly Model[]> };

type Tier = [above: number, input: number, output: number, cacheRead: number, cacheWrite: number];
type Cost = [input: number, output: number, cacheRead: number, cacheWrite: number, ...tiers: Tier[]];
/** Numbers after `cost` and `maxTokens` are places in the tables; the end of a row may be missing. */
type Row = [
  id: string,
  name: string,
  api: number,
  url: number,
  image: 0 | 1,
  cost: Cost,
  contextWindow: number,
  maxTokens: number,
  thinking?: number | null,
  compat?: number | null,
  headers?: number | null,
  promotion?: string | null,
];
/** What the generated file holds: each thing that many models share stands in a table once. */
export type CatalogueFile = {
  source: string;
  made: string;
  apis: Api[];
  urls: string[];
  thinking: Thinking[];
  compat: Compat[];
  headers: Record<string, string>[];
  providers: Record<string, Row[]>;
};

let bundled: Catalogue | undefined;

/** Read and unfolded when first asked for; the bundle has the file beside it. */
export function bundledCatalogue(): Catalogue {
  bundled ??= unfold(createRequire(import.meta.url)("./catalogue.gen.json") as CatalogueFile);
  return bundled;
}

export function unfold(file: CatalogueFile): Catalogue {
  const providers = new Map<string, readonly Model[]>();
  for (const [provider, rows] of Object.entries(file.providers)) {
    providers.set(
      provider,
      rows.map((row) => model(file, provider, row)),
    );
  }
  return { source: file.source, made: file.made, providers };
}

function model(file: CatalogueFile, provider: string, row: Row): Model {
  const [id, name, api, url, image, cost, contextWindow, maxTokens, thinking, compat, headers, promotion] = row;
  const made: Model = {
    id,
    name,
    api: file.apis[api]!,
    provider,
    baseUrl: file.urls[url]!,
    reasoning: typeof thinking === "number",
    input: image === 1 ? ["text", "image"] : ["text"],
    cost: costOf(cost),
    contextWindow,
    maxTokens,
  };
  if (typeof thinking === "number") made.thinking = file.thinking[thinking]!;
  if (typeof compat === "number") made.compat = file.compat[compat]!;
  if (typeof headers === "number") made.headers = file.headers[headers]!;
  if (promotion) made.contextPromotionTarget = promotion;
  // Those who speak like Anthropic refuse what they do not know of it.
  if (made.api === "anthropic-messages" && provider !== "anthropic") made.disableStrictTools = true;
  return made;
}

function costOf([input, output, cacheRead, cacheWrite, ...tiers]: Cost): Model["cost"] {
  const base = { input, output, cacheRead, cacheWrite };
  if (tiers.length === 0) return base;
  const named = tiers.map(([inputTokensAbove, ...prices]) => ({ inputTokensAbove, ...costOf(prices) }));
  return { ...base, tiers: named };
}
