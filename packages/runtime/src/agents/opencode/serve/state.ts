import type { LaunchOptions } from "../../contract.ts";
import { type DecoderState, initialDecoderState } from "../../json-lines/pass.ts";

export const CHANNEL = "serve";

/** The author of a message; `summary` is written by OpenCode on compaction. */
export type Author = "user" | "assistant" | "summary";

export type ServeState = DecoderState & {
  /** The followed conversation: the first in the recording. */
  session?: string;
  authors: Record<string, Author>;
  /** User messages that were published. */
  received: string[];
  /** Parts that are being streamed, by id. */
  parts: Record<string, "text" | "reasoning">;
  /** Open requests and their tool calls. */
  asks: Record<string, string>;
  aborted: boolean;
  cost: number;
  trigger?: "auto" | "manual" | "overflow";
};

export function initialState(options: LaunchOptions): ServeState {
  return { ...initialDecoderState(options), authors: {}, received: [], parts: {}, asks: {}, aborted: false, cost: 0 };
}
