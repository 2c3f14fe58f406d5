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
