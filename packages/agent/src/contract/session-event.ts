import type { AssistantMessage, Model, ThinkingLevel, ToolCall, ToolSpec } from "@gantry/models";
import type { AgentEvent, CompactionReason, TodoPhase, TodoTask } from "./events.ts";
import type { SessionState } from "./session.ts";
import type { ToolOutput } from "./tool.ts";

/** The answer so far. Its content is empty unless the client asked for full updates. */
export type PartialAnswer = Partial<AssistantMessage> & Pick<AssistantMessage, "role" | "content">;

type Place = { contentIndex: number; partial: PartialAnswer };

/** One piece of a streamed answer. `message_end` has the complete message. */
export type AssistantMessageEvent = Place &
  (
    | { type: "text_start" | "thinking_start" }
    | { type: "toolcall_start"; id: string; toolName: string }
    | { type: "text_delta" | "thinking_delta" | "toolcall_delta"; delta: string }
    | { type: "text_end" | "thinking_end"; content: string }
    | { type: "toolcall_end"; toolCall: ToolCall; invalid?: string }
  );

/** `notes` is one text. */
export type WireTodoTask = Omit<TodoTask, "notes"> & { notes?: string };
export type WireTodoPhase = Omit<TodoPhase, "tasks"> & { tasks: WireTodoTask[] };

type CompactionEnd = Omit<Extract<AgentEvent, { type: "auto_compaction_end" }>, "type">;
type Changed =
  | { type: "message_update"; message: PartialAnswer; assistantMessageEvent: AssistantMessageEvent }
  | {
      type: "tool_execution_update";
      toolCallId: string;
      toolName: string;
      delta: string;
      /** The number of characters before `delta`. */
      offset: number;
      /** Empty for long arguments: `tool_execution_start` has them complete. */
      args: unknown;
      partialResult: ToolOutput;
    }
  | {
      type: "auto_compaction_start";
      reason: Exclude<CompactionReason, "manual">;
      action: "context-full" | "handoff";
    }
  /** A compaction that a client requested. */
  | { type: "compaction_start"; reason: "manual" }
  | ({ type: "compaction_end"; reason: "manual" } & CompactionEnd)
  | { type: "todos_changed"; phases: WireTodoPhase[] };

/**
 * The events as clients and embedding programs receive them. Order within a run: `agent_start`, turns (`turn_start`,
 * messages and tool executions, `turn_end`), `agent_end`; one pair of `agent_start` and `agent_end` for each run, whatever
 * was retried in between. `agent_settled` follows when the session is idle.
 */
export type SessionEvent = Exclude<AgentEvent, { type: Changed["type"] }> | Changed;
export type SessionEventType = SessionEvent["type"];
export type SessionEventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;

/** A model without the fields that may contain keys. */
export type WireModel = Omit<Model, "headers" | "requestTransform">;

export type WireState = Omit<SessionState, "model" | "todoPhases" | "heldMessageCount"> & {
  model?: WireModel;
  todoPhases: WireTodoPhase[];
  thinkingLevel: ThinkingLevel;
  /** The same as `queuedMessageCount`, under the name that pi's clients read. */
  pendingMessageCount: number;
  /** Only if `include` requests it. */
  dumpTools?: readonly ToolSpec[];
  systemPrompt?: readonly string[];
};
