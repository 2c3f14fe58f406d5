import type { Api, ThinkingLevel } from "./model.ts";

export type TextBlock = { type: "text"; text: string; textSignature?: string };
export type ThinkingBlock = { type: "thinking"; thinking: string; thinkingSignature?: string; redacted?: boolean };
/** `data` is base64. */
export type ImageBlock = { type: "image"; data: string; mimeType: string };
export type ToolCall = {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  thoughtSignature?: string;
  /** What the model says it wants with the call. */
  intent?: string;
};

export type Usage = {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Part of `output`. */
  reasoningTokens?: number;
  totalTokens: number;
  /** Dollars. */
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
};

export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

export type UserMessage = { role: "user"; content: string | (TextBlock | ImageBlock)[]; timestamp: number };
/** Words of the program itself to the model, in the place where they count. */
export type DeveloperMessage = { role: "developer"; content: string | TextBlock[]; timestamp: number };
export type AssistantMessage = {
  role: "assistant";
  content: (TextBlock | ThinkingBlock | ToolCall)[];
  api: Api;
  provider: string;
  model: string;
  responseId?: string;
  usage: Usage;
  stopReason: StopReason;
  /** The provider's own word for it. */
  rawStopReason?: string;
  errorMessage?: string;
  failure?: ProviderFailure;
  thinkingLevel?: ThinkingLevel;
  timestamp: number;
  durationMs?: number;
  /** Milliseconds to the first piece. */
  ttft?: number;
};
export type ToolResultMessage = {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextBlock | ImageBlock)[];
  details?: unknown;
  isError: boolean;
  /** Its text was taken out of the context to make room. */
  prunedAt?: number;
  timestamp: number;
};

/** What a model is told. */
export type Message = UserMessage | DeveloperMessage | AssistantMessage | ToolResultMessage;

/**
 * Why a request came to nothing, told apart where the answer is read and nowhere else.
 * `overflow`: the context does not fit. `quota`: used up for hours. `overloaded`, `server`, `network`, `rate_limited`:
 * worth another try. `refused`: the model would not. `invalid`: the request itself is wrong.
 */
export type ProviderFailure = {
  category:
    | "auth"
    | "rate_limited"
    | "quota"
    | "overloaded"
    | "server"
    | "network"
    | "overflow"
    | "refused"
    | "invalid"
    | "aborted"
    | "unknown";
  /** In words for people, without a key or token in them. */
  message: string;
  status?: number;
  /** How long the server wants to be left alone. */
  retryAfterMs?: number;
};
