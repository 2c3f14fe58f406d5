import { z } from "zod";

const count = z.number().int().positive();

const prices = { input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() };

/** One model of one provider, after merging all settings. It contains no header and no key. */
export const ModelRow = z.object({
  /** The full name: `provider/id`. */
  selector: z.string(),
  provider: z.string(),
  id: z.string(),
  name: z.string(),
  /** The vendor's name of the model; the same for all providers. */
  canonical: z.string(),
  api: z.string(),
  contextWindow: count,
  maxTokens: count,
  input: z.array(z.string()),
  /** Thinking levels in ascending order; `off` alone: no thinking. */
  levels: z.array(z.string()),
  /** US dollars per million tokens. A tier applies to requests with more input tokens than its threshold. */
  cost: z.object({ ...prices, tiers: z.array(z.object({ inputTokensAbove: count, ...prices })).optional() }),
  /** The provider has a credential or needs none, and the settings enable the model here. */
  available: z.boolean(),
});

export type ModelRow = z.infer<typeof ModelRow>;

/** An error in models.yml or config.yml, or a provider that does not respond. Lines and columns start at 1. */
export const ModelProblem = z.object({
  file: z.string(),
  line: count.optional(),
  column: count.optional(),
  path: z.string(),
  message: z.string(),
});

export type ModelProblem = z.infer<typeof ModelProblem>;

/** One model under its vendor's name. */
export const CanonicalRow = z.object({
  id: z.string(),
  /** The providers' models with this name. */
  selectors: z.array(z.string()),
  /** The one that this name resolves to. */
  chosen: z.string().optional(),
  available: z.boolean(),
});

export type CanonicalRow = z.infer<typeof CanonicalRow>;

/** The name of a provider: of models.yml, of the catalogue, or a preset. */
export const ProviderName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, "must be the name of a provider");

export const ModelProvider = z.object({
  id: z.string(),
  models: z.number().int(),
  /** Whether the provider has a credential or needs none. */
  ready: z.boolean(),
  /** The settings disable it for this folder. */
  disabled: z.boolean(),
});

export type ModelProvider = z.infer<typeof ModelProvider>;

export const ModelList = z.object({
  models: z.array(ModelRow),
  canonical: z.array(CanonicalRow),
  providers: z.array(ModelProvider),
  problems: z.array(ModelProblem),
});

export type ModelList = z.infer<typeof ModelList>;

export const ResolvedModel = z.object({
  query: z.string(),
  model: ModelRow,
  /** The effective thinking level, if the selector names one. */
  thinking: z.string().optional(),
  /** One line per decision of the resolution. */
  why: z.array(z.string()),
  problems: z.array(ModelProblem),
});

export type ResolvedModel = z.infer<typeof ResolvedModel>;

/** Adds a preset, a provider of the catalogue by its name, or a server by its URL. */
export const AddProvider = z.strictObject({
  name: ProviderName,
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  /** The wire format of the server; without one, `openai-completions`. */
  api: z.string().max(100).optional(),
  /** Ids of models; without any, the server is asked for its list. */
  models: z.array(z.string().min(1).max(200)).max(200).optional(),
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, "must be the name of a variable")
    .optional(),
  /** The server needs no key. */
  noKey: z.boolean().optional(),
  /** Goes into the credential store, never into a file of the configuration, a log or an answer. */
  key: z.string().max(10_000).optional(),
});

export type AddProvider = z.infer<typeof AddProvider>;

/** A provider of models.yml, or one with a credential. It contains no key. */
export const ProviderRow = z.object({
  provider: z.string(),
  models: z.number().int(),
  ready: z.boolean(),
  /** It has an entry in models.yml, which can be removed. */
  inFile: z.boolean(),
  /** Where its credential comes from. */
  source: z.string().optional(),
  /** A key of the credential store, which can be removed. */
  storedKey: z.boolean(),
});

export type ProviderRow = z.infer<typeof ProviderRow>;

/** `known`: the providers that can be added by their name alone. */
export const ProviderList = z.object({
  providers: z.array(ProviderRow),
  known: z.array(z.object({ name: z.string(), models: z.number().int() })),
});

export type ProviderList = z.infer<typeof ProviderList>;

export const ProviderAdded = z.object({
  provider: z.string(),
  /** Whether models.yml got an entry. */
  added: z.boolean(),
  /** The environment variable that holds the key, if no key is stored. */
  variable: z.string().optional(),
  models: z.number().int(),
  ready: z.boolean(),
});

export type ProviderAdded = z.infer<typeof ProviderAdded>;

/** The result of one short request. */
export const ProviderTest = z.object({
  ok: z.boolean(),
  model: z.string().optional(),
  ms: z.number().optional(),
  message: z.string().optional(),
});

export type ProviderTest = z.infer<typeof ProviderTest>;
