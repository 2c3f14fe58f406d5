import type { LaunchOptions } from "../../contract.ts";
import { type DecoderState, initialDecoderState } from "../../json-lines/pass.ts";

export const CHANNEL = "serve";

/** Whose a message is; a `summary` is what OpenCode writes for itself when it compacts. */
export type Author = "user" | "assistant" | "summary";

export type ServeState = DecoderState & {
  /** The conversation that is followed: the first that the recording names. */
  session?: string;
  authors: Record<string, Author>;
  /** Messages of the person that were told. */
  heard: string[];
  /** Parts that are being streamed, by id. */
  parts: Record<string, "text" | "reasoning">;
  /** Open questions and the tool call each is about. */
  asks: Record<string, string>;
  aborted: boolean;
  cost: number;
  trigger?: "auto" | "manual" | "overflow";
};

export function initialState(options: LaunchOptions): ServeState {
  return { ...initialDecoderState(options), authors: {}, heard: [], parts: {}, asks: {}, aborted: false, cost: 0 };
}
