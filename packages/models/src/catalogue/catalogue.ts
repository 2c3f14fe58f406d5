import { createRequire } from "node:module";
import type { Api, Compat, Model, Thinking } from "../model.ts";

/** The models that Gantry ships, by provider. Arrays and models are shared and must not be changed. */
export type Catalogue = { source: string; made: string; providers: ReadonlyMap<string, readonly Model[]> };

type Tier = [above: number, input: number, output: number, cacheRead: number, cacheWrite: number];
type Cost = [input: number, output: number, cacheRead: number, cacheWrite: number, ...tiers: Tier[]];
/** `api`, `url`, `thinking`, `compat` and `headers` are table indexes. Trailing fields may be missing. */
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
/** The generated file. Values that many models share are stored once, in tables. */
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

/** Read and expanded on first use. The bundle contains the file next to the code. */
export function bundledCatalogue(): Catalogue {
  bundled ??= expandCatalogue(createRequire(import.meta.url)("./catalogue.gen.json") as CatalogueFile);
  return bundled;
}

export function expandCatalogue(file: CatalogueFile): Catalogue {
  const providers = new Map<string, readonly Model[]>();
  for (const [provider, rows] of Object.entries(file.providers)) {
    providers.set(
      provider,
      rows.map((row) => expandRow(file, provider, row)),
    );
  }
  const codeAssist = (providers.get("google") ?? []).flatMap(codeAssistModel);
  if (codeAssist.length > 0) providers.set(CODE_ASSIST, codeAssist);
  return { source: file.source, made: file.made, providers };
}

const CODE_ASSIST = "google-gemini-cli";
const CODE_ASSIST_URL = "https://cloudcode-pa.googleapis.com";

/** Cloud Code Assist serves Google's Gemini models of these families as part of a subscription. */
function codeAssistModel(model: Model): Model[] {
  if (!/^gemini-(2\.5|[3-9][\w.]*)-(pro|flash)/.test(model.id) || /image|tts|live|audio|customtools/.test(model.id))
    return [];
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return [{ ...model, provider: CODE_ASSIST, api: "google-gemini-cli", baseUrl: CODE_ASSIST_URL, cost }];
}

function expandRow(file: CatalogueFile, provider: string, row: Row): Model {
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
  // Compatible servers reject fields of Anthropic's format that they do not know.
  if (made.api === "anthropic-messages" && provider !== "anthropic") made.disableStrictTools = true;
  return made;
}

function costOf([input, output, cacheRead, cacheWrite, ...tiers]: Cost): Model["cost"] {
  const base = { input, output, cacheRead, cacheWrite };
  if (tiers.length === 0) return base;
  const expanded = tiers.map(([inputTokensAbove, ...prices]) => ({ inputTokensAbove, ...costOf(prices) }));
  return { ...base, tiers: expanded };
}
