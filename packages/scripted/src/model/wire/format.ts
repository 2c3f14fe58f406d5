import type { Json } from "../../json.ts";
import type { ModelRequest } from "../conversation.ts";
import type { Failure } from "../failures.ts";
import type { Stop } from "../script.ts";

/** One provider's wire format: how a request is read and how a reply is written. */
export interface WireFormat {
  name: "anthropic" | "responses" | "chat" | "gemini" | "augment" | "bedrock" | "ollama";
  /** Whether this path (without prefix and query) requests a reply in this format. */
  owns(path: string): boolean;
  read(body: Json, path: string): ModelRequest;
  errorBody(failure: Failure): Json;
  /** A writer for one reply. It writes frames to `out` when the request streams, else one body at the end. */
  writer(request: ModelRequest, out: ReplyOutput): ReplyWriter;
}

/** The output of a reply. Methods do nothing after the client has disconnected. */
export interface ReplyOutput {
  id(prefix: string): string;
  /** Starts an event stream on the first call. */
  frame(data: unknown, event?: string): void;
  /** Starts a stream of JSON lines on the first call. */
  line(data: Json): void;
  /** Starts a stream of AWS's binary frames on the first call. */
  bytes(data: Buffer): void;
  body(data: Json): void;
}

/** Called in order: `start`, then pieces, then `finish` or `fail`. Pieces of the same kind in a row are one item. */
export interface ReplyWriter {
  start(): void;
  text(piece: string): void;
  think(piece: string): void;
  tool(name: string, argumentsText: string): void;
  /** A call of a tool that takes text. Only OpenAI's Responses API has those. */
  freeform(name: string, text: string): void;
  finish(stop: Stop): void;
  /** An error inside the stream. */
  fail(failure: Failure): void;
}

/** The same token counts in every format. */
export const TOKENS = { input: 1200, cached: 300, output: 57, reasoning: 10 };

/** The text of content that is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: Json | string) => (typeof part === "string" ? part : typeof part?.text === "string" ? part.text : ""))
    .join("\n");
}
