// Makes the catalogue of models that Gantry comes with, from the data of the npm package @earendil-works/pi-ai. It is run
// by `npm run generate`; the file says what it was made from, and when.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./steps.ts";

const PACKAGE = "@earendil-works/pi-ai";
const home = join(root, "node_modules", PACKAGE);
export const CATALOGUE = join(root, "packages/models/src/catalogue/catalogue.gen.json");

const EFFORTS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
type Effort = (typeof EFFORTS)[number];
type Prices = { input: number; output: number; cacheRead: number; cacheWrite: number };
type Source = {
  id: string;
  name: string;
  api: string;
  provider: string;
  baseUrl: string;
  reasoning: boolean;
  input: string[];
  cost: Prices & { tiers?: (Prices & { inputTokensAbove: number })[] };
  contextWindow: number;
  maxTokens: number;
  headers?: Record<string, string>;
  compat?: Record<string, unknown>;
  thinkingLevelMap?: Partial<Record<Effort | "off", string | null>>;
};

/** What the package calls otherwise than we, and what we speak otherwise. */
const APIS: Record<string, string> = { "mistral-conversations": "openai-completions" };
const SPOKEN = [
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "bedrock-converse-stream",
  "google-generative-ai",
  "google-vertex",
];
/** Fields of `compat` that mean the same here. */
const COMPAT = [
  "supportsStore",
  "supportsDeveloperRole",
  "supportsUsageInStreaming",
  "supportsReasoningEffort",
  "maxTokensField",
  "supportsStrictMode",
];
const FORMATS = ["openai", "openrouter", "zai", "qwen"];

/** The text of the file. The same package gives the same text. */
export function catalogueText(): string {
  const data = join(home, "dist/providers/data");
  const { version, license } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const { generatedAt } = JSON.parse(readFileSync(join(data, ".manifest.json"), "utf8"));
  const tables = { apis: table(), urls: table(), thinking: table(), compat: table(), headers: table() };
  const providers = readdirSync(data)
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .sort()
    .flatMap((name) => provider(JSON.parse(readFileSync(join(data, name), "utf8")), tables));
  const head = { source: `${PACKAGE} ${version}`, license, made: String(generatedAt).slice(0, 10) };
  const shared = Object.entries(tables).map(
    ([name, { rows }]) => `  ${JSON.stringify(name)}: [\n${rows.map((row) => `    ${row}`).join(",\n")}\n  ]`,
  );
  return `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n${shared.join(",\n")},\n  "providers": {\n${providers.join(",\n")}\n  }\n}\n`;
}

type Table = { rows: string[]; index(value: unknown): number };
type Tables = Record<"apis" | "urls" | "thinking" | "compat" | "headers", Table>;

/** Each value once; a model names its place. */
function table(): Table {
  const rows: string[] = [];
  const places = new Map<string, number>();
  return {
    rows,
    index(value) {
      const text = JSON.stringify(value);
      const place = places.get(text) ?? rows.push(text) - 1;
      places.set(text, place);
      return place;
    },
  };
}

function provider(groups: Record<string, Record<string, Source>>, tables: Tables): string[] {
  const models = Object.values(groups)
    .flatMap((group) => Object.values(group))
    .map((model) => ({ ...model, api: APIS[model.api] ?? model.api, baseUrl: url(model) }))
    .filter(({ api }) => SPOKEN.includes(api))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const [first] = models;
  if (!first) return [];
  const ids = new Set(models.map(({ id }) => id));
  const rows = models.map((model) => `      ${JSON.stringify(row(model, ids, tables))}`);
  return [`    ${JSON.stringify(first.provider)}: [\n${rows.join(",\n")}\n    ]`];
}

/** Its chat completions stand one folder deeper than what the package speaks. */
function url({ api, baseUrl }: Source): string {
  return api === "mistral-conversations" ? `${baseUrl}/v1` : baseUrl;
}

/** [id, name, api, url, image?, cost, contextWindow, maxTokens, thinking, compat, headers, promotion]; the end may be missing. */
function row(model: Source, ids: ReadonlySet<string>, tables: Tables): unknown[] {
  const compat = compatOf(model);
  const base = model.id.replace(/-spark$/, "");
  const cells: unknown[] = [
    model.id,
    model.name,
    tables.apis.index(model.api),
    tables.urls.index(model.baseUrl),
    model.input.includes("image") ? 1 : 0,
    [...pricesOf(model.cost), ...(model.cost.tiers ?? []).map((tier) => [tier.inputTokensAbove, ...pricesOf(tier)])],
    model.contextWindow,
    model.maxTokens,
    model.reasoning ? tables.thinking.index(thinkingOf(model)) : null,
    Object.keys(compat).length > 0 ? tables.compat.index(compat) : null,
    model.headers ? tables.headers.index(model.headers) : null,
    model.id !== base && ids.has(base) ? base : null,
  ];
  while (cells.at(-1) === null) cells.pop();
  return cells;
}

/** A router that takes the price of what it chooses is listed with a negative one. */
function pricesOf({ input, output, cacheRead, cacheWrite }: Prices): number[] {
  return [input, output, cacheRead, cacheWrite].map((price) => Math.max(price, 0));
}

/**
 * A level that the package sends as another level is not one of its own: asking for it means the other. What it does not
 * mention is there up to `high`, and not above.
 */
function thinkingOf(model: Source): unknown {
  const map = model.thinkingLevelMap ?? {};
  const mode = modeOf(model);
  const levels = EFFORTS.filter((level) => {
    const sent = map[level];
    if (sent === undefined)
      return (level !== "minimal" || mode !== "anthropic-adaptive") && !/^(xhigh|max)$/.test(level);
    return sent !== null && (sent === level || !EFFORTS.some((other) => other === sent));
  });
  const known = levels.length > 0 ? levels : (["high"] as const);
  const range = { minLevel: known[0], maxLevel: known.at(-1), mode };
  const gaps = EFFORTS.indexOf(known.at(-1)!) - EFFORTS.indexOf(known[0]!) + 1 !== known.length;
  return gaps ? { ...range, levels: known } : range;
}

function modeOf({ api, id, compat }: Source): string {
  if (api === "google-generative-ai" || api === "google-vertex")
    return /gemini-[3-9]/.test(id) ? "google-level" : "budget";
  if (api === "anthropic-messages" || /claude/.test(id)) {
    if (compat?.forceAdaptiveThinking || /(opus-4-[6-9]|opus-[5-9]|sonnet-4-[6-9]|sonnet-[5-9]|fable)/.test(id)) {
      return "anthropic-adaptive";
    }
    if (api === "anthropic-messages" || api === "bedrock-converse-stream") {
      return /opus-4-5/.test(id) ? "anthropic-budget-effort" : "budget";
    }
  }
  return "effort";
}

function compatOf(model: Source): Record<string, unknown> {
  const from = model.compat ?? {};
  const compat: Record<string, unknown> = {};
  if (!model.api.startsWith("openai") && model.api !== "azure-openai-responses") return compat;
  for (const key of COMPAT) if (from[key] !== undefined) compat[key] = from[key];
  if (FORMATS.includes(String(from.thinkingFormat))) compat.thinkingFormat = from.thinkingFormat;
  if (from.requiresReasoningContentOnAssistantMessages) compat.requiresReasoningContentForToolCalls = true;
  const renamed = Object.entries(model.thinkingLevelMap ?? {}).filter(
    ([level, sent]) => level !== "off" && sent && sent !== level && !EFFORTS.some((other) => other === sent),
  );
  if (renamed.length > 0) compat.reasoningEffortMap = Object.fromEntries(renamed);
  return compat;
}
