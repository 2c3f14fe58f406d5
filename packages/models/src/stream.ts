import type { AssistantMessage, Message, ToolCall } from "./messages.ts";
import type { CacheRetention, Model, ThinkingLevel } from "./model.ts";

/** Authenticates a request. Held in memory for the duration of a request and never logged. */
export type Credential =
  | { kind: "key"; key: string }
  | { kind: "oauth"; token: string; accountId?: string; projectId?: string }
  /** The vendor's credential chain of profiles and environment (AWS, Google). */
  | { kind: "ambient" }
  | { kind: "none" };

/** A tool as a model sees it. `parameters` is JSON Schema. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown>; strict?: boolean };

export type ToolChoice = "auto" | "none" | "required" | { name: string };

export type ModelRequest = {
  /** Blocks of the system prompt, joined for providers that accept only one. */
  system: readonly string[];
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  toolChoice?: ToolChoice;
  thinking: ThinkingLevel;
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  /** Constant for a conversation. Used for the provider's prompt cache. */
  sessionId?: string;
  cacheRetention?: CacheRetention;
  credential: Credential;
  signal: AbortSignal;
  /**
   * Called last with the whole body, and the only place where secrets are masked. Returns the body to send. Must not
   * throw.
   */
  seal?: (body: unknown) => unknown;
  /** Idle timeout of the stream in milliseconds. Default 120,000. */
  idleMs?: number;
  env?: Record<string, string | undefined>;
  /** Replaces the global fetch, for tests and proxies. */
  fetch?: typeof globalThis.fetch;
};

/**
 * Events of a request, in order: `start`, then blocks (each `start`, `delta`*, `end`, identified by `index`; blocks may
 * interleave), then exactly one `done` or `error`. Deltas are increments; the last event holds the whole `message`.
 */
export type StreamEvent =
  | { type: "start" }
  | { type: "text_start"; index: number }
  | { type: "text_delta"; index: number; delta: string }
  | { type: "text_end"; index: number; text: string }
  | { type: "thinking_start"; index: number }
  | { type: "thinking_delta"; index: number; delta: string }
  | { type: "thinking_end"; index: number; thinking: string }
  | { type: "toolcall_start"; index: number; id: string; name: string }
  /** A fragment of the arguments' JSON text. */
  | { type: "toolcall_delta"; index: number; delta: string }
  | { type: "toolcall_end"; index: number; toolCall: ToolCall; invalid?: string }
  | { type: "done"; message: AssistantMessage }
  /** `message` is partial and has a `failure`. An abort is an `error` with `stopReason: aborted`. */
  | { type: "error"; message: AssistantMessage };

/**
 * Sends one request to a model. Never throws or rejects: every failure is an `error` event. Makes no retries; the caller
 * decides about them. A caller that stops reading early must abort the request's signal.
 */
export type StreamModel = (model: Model, request: ModelRequest) => AsyncIterable<StreamEvent>;
