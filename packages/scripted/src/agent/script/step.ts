import type { PieceSize } from "../../pieces.ts";

/** One step of a fake agent's turn, independent of the protocol. */
export type Step =
  | { do: "think"; text: string }
  /** A message. `size` is that of a chunk, `delay` milliseconds between chunks (default: the agent's pace). */
  | { do: "message"; text: string; size?: PieceSize; delay?: number }
  | { do: "plan"; entries: PlanEntry[] }
  | ToolStep
  /** Tool calls that are open at the same time. */
  | { do: "together"; steps: ToolStep[] }
  | { do: "ask"; questions: Question[] }
  /** Offers a plan for approval. */
  | { do: "propose"; plan: string }
  /** Starts a subagent, which returns `report`. */
  | { do: "delegate"; title: string; prompt: string; report: string }
  /** Starts a command that outlives the turn, if the protocol can report it. */
  | { do: "background"; command: string; title: string }
  /** `count` events as fast as possible: tool calls and messages. */
  | { do: "burst"; count: number }
  /** One message in `count` pieces of `bytes` characters, as fast as possible. */
  | { do: "deltas"; count: number; bytes: number }
  /** The first part of a message that is never ended. */
  | { do: "begin"; text: string }
  /** `status` is the provider's HTTP status. */
  | { do: "fail"; category: string; message: string; status?: number }
  /** Compacts the conversation. */
  | { do: "compact" }
  | { do: "hang" };

/**
 * A tool call that is executed in the agent's folder. `harmless` commands need no approval; `grave` ones need it in every
 * agent that has approvals.
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
