import type { PieceSize } from "../../pieces.ts";

/** What a fake agent does in a turn, one step after the other, in no particular protocol. */
export type Step =
  | { do: "think"; text: string }
  /** A message. `size` is that of a chunk, `delay` milliseconds between chunks (default: the agent's pace). */
  | { do: "say"; text: string; size?: PieceSize; delay?: number }
  | { do: "plan"; entries: PlanEntry[] }
  | ToolStep
  /** Tool calls that are open at the same time. */
  | { do: "together"; steps: ToolStep[] }
  | { do: "ask"; questions: Question[] }
  /** Offers a plan for approval. */
  | { do: "propose"; plan: string }
  /** Gives work to a subagent, which answers with `report`. */
  | { do: "delegate"; title: string; prompt: string; report: string }
  /** `count` events as fast as possible: tool calls and messages. */
  | { do: "burst"; count: number }
  /** One message in `count` pieces of `bytes` characters, as fast as possible. */
  | { do: "deltas"; count: number; bytes: number }
  /** The first part of a message that is never ended. */
  | { do: "begin"; text: string }
  /** `status` is the one of the provider's HTTP answer. */
  | { do: "fail"; category: string; message: string; status?: number }
  /** The conversation is made shorter. */
  | { do: "compact" }
  | { do: "hang" };

/**
 * A tool call that really happens in the agent's folder. `harmless` commands need nobody's word; `grave` ones need it of
 * every agent that asks at all.
 */
export type ToolStep =
  | { do: "write"; path: string; content: string }
  | { do: "edit"; path: string; before: string; after: string }
  | { do: "read"; path: string }
  | { do: "run"; command: string; harmless?: boolean; grave?: boolean };

export interface PlanEntry {
  text: string;
  status: "pending" | "in_progress" | "completed";
}

export interface Question {
  id: string;
  header: string;
  text: string;
  options: { label: string; description: string }[];
}
