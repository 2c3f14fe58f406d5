import type { AssistantMessage, Message, StreamEvent, ToolChoice } from "@gantry/models";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentMessage } from "../contract/messages.ts";
import type { Guard, Person } from "../contract/ports.ts";
import type { Injection, StreamWatch } from "../contract/rules.ts";
import type { Tool, ToolContext, ToolOutput, ToolPlace } from "../contract/tool.ts";
import type { Action, Verdict } from "../permissions/action.ts";
import type { PendingPreviews } from "./previews.ts";

/** A message on its way into the conversation, with the id of the command that it came with. */
export type Incoming = { message: AgentMessage; promptId?: string };

export type TurnQuery = { messages: Message[]; toolChoice?: ToolChoice; signal: AbortSignal };

/** What waits to be told to the model. `take…` give what the queue's mode lets through, and take it out. */
export interface LoopQueue {
  takeSteering(): Incoming[];
  takeFollowUps(): Incoming[];
  /** What ended or failed beside the conversation since the model was asked last. */
  takeNotes(): Incoming[];
  /** A message waits, and it may stop tools that run. */
  interrupts(): boolean;
  /** Told when `interrupts` becomes true. */
  onInterrupt(listener: () => void): () => void;
}

/**
 * What the loop works with. Nothing here throws, except that `person` may reject and tools may throw: the loop makes
 * words for the model of it. `record` makes a message durable; it is called before anybody is told of the message.
 */
export interface LoopPorts {
  ask(question: TurnQuery): AsyncIterable<StreamEvent>;
  /** An answer without content by the model that is asked now. */
  blank(): AssistantMessage;
  conversation(): readonly AgentMessage[];
  record(message: AgentMessage): void;
  emit(event: AgentEvent): void;
  readonly queue: LoopQueue;
  readonly previews: PendingPreviews;
  /** Can the model that is asked now be made to call one tool? */
  canForce(): boolean;
  /** All tools, hidden ones too. */
  tools(): readonly Tool[];
  readonly place: ToolPlace;
  context(callId: string, signal: AbortSignal, progress: (delta: string) => void): ToolContext;
  decide(actions: readonly Action[]): Verdict;
  /** The person allowed this and its like for the rest of the session. */
  grant(actions: readonly Action[]): void;
  readonly person?: Person;
  readonly guard?: Guard;
  readonly watch?: StreamWatch;
  touched?(actions: readonly Action[]): Injection | undefined;
  /** Keeps the names of rules that the model was told. */
  recordInjection(injection: Injection): void;
  /** Puts what is too long for the conversation elsewhere. */
  shorten(output: ToolOutput, toolName: string): ToolOutput;
  /** Called when all calls of a turn have their results. What comes back was recorded just now. */
  settleCalls?(): readonly AgentMessage[];
  /** Asked when the model wants nothing more and nothing is queued: what it left undone, if it shall go on with that. */
  nextReminder?(): Incoming | undefined;
  /** Asked between turns: must something happen to the context before the next request? */
  mustPause(): boolean;
  now(): number;
  /** Milliseconds that a tool or a stream has to stop after an abort before it is left behind. */
  readonly graceMs: number;
}

/** `paused`: `mustPause` said so; go on with another run. `degraded`: the model refused a forced tool choice. */
export type RunEnd = {
  reason: "completed" | "aborted" | "error" | "budget" | "paused";
  errorMessage?: string;
  failed?: AssistantMessage;
  degraded?: boolean;
};
