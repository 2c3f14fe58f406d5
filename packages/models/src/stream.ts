import type { AssistantMessage, Message, ToolCall } from "./messages.ts";
import type { CacheRetention, Model, ThinkingLevel } from "./model.ts";

/** What proves to a provider who asks. It is in memory for the time of a request, and is never logged. */
export type Credential =
  | { kind: "key"; key: string }
  | { kind: "oauth"; token: string; accountId?: string; projectId?: string }
  /** The provider's own chain of profiles and environment (AWS, Google). */
  | { kind: "ambient" }
  | { kind: "none" };

/** A tool as a model sees it. `parameters` is JSON Schema. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown>; strict?: boolean };

export type ToolChoice = "auto" | "none" | "required" | { name: string };

export type ModelRequest = {
  /** Blocks of the system text; where a provider takes only one they are joined. */
  system: readonly string[];
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  toolChoice?: ToolChoice;
  thinking: ThinkingLevel;
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  /** The same for all requests of a conversation, for the provider's cache. */
  sessionId?: string;
  cacheRetention?: CacheRetention;
  credential: Credential;
  signal: AbortSignal;
  /**
   * The last one who sees the whole body before it is sent, and the only place where secrets are covered: gives back
   * what is to be sent. Must not throw.
   */
  seal?: (body: unknown) => unknown;
  /** Milliseconds without any piece after which the stream counts as dead. Default 120,000. */
  idleMs?: number;
  env?: Record<string, string | undefined>;
  /** For tests and for what proxies need. */
  fetch?: typeof globalThis.fetch;
};

/**
 * What comes of a request, in order: `start`, blocks (each `start`, `delta`*, `end`, told apart by `index`; blocks may
 * interleave), and one `done` or `error` as the last. Pieces only: whoever wants the whole reads `message` of the end.
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
  /** A piece of the arguments' JSON text. */
  | { type: "toolcall_delta"; index: number; delta: string }
  | { type: "toolcall_end"; index: number; toolCall: ToolCall; invalid?: string }
  | { type: "done"; message: AssistantMessage }
  /** `message` holds what came until then; its `failure` says why. An abort is an `error` with `stopReason: aborted`. */
  | { type: "error"; message: AssistantMessage };

/**
 * Asks a model once. Never throws and never rejects: whatever happens is an `error` event. One request is made, no
 * retry; the loop decides about those. Whoever stops reading early aborts the request's signal too.
 */
export type StreamModel = (model: Model, request: ModelRequest) => AsyncIterable<StreamEvent>;
