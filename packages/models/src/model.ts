/** The wire formats that a model may be spoken to in. */
export const APIS = [
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "bedrock-converse-stream",
  "google-generative-ai",
  "google-vertex",
  "ollama-chat",
] as const;
export type Api = (typeof APIS)[number];

/** How hard a model thinks, from least to most. */
export const EFFORTS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof EFFORTS)[number];
export type ThinkingLevel = "off" | Effort;

/** Which efforts a model knows and how they are told on the wire. `levels` wins over the range. */
export type Thinking = {
  minLevel: Effort;
  maxLevel: Effort;
  mode: "effort" | "budget" | "google-level" | "anthropic-adaptive" | "anthropic-budget-effort";
  defaultLevel?: Effort;
  levels?: Effort[];
};

export type CacheRetention = "none" | "short" | "long";

/** Dollars for a million tokens. */
export type Prices = { input: number; output: number; cacheRead: number; cacheWrite: number };
/** Of the tiers whose limit a request's input is above, the highest sets all its prices; without one those beside them. */
export type Cost = Prices & { tiers?: (Prices & { inputTokensAbove: number })[] };

export type Routing = { only?: string[]; order?: string[] };

/** In what an OpenAI-compatible endpoint departs from OpenAI. What is not said is found out from provider and URL. */
export type Compat = {
  supportsStore?: boolean;
  supportsDeveloperRole?: boolean;
  supportsMultipleSystemMessages?: boolean;
  supportsUsageInStreaming?: boolean;
  supportsReasoningEffort?: boolean;
  reasoningEffortMap?: Partial<Record<Effort, string>>;
  maxTokensField?: "max_completion_tokens" | "max_tokens";
  supportsToolChoice?: boolean;
  supportsForcedToolChoice?: boolean;
  toolChoiceSupport?: "none" | "auto" | "required" | "named";
  disableReasoningOnForcedToolChoice?: boolean;
  disableReasoningOnToolChoice?: boolean;
  thinkingFormat?: "openai" | "openrouter" | "zai" | "qwen" | "qwen-chat-template";
  reasoningContentField?: "reasoning_content" | "reasoning" | "reasoning_text";
  requiresReasoningContentForToolCalls?: boolean;
  allowsSyntheticReasoningContentForToolCalls?: boolean;
  requiresAssistantContentForToolCalls?: boolean;
  requiresToolResultName?: boolean;
  requiresAssistantAfterToolResult?: boolean;
  requiresThinkingAsText?: boolean;
  requiresMistralToolIds?: boolean;
  supportsStrictMode?: boolean;
  toolStrictMode?: "all_strict" | "none";
  openRouterRouting?: Routing;
  vercelGatewayRouting?: Routing;
  extraBody?: Record<string, unknown>;
};

/** What is changed about a request at the very end. `setHeaders` with `null` takes a header away. */
export type RequestTransform = {
  profile?: "openai-proxy";
  stripHeaders?: string[];
  setHeaders?: Record<string, string | null>;
  extraBody?: Record<string, unknown>;
};

/** One model of one provider, with everything that was merged into it. Never changed in place. */
export type Model = {
  id: string;
  name: string;
  api: Api;
  provider: string;
  baseUrl: string;
  reasoning: boolean;
  thinking?: Thinking;
  input: ("text" | "image")[];
  cost: Cost;
  contextWindow: number;
  maxTokens: number;
  headers?: Record<string, string>;
  compat?: Compat;
  /** `provider/id`, or an id of the same provider: where to go when the context does not fit. */
  contextPromotionTarget?: string;
  /** The id that is sent, where it is not `id`. */
  wireModelId?: string;
  requestTransform?: RequestTransform;
  cacheRetention?: CacheRetention;
  /** For Anthropic's format: tools are sent without `strict`. */
  disableStrictTools?: boolean;
  /** Nobody has to log in. */
  keyless?: boolean;
  /** The key goes into `Authorization: Bearer`, whatever the wire format's own header for it is. */
  authHeader?: boolean;
};
