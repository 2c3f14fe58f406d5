/** The wire formats that Gantry has transports for. */
export const APIS = [
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "bedrock-converse-stream",
  "google-generative-ai",
  "google-vertex",
  "google-gemini-cli",
  "ollama-chat",
] as const;
export type Api = (typeof APIS)[number];

/** Thinking efforts, from lowest to highest. */
export const EFFORTS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof EFFORTS)[number];
export type ThinkingLevel = "off" | Effort;

/** The efforts that a model supports and how requests encode them. `levels` overrides the range. */
export type Thinking = {
  minLevel: Effort;
  maxLevel: Effort;
  mode: "effort" | "budget" | "google-level" | "anthropic-adaptive" | "anthropic-budget-effort";
  defaultLevel?: Effort;
  levels?: Effort[];
};

/** Whether OpenAI's Responses formats use a WebSocket. `auto`: at OpenAI's own servers, with HTTP as a fallback. */
export type Websockets = "auto" | "off" | "on";

export type CacheRetention = "none" | "short" | "long";

/** Dollars for a million tokens. */
export type Prices = { input: number; output: number; cacheRead: number; cacheWrite: number };
/** A request is billed by the highest tier whose limit its input exceeds, else by the base prices. */
export type Cost = Prices & { tiers?: (Prices & { inputTokensAbove: number })[] };

export type Routing = { only?: string[]; order?: string[] };

/** Deviations of an OpenAI-compatible endpoint from OpenAI. Missing fields are detected from provider and URL. */
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

/** Last changes to a request before it is sent. `null` in `setHeaders` removes a header. */
export type RequestTransform = {
  profile?: "openai-proxy";
  stripHeaders?: string[];
  setHeaders?: Record<string, string | null>;
  extraBody?: Record<string, unknown>;
};

/** One model of one provider after all merges. Immutable. */
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
  /** `provider/id`, or an id of the same provider: the model to switch to when the context does not fit. */
  contextPromotionTarget?: string;
  /** The id to send, if it differs from `id`. */
  wireModelId?: string;
  requestTransform?: RequestTransform;
  cacheRetention?: CacheRetention;
  /** Responses formats only. Default `off`; the registry sets it from the settings. */
  websockets?: Websockets;
  /** Anthropic's format only: send tools without `strict`. */
  disableStrictTools?: boolean;
  /** No credential is needed. */
  keyless?: boolean;
  /** Send the key as `Authorization: Bearer` instead of in the wire format's usual header. */
  authHeader?: boolean;
};

/** Defaults of a model that the user defines. */
export const CUSTOM_DEFAULTS = {
  reasoning: false,
  input: ["text"] as ("text" | "image")[],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 128_000,
  maxTokens: 16_384,
};
