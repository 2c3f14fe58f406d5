import type { Json } from "../json.ts";
import type { PlanEntry, Question, ToolStep } from "./script/step.ts";

export type Channel = "text" | "reasoning" | "input" | "output";

/** A tool call of the turn. */
export interface ToolCall {
  item: string;
  step: ToolStep;
  /** The step's values, with the user's edits. */
  startedAt: number;
}

export interface FileChange {
  path: string;
  kind: "add" | "update";
  additions: number;
  deletions: number;
  diff: string;
}

export interface ToolOutcome {
  status: "ok" | "error" | "denied" | "interrupted";
  output: string;
  exitCode?: number | null;
  durationMs: number;
  change?: FileChange;
}

/** A pending request of the turn. */
export type Request =
  | { kind: "approval"; call: ToolCall }
  | { kind: "question"; item: string; questions: Question[] }
  | { kind: "plan"; item: string; plan: string };

/** The user's decision. `cancel` also ends the turn. `edits` replace fields of the tool's input, with the dialect's names. */
export interface Answer {
  decision: "allow" | "allow_session" | "deny" | "cancel";
  edits?: Json;
  answers?: Record<string, string | string[]>;
  message?: string;
}

export interface Ending {
  outcome: "completed" | "interrupted" | "failed";
  error?: { category: string; message: string; status?: number };
  /** The last message. */
  text: string;
  /** The number of model requests that a real agent would have made. */
  rounds: number;
  durationMs: number;
  /** What an interrupt left open. */
  openTools: ToolCall[];
  partial?: { item: string; channel: "text" | "reasoning"; text: string };
}

export interface Subagent {
  id: string;
  item: string;
  title: string;
  prompt: string;
  report: string;
}

/**
 * A dialect's side of a turn: it writes what happens in its protocol and hands back the user's answers. The turn
 * calls `started` first and `ended` last; the faults make it break that rule on purpose. Nothing here may throw.
 */
export interface TurnSink {
  itemId(kind: "message" | "reasoning" | "tool"): string;
  started(): void;
  delta(item: string, channel: Channel, text: string): void;
  completeMessage(item: string, text: string, final: boolean): void;
  thought(item: string, text: string): void;
  planned(entries: PlanEntry[]): void;
  /** Reports a compaction, if the protocol can. */
  compacted?(): void;
  /** Starts a command that outlives the turn, if the protocol can report it. */
  launched?(command: string, title: string): void;
  toolsStarted(calls: ToolCall[]): void;
  toolEnded(call: ToolCall, outcome: ToolOutcome): void;
  mustAsk(call: ToolCall): boolean;
  /** Sends a request to the user. The promise never rejects; after `withdraw` it may stay pending. */
  ask(request: Request): { id: string; answer: Promise<Answer> };
  withdraw(id: string): void;
  /** Closes an answered request: `question` and `plan` requests are tool calls in most protocols. */
  answered(request: Request, answer: Answer): void;
  delegated(subagent: Subagent): void;
  reported(subagent: Subagent): void;
  ended(ending: Ending): void;
  /** Reports the cost after the end, if the protocol can. */
  trailed?(): void;
}
