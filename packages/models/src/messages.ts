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
  /** The model's own description of the call's purpose. */
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
/** Instructions from the program to the model at this point of the conversation. */
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
  /** The provider's name for the stop reason. */
  rawStopReason?: string;
  errorMessage?: string;
  failure?: ProviderFailure;
  thinkingLevel?: ThinkingLevel;
  timestamp: number;
  durationMs?: number;
  /** Time to first token, in milliseconds. */
  ttft?: number;
};
export type ToolResultMessage = {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextBlock | ImageBlock)[];
  details?: unknown;
  isError: boolean;
  /** When its text was removed to free context. */
  prunedAt?: number;
  timestamp: number;
};

/** One message of the conversation that is sent to a model. */
export type Message = UserMessage | DeveloperMessage | AssistantMessage | ToolResultMessage;

/**
 * Why a request failed. Classified once, where the response is read.
 * `overflow`: the context does not fit. `quota`: exhausted for hours. `overloaded`, `server`, `network`, `rate_limited`:
 * a retry may help. `refused`: the model declined. `invalid`: the request is malformed.
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
  /** Shown to the user; contains no key or token. */
  message: string;
  status?: number;
  /** The delay that the server requests before a retry. */
  retryAfterMs?: number;
};
