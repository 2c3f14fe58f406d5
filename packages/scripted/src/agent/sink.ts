import type { Json } from "../json.ts";
import type { PlanEntry, Question, ToolStep } from "./script/step.ts";

export type Channel = "text" | "reasoning" | "input" | "output";

/** A tool call that the turn has begun. */
export interface ToolCall {
  item: string;
  step: ToolStep;
  /** The step's values as the user may have edited them. */
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

/** Something that the turn waits for. */
export type Request =
  | { kind: "approval"; call: ToolCall }
  | { kind: "question"; item: string; questions: Question[] }
  | { kind: "plan"; item: string; plan: string };

/** The user's word. `cancel` also ends the turn. `edits` replace parts of the tool's input, by the dialect's names. */
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
  /** How often a model would have been asked. */
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
  said(item: string, text: string, final: boolean): void;
  thought(item: string, text: string): void;
  planned(entries: PlanEntry[]): void;
  /** The conversation was made shorter, where the protocol lets that be told. */
  compacted?(): void;
  toolsStarted(calls: ToolCall[]): void;
  toolEnded(call: ToolCall, outcome: ToolOutcome): void;
  mustAsk(call: ToolCall): boolean;
  /** Puts a request to the user. The promise never rejects; after `withdraw` it may stay open for ever. */
  ask(request: Request): { id: string; answer: Promise<Answer> };
  withdraw(id: string): void;
  /** The request has its answer: `question` and `plan` requests are tool calls in most protocols. */
  answered(request: Request, answer: Answer): void;
  delegated(subagent: Subagent): void;
  reported(subagent: Subagent): void;
  ended(ending: Ending): void;
  /** What it cost, where the protocol lets that be told after the end. */
  trailed?(): void;
}
