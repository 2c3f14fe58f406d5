import type { AssistantMessage, Message, StreamEvent, ToolChoice } from "@gantry/models";
import type { AgentEvent } from "../contract/events.ts";
import type { Hooks } from "../contract/hooks.ts";
import type { AgentMessage } from "../contract/messages.ts";
import type { Guard, Person } from "../contract/ports.ts";
import type { Injection, StreamWatch } from "../contract/rules.ts";
import type { Tool, ToolContext, ToolOutput, ToolPlace } from "../contract/tool.ts";
import type { Action, Verdict } from "../permissions/action.ts";
import type { PendingPreviews } from "./previews.ts";

/** A message to add to the conversation, with the id of the command that carried it. */
export type Incoming = { message: AgentMessage; promptId?: string };

export type TurnQuery = { messages: Message[]; toolChoice?: ToolChoice; signal: AbortSignal };

/** Messages that wait for the model. The `take…` methods remove and return the messages that the queue mode allows. */
export interface LoopQueue {
  takeSteering(): Incoming[];
  takeFollowUps(): Incoming[];
  /** Background results and failures since the last request. */
  takeNotes(): Incoming[];
  /** Whether a waiting message may stop running tools. */
  interrupts(): boolean;
  /** Calls the listener when `interrupts` becomes true. */
  onInterrupt(listener: () => void): () => void;
}

/**
 * The dependencies of the loop. No method throws, except that `person` may reject and tools may throw; the loop turns
 * those into error results for the model. `record` stores a message and is called before the message is published.
 */
export interface LoopPorts {
  ask(question: TurnQuery): AsyncIterable<StreamEvent>;
  /** An empty answer of the current model. */
  makeBlankAnswer(): AssistantMessage;
  conversation(): readonly AgentMessage[];
  record(message: AgentMessage): void;
  emit(event: AgentEvent): void;
  readonly queue: LoopQueue;
  readonly previews: PendingPreviews;
  /** Whether the current model supports a forced tool choice. */
  canForce(): boolean;
  /** All tools, including hidden ones. */
  tools(): readonly Tool[];
  readonly place: ToolPlace;
  context(callId: string, signal: AbortSignal, progress: (delta: string) => void): ToolContext;
  decide(actions: readonly Action[]): Verdict;
  /** Grants these and similar actions for the rest of the session. */
  grant(actions: readonly Action[]): void;
  readonly person?: Person;
  readonly guard?: Guard;
  readonly hooks?: Hooks;
  readonly watch?: StreamWatch;
  touched?(actions: readonly Action[]): Injection | undefined;
  /** Stores the names of the injected rules. */
  recordInjection(injection: Injection): void;
  /** Shortens an output that is too long for the conversation and spills the full text. */
  shorten(output: ToolOutput, toolName: string): ToolOutput;
  /** Called when all calls of a turn have results. Returns messages that it has recorded. */
  settleCalls?(): readonly AgentMessage[];
  /** Called when the model has stopped and the queue is empty: a reminder of unfinished work, if any. */
  nextReminder?(): Incoming | undefined;
  /** Checked between turns: whether the context must be shortened before the next request. */
  mustPause(): boolean;
  now(): number;
  /** Milliseconds after an abort before a tool or a stream that does not stop is abandoned. */
  readonly graceMs: number;
}

/** `paused`: `mustPause` returned true; continue with another run. `degraded`: the model refused a forced tool choice. */
export type RunEnd = {
  reason: "completed" | "aborted" | "error" | "budget" | "paused";
  errorMessage?: string;
  failed?: AssistantMessage;
  degraded?: boolean;
};
