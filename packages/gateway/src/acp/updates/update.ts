import type { Command, FileChange, InputRequest, Usage } from "@gantry/protocol";

/** A part of a user message. */
export type Block = { type: "text"; text: string } | { type: "link"; uri: string; name: string; mime?: string };

export type ToolContent = { type: "text"; text: string } | { type: "diff"; change: FileChange } | { type: "terminal" };

export type ToolStatus = "pending" | "in_progress" | "completed" | "failed" | "cancelled";

/** What a client learns about a tool call. An update carries only the changed fields. */
export type ToolFields = {
  name?: string;
  title?: string;
  kind?: string;
  status?: ToolStatus;
  content?: ToolContent[];
  locations?: { path: string; line?: number }[];
  input?: unknown;
  output?: unknown;
  /** The tool call or subagent that contains it. */
  parent?: string;
};

export type PlanEntry = {
  text: string;
  status: "pending" | "in_progress" | "completed";
  priority: "low" | "medium" | "high";
};

/** Why a turn ended, in ACP's terms. `error` is for a failure that is not a refusal. */
export type TurnEnd = {
  stopReason: "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled" | "error";
  usage?: Usage;
  failure?: { category: string; message: string; remedy?: string; resetsAt?: string };
};

/** One change of a session that a client shows, in the same form for both protocol versions. */
export type Update =
  | { kind: "user"; id: string; blocks: Block[] }
  | { kind: "text" | "thought"; id: string; text: string }
  /** The final text differs from the streamed text. */
  | { kind: "replaced"; of: "text" | "thought"; id: string; text: string }
  /** The agent discarded the streamed text. */
  | { kind: "retracted"; of: "text" | "thought"; id: string; reason?: string }
  | { kind: "tool"; id: string; fields: ToolFields & { title: string } }
  | { kind: "tool_change"; id: string; fields: ToolFields }
  | { kind: "terminal"; id: string; command?: string }
  | { kind: "terminal_output"; id: string; text: string }
  | { kind: "terminal_exit"; id: string; exitCode?: number | null }
  | { kind: "plan"; entries: PlanEntry[] }
  | { kind: "commands"; list: readonly Command[] }
  | { kind: "info"; title?: string; at: string }
  | { kind: "usage"; used: number; size: number; usd?: number }
  /** Information from Gantry. `durable`: it belongs to the conversation, such as a failure or a handoff. */
  | { kind: "notice"; id: string; severity: "info" | "warning" | "error"; text: string; durable: boolean }
  | { kind: "state"; state: "running" | "requires_action" }
  | { kind: "state"; state: "idle"; end?: TurnEnd };

/** What follows from an event: updates for the client, and facts for the session that follows the log. */
export type Output =
  | { update: Update }
  | { ask: InputRequest }
  | { settled: string }
  | { config: true }
  | { message: string; state: "queued" | "cancelled" | "failed"; reason?: string }
  | { started: string; messages: readonly string[] }
  | { ended: string; end: TurnEnd };
