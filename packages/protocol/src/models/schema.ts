import { z } from "zod";

const count = z.number().int().positive();

const prices = { input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() };

/** One model of one provider, as it is after everything has been merged. It holds no header and no key. */
export const ModelRow = z.object({
  /** `provider/id`: its full name. */
  selector: z.string(),
  provider: z.string(),
  id: z.string(),
  name: z.string(),
  /** What its maker calls it; the same for all providers that have it. */
  canonical: z.string(),
  api: z.string(),
  contextWindow: count,
  maxTokens: count,
  input: z.array(z.string()),
  /** Thinking levels from least to most; `off` alone: it cannot think. */
  levels: z.array(z.string()),
  /** Dollars for a million tokens. A request that reads more than a tier says has the prices of the tier. */
  cost: z.object({ ...prices, tiers: z.array(z.object({ inputTokensAbove: count, ...prices })).optional() }),
  /** Somebody is logged in or nobody has to be, and the settings want it here. */
  available: z.boolean(),
});

export type ModelRow = z.infer<typeof ModelRow>;

/** A mistake in models.yml or config.yml, or a provider that did not answer. Lines and columns are counted from 1. */
export const ModelProblem = z.object({
  file: z.string(),
  line: count.optional(),
  column: count.optional(),
  path: z.string(),
  message: z.string(),
});

export type ModelProblem = z.infer<typeof ModelProblem>;

/** One model under the name that its maker gives it. */
export const CanonicalRow = z.object({
  id: z.string(),
  /** Who has it. */
  selectors: z.array(z.string()),
  /** Which of them is taken when it is asked for by this name. */
  chosen: z.string().optional(),
  available: z.boolean(),
});

export type CanonicalRow = z.infer<typeof CanonicalRow>;

export const ModelProvider = z.object({
  id: z.string(),
  models: z.number().int(),
  /** Is somebody logged in, or does nobody have to be? */
  ready: z.boolean(),
  /** The settings switch it off for this folder. */
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
  /** The level that the model really gets, where the selector names one. */
  thinking: z.string().optional(),
  /** A line for each step that decided. */
  why: z.array(z.string()),
  problems: z.array(ModelProblem),
});

export type ResolvedModel = z.infer<typeof ResolvedModel>;
