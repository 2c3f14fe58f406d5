import { z } from "zod";
import { APIS, EFFORTS } from "../model.ts";

/** The schema of models.yml. Strict: an unknown key is an error. */
const text = z.string().trim().min(1, "must not be empty");
const effort = z.enum(EFFORTS);
const api = z.enum(APIS);
const headers = z.record(text, z.string());
const tokens = z.number().int("must be a whole number").positive("must be more than 0");
const price = z.number().nonnegative("must not be negative");
const baseUrl = text.refine(
  (url) => /^https?:\/\/\S+$/.test(url),
  "must be a URL that begins with http:// or https://",
);
const cacheRetention = z.enum(["none", "short", "long"]);
const routing = z.strictObject({ only: z.array(text).optional(), order: z.array(text).optional() });
const extraBody = z.record(z.string(), z.unknown());
const flag = z.boolean().optional();

const compat = z.strictObject({
  supportsStore: flag,
  supportsDeveloperRole: flag,
  supportsMultipleSystemMessages: flag,
  supportsUsageInStreaming: flag,
  supportsReasoningEffort: flag,
  reasoningEffortMap: z.partialRecord(effort, text).optional(),
  maxTokensField: z.enum(["max_completion_tokens", "max_tokens"]).optional(),
  supportsToolChoice: flag,
  supportsForcedToolChoice: flag,
  toolChoiceSupport: z.enum(["none", "auto", "required", "named"]).optional(),
  disableReasoningOnForcedToolChoice: flag,
  disableReasoningOnToolChoice: flag,
  thinkingFormat: z.enum(["openai", "openrouter", "zai", "qwen", "qwen-chat-template"]).optional(),
  reasoningContentField: z.enum(["reasoning_content", "reasoning", "reasoning_text"]).optional(),
  requiresReasoningContentForToolCalls: flag,
  allowsSyntheticReasoningContentForToolCalls: flag,
  requiresAssistantContentForToolCalls: flag,
  requiresToolResultName: flag,
  requiresAssistantAfterToolResult: flag,
  requiresThinkingAsText: flag,
  requiresMistralToolIds: flag,
  supportsStrictMode: flag,
  toolStrictMode: z.enum(["all_strict", "none"]).optional(),
  openRouterRouting: routing.optional(),
  vercelGatewayRouting: routing.optional(),
  extraBody: extraBody.optional(),
});

const requestTransform = z.strictObject({
  profile: z.literal("openai-proxy").optional(),
  stripHeaders: z.array(text).optional(),
  setHeaders: z.record(text, z.string().nullable()).optional(),
  extraBody: extraBody.optional(),
});

const thinking = z
  .strictObject({
    minLevel: effort,
    maxLevel: effort,
    mode: z.enum(["effort", "budget", "google-level", "anthropic-adaptive", "anthropic-budget-effort"]),
    defaultLevel: effort.optional(),
    levels: z.array(effort).min(1, "must name at least one level").optional(),
  })
  .superRefine(({ minLevel, maxLevel, defaultLevel, levels }, context) => {
    const [min, max] = [EFFORTS.indexOf(minLevel), EFFORTS.indexOf(maxLevel)];
    const isWithinRange = (level: (typeof EFFORTS)[number]) =>
      EFFORTS.indexOf(level) >= min && EFFORTS.indexOf(level) <= max;
    if (min > max) context.addIssue({ code: "custom", path: ["minLevel"], message: "must not be above maxLevel" });
    else if (levels?.some((level) => !isWithinRange(level))) {
      context.addIssue({ code: "custom", path: ["levels"], message: "must be between minLevel and maxLevel" });
    } else if (defaultLevel && !(levels ? levels.includes(defaultLevel) : isWithinRange(defaultLevel))) {
      context.addIssue({ code: "custom", path: ["defaultLevel"], message: "must be one of the model's levels" });
    }
  });

const prices = { input: price, output: price, cacheRead: price, cacheWrite: price };
const cost = z
  .strictObject({ ...prices, tiers: z.array(z.strictObject({ inputTokensAbove: tokens, ...prices })) })
  .partial();
const about = {
  name: text.optional(),
  reasoning: flag,
  thinking: thinking.optional(),
  input: z
    .array(z.enum(["text", "image"]))
    .min(1, "must name at least one kind")
    .optional(),
  contextWindow: tokens.optional(),
  maxTokens: tokens.optional(),
  headers: headers.optional(),
  compat: compat.optional(),
  contextPromotionTarget: text.optional(),
  wireModelId: text.optional(),
  requestTransform: requestTransform.optional(),
  cacheRetention: cacheRetention.optional(),
};

const modelEntry = z.strictObject({
  id: text,
  api: api.optional(),
  baseUrl: baseUrl.optional(),
  cost: cost.optional(),
  ...about,
});
const modelOverride = z.strictObject({ cost: cost.optional(), ...about });

export const DISCOVERY_TYPES = ["ollama", "llama.cpp", "lm-studio", "openai-models-list"] as const;

export const providerSchema = z.strictObject({
  baseUrl: baseUrl.optional(),
  apiKey: text.optional(),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable")
    .optional(),
  api: api.optional(),
  headers: headers.optional(),
  compat: compat.optional(),
  authHeader: flag,
  auth: z.enum(["apiKey", "none", "oauth"]).optional(),
  discovery: z.strictObject({ type: z.enum(DISCOVERY_TYPES) }).optional(),
  requestTransform: requestTransform.optional(),
  models: z.array(modelEntry).optional(),
  modelOverrides: z.record(text, modelOverride).optional(),
  disableStrictTools: flag,
  cacheRetention: cacheRetention.optional(),
});

const selectors = z.record(text, text);
export const bindingsSchema = z.strictObject({
  modelRoles: selectors.optional(),
  agentModelOverrides: selectors.optional(),
});
const concrete = text.regex(/^[^/\s]+\/\S+$/, "must be provider/model-id");
export const equivalenceSchema = z.strictObject({
  overrides: z.record(concrete, text).optional(),
  exclude: z.array(concrete).optional(),
});

export const PROFILE_ROLES = ["default", "executor", "architect", "planner", "critic"] as const;
export const profileSchema = z.strictObject({
  required_providers: z.array(text).default([]),
  model_mapping: z
    .partialRecord(
      z.enum(PROFILE_ROLES),
      concrete.refine((selector) => !selector.includes(","), "must be one model; a list of fallbacks is not possible"),
    )
    .refine((mapping) => Object.keys(mapping).length > 0, "must map at least one role"),
});

export type ProviderConfig = z.infer<typeof providerSchema>;
export type ModelEntry = z.infer<typeof modelEntry>;
export type ModelOverride = z.infer<typeof modelOverride>;
export type DiscoveryType = (typeof DISCOVERY_TYPES)[number];
export type ModelBindings = z.infer<typeof bindingsSchema>;
export type Equivalence = z.infer<typeof equivalenceSchema>;
export type ProfileRole = (typeof PROFILE_ROLES)[number];
export type ProfileConfig = z.infer<typeof profileSchema>;
