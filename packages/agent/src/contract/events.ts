import type { AssistantMessage, StreamEvent, ThinkingLevel, ToolResultMessage } from "@gantry/models";
import type { AgentMessage } from "./messages.ts";
import type { ToolOutput } from "./tool.ts";

/** One piece of a streamed answer. `message_end` carries the complete message. */
export type MessagePiece = Exclude<StreamEvent, { type: "start" } | { type: "done" } | { type: "error" }>;

export type CompactionReason = "manual" | "threshold" | "overflow" | "idle";

/**
 * The events that a session publishes. Order within a run: `agent_start`, turns (`turn_start`, the messages of user,
 * assistant and tools, `turn_end`), `agent_end`. Another run may follow at once (a retry, a compaction, a queued
 * message). When the session becomes idle, it publishes one `agent_settled`.
 */
export type AgentEvent =
  | { type: "agent_start" }
  | { type: "agent_end"; messages: AgentMessage[]; willRetry: boolean }
  /** The session is idle. No further event comes until a client sends something. */
  | { type: "agent_settled"; reason: "completed" | "aborted" | "error" | "budget"; errorMessage?: string }
  | { type: "turn_start" }
  | { type: "turn_end"; message: AssistantMessage; toolResults: ToolResultMessage[] }
  /** `promptId`: the id of the command that carried the user's message. */
  | { type: "message_start"; message: AgentMessage; promptId?: string }
  | { type: "message_update"; piece: MessagePiece }
  | { type: "message_end"; message: AgentMessage }
  | { type: "tool_execution_start"; toolCallId: string; toolName: string; args: unknown; intent?: string }
  /** New output of a tool. `offset` is the number of characters before it. */
  | { type: "tool_execution_update"; toolCallId: string; toolName: string; delta: string; offset: number }
  | {
      type: "tool_execution_end";
      toolCallId: string;
      toolName: string;
      result: ToolOutput;
      isError: boolean;
      durationMs: number;
    }
  | { type: "auto_compaction_start"; reason: CompactionReason; action: "context-full" | "handoff" }
  | {
      type: "auto_compaction_end";
      action: "context-full" | "handoff";
      result?: unknown;
      aborted: boolean;
      willRetry: boolean;
      errorMessage?: string;
      skipped?: boolean;
    }
  | { type: "auto_retry_start"; attempt: number; maxAttempts: number; delayMs: number; errorMessage: string }
  | { type: "auto_retry_end"; success: boolean; attempt: number; finalError?: string }
  | { type: "retry_fallback_applied"; from: string; to: string; role: string }
  | { type: "retry_fallback_succeeded"; model: string; role: string }
  | { type: "context_promoted"; from: string; to: string }
  | { type: "ttsr_triggered"; rules: { name: string; path: string }[] }
  | { type: "todo_reminder"; todos: unknown[]; attempt: number; maxAttempts: number }
  | { type: "todo_auto_clear" }
  | { type: "todos_changed"; phases: TodoPhase[] }
  | { type: "queue_update"; steering: string[]; followUp: string[] }
  | { type: "model_changed"; model: string; thinkingLevel: ThinkingLevel }
  | { type: "thinking_level_changed"; thinkingLevel: ThinkingLevel }
  | { type: "session_info_changed"; name?: string }
  | { type: "bash_execution_update"; id?: string; delta: string }
  /** A command runs in the background, independently of runs. Each `job_started` has one `job_ended`. */
  | { type: "job_started"; jobId: string; command: string; toolCallId?: string }
  /** The job printed a local address: it serves. */
  | { type: "job_updated"; jobId: string; url: string }
  | { type: "job_ended"; jobId: string; status: "done" | "failed" | "cancelled"; exitCode?: number; summary: string }
  | { type: "notice"; level: "info" | "warning" | "error"; message: string; source?: string };

/** `id` and `details` come from a client and are not changed. */
export type TodoTask = {
  id?: string;
  content: string;
  status: "pending" | "in_progress" | "completed" | "abandoned";
  notes?: string[];
  details?: string;
};
export type TodoPhase = { id?: string; name: string; tasks: TodoTask[] };
