// Writes the model catalogue that Gantry ships: `node scripts/bootstrap.mjs scripts/data/catalogue.ts [version]`. The data comes
// from the npm package @earendil-works/pi-ai, which is downloaded into a temporary folder and is not a dependency. Run it
// with `latest` to update the catalogue. The file records the package's version and the date of its data.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.ts";
import { type UnpackedPackage, withNpmPackage } from "./npm-package.ts";

const PACKAGE = "@earendil-works/pi-ai";
const FILE = join(root, "packages/models/src/catalogue/catalogue.gen.json");

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

/** Wire formats of the package that Gantry replaces by another one. */
const REPLACED_APIS: Record<string, string> = { "mistral-conversations": "openai-completions" };
/** Wire formats that Gantry has a transport for. Models of any other format are left out. */
const SUPPORTED_APIS = [
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "bedrock-converse-stream",
  "google-generative-ai",
  "google-vertex",
];
/** Fields of `compat` that have the same meaning in Gantry. */
const SHARED_COMPAT_FIELDS = [
  "supportsStore",
  "supportsDeveloperRole",
  "supportsUsageInStreaming",
  "supportsReasoningEffort",
  "maxTokensField",
  "supportsStrictMode",
];
const THINKING_FORMATS = ["openai", "openrouter", "zai", "qwen"];

const [version = recordedVersion()] = process.argv.slice(2);
await withNpmPackage(PACKAGE, version, (unpacked) => {
  writeFileSync(FILE, catalogueText(unpacked));
  process.stdout.write(`Wrote the catalogue of ${PACKAGE} ${unpacked.version}\n`);
});

/** The version that the catalogue was last generated from. */
function recordedVersion(): string {
  return (JSON.parse(readFileSync(FILE, "utf8")).source as string).slice(PACKAGE.length + 1);
}

/** Deterministic: the same package gives the same text. */
function catalogueText({ folder, version: from, license }: UnpackedPackage): string {
  const data = join(folder, "dist/providers/data");
  const { generatedAt } = JSON.parse(readFileSync(join(data, ".manifest.json"), "utf8"));
  const tables = {
    apis: makeTable(),
    urls: makeTable(),
    thinking: makeTable(),
    compat: makeTable(),
    headers: makeTable(),
  };
  const providers = readdirSync(data)
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .sort()
    .flatMap((name) => providerRows(JSON.parse(readFileSync(join(data, name), "utf8")), tables));
  const head = { source: `${PACKAGE} ${from}`, license, made: String(generatedAt).slice(0, 10) };
  const shared = Object.entries(tables).map(
    ([name, { rows }]) => `  ${JSON.stringify(name)}: [\n${rows.map((row) => `    ${row}`).join(",\n")}\n  ]`,
  );
  return `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n${shared.join(",\n")},\n  "providers": {\n${providers.join(",\n")}\n  }\n}\n`;
}

type Table = { rows: string[]; index(value: unknown): number };
type Tables = Record<"apis" | "urls" | "thinking" | "compat" | "headers", Table>;

/** Stores each distinct value once. A model row refers to it by index. */
function makeTable(): Table {
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

function providerRows(groups: Record<string, Record<string, Source>>, tables: Tables): string[] {
  const models = Object.values(groups)
    .flatMap((group) => Object.values(group))
    .map((model) => ({ ...model, api: REPLACED_APIS[model.api] ?? model.api, baseUrl: baseUrlOf(model) }))
    .filter(({ api }) => SUPPORTED_APIS.includes(api))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const [first] = models;
  if (!first) return [];
  const ids = new Set(models.map(({ id }) => id));
  const rows = models.map((model) => `      ${JSON.stringify(modelRow(model, ids, tables))}`);
  return [`    ${JSON.stringify(first.provider)}: [\n${rows.join(",\n")}\n    ]`];
}

/** Mistral serves chat completions one path segment below the API that the package uses. */
function baseUrlOf({ api, baseUrl }: Source): string {
  return api === "mistral-conversations" ? `${baseUrl}/v1` : baseUrl;
}

/** [id, name, api, url, image?, cost, contextWindow, maxTokens, thinking, compat, headers, promotion]. Trailing nulls are omitted. */
function modelRow(model: Source, ids: ReadonlySet<string>, tables: Tables): unknown[] {
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

/** The package lists a negative price for routers whose price depends on the model they choose. */
function pricesOf({ input, output, cacheRead, cacheWrite }: Prices): number[] {
  return [input, output, cacheRead, cacheWrite].map((price) => Math.max(price, 0));
}

/**
 * A level that the package maps to another level is an alias and is left out. A level that the package does not mention
 * exists up to `high` and does not exist above it.
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
  for (const key of SHARED_COMPAT_FIELDS) if (from[key] !== undefined) compat[key] = from[key];
  if (THINKING_FORMATS.includes(String(from.thinkingFormat))) compat.thinkingFormat = from.thinkingFormat;
  if (from.requiresReasoningContentOnAssistantMessages) compat.requiresReasoningContentForToolCalls = true;
  const renamed = Object.entries(model.thinkingLevelMap ?? {}).filter(
    ([level, sent]) => level !== "off" && sent && sent !== level && !EFFORTS.some((other) => other === sent),
  );
  if (renamed.length > 0) compat.reasoningEffortMap = Object.fromEntries(renamed);
  return compat;
}
