import type { PieceSize } from "../pieces.ts";
import type { FailureName } from "./failures.ts";

/** The file that the agent requires for its plan. Only the conversation contains its path. */
export const PLAN_FILE = "<plan file>";

/** One block of a reply, before it is known which tools the agent offers. */
export type Block =
  /** Plain text. `size` is that of a chunk, `delay` milliseconds between chunks (default: the server's pace). */
  | { type: "text"; text: string; size?: PieceSize; delay?: number | "slow" }
  | { type: "think"; text: string; size?: PieceSize; delay?: number | "slow" }
  | { type: "write"; file: string; content: string }
  | { type: "edit"; file: string; before: string; after: string }
  | { type: "read"; file: string }
  /**
   * `background`: the call returns while the command runs on, if the agent's shell tool can do that. `patient`: it waits for
   * the command as long as the tool allows.
   */
  | { type: "bash"; command: string; description: string; background?: true; patient?: true }
  /** The first of `names` that the agent offers, with those parts of `input` that its schema knows. */
  | { type: "call"; names: readonly string[]; input: Record<string, unknown>; offered?: false }
  /**
   * A tool of an MCP server, with any prefix that the agent uses. If the agent hides such tools until the model searches
   * for them, the first round searches and the second calls. Otherwise the first round calls, and the second replies
   * `after`.
   */
  | { type: "served"; name: string; input: Record<string, unknown>; round: 1 | 2; after: string }
  /** A call of the write tool with exactly this text as arguments, valid JSON or not. */
  | { type: "badcall"; argumentsText: string };

/**
 * What the wire does instead of, or in the middle of, a reply.
 * `failure`: an HTTP error. `stream-failure`: an error inside a stream that began well. `drop`: the socket is cut
 * after two chunks. `hang`: no answer at all. `stall`: two chunks, then silence. `broken`: an error frame after two
 * chunks.
 */
export type Mishap =
  | { type: "failure"; failure: FailureName; once?: boolean }
  | { type: "stream-failure"; failure: FailureName; once?: boolean }
  | { type: "drop" | "hang" | "stall" | "broken"; once?: boolean };

export type Stop = "end" | "max_tokens" | "refusal";

/** One scenario, ready to play: a reply for every tool round (the last one repeats). */
export interface Script {
  replies: Block[][];
  stop?: Stop;
  mishap?: Mishap;
}
