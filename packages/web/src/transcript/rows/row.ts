import type {
  Attachment,
  Cost,
  DeliveryState,
  Envelope,
  EventData,
  Failure,
  FileChange,
  InputRequest,
  Text,
  ToolKind,
  Usage,
} from "@gantry/protocol";

/**
 * Common to all rows. A row depends only on its events: while those are the same, the row object is the same and need not
 * be rendered again. Events of a row before the window are missing.
 */
type Common = { key: string; events: readonly Envelope[] };

export type UserRow = Common & {
  kind: "user";
  message: string;
  text: string;
  attachments: readonly Attachment[];
  author: string;
  /** Absent while unknown. */
  delivery?: DeliveryState;
  edited: boolean;
  reason?: string;
};

export type MessageRow = Common & { kind: "message"; item: string; text: string; open: boolean };
export type ReasoningRow = Common & { kind: "reasoning"; item: string; text: string; redacted: boolean; open: boolean };

export type ToolRow = Common & {
  kind: "tool";
  item: string;
  name: string;
  tool: ToolKind;
  title: string;
  input?: unknown;
  locations: readonly { path: string; line?: number }[];
  mcp?: { server: string; tool: string };
  output?: Text;
  progress?: unknown;
  /** Absent while the tool runs. */
  status?: EventData<"tool.ended">["status"];
  exitCode?: number | null;
  durationMs?: number;
  changes: readonly FileChange[];
};

export type SubagentRow = Common & {
  kind: "subagent";
  id: string;
  title: string;
  type?: string;
  model?: string;
  progress?: unknown;
  status?: EventData<"subagent.ended">["status"];
  summary?: string;
  usage?: Partial<Usage>;
};

export type PlanRow = Common & { kind: "plan"; plan: EventData<"plan.updated"> };

export type InputRow = Common & {
  kind: "input";
  id: string;
  request: InputRequest;
  resolution?: EventData<"input.resolved">;
};

export type TurnRow = Common & {
  kind: "turn";
  turn: string;
  /** The messages it answered, if known. */
  messages: readonly string[];
  ended: EventData<"turn.ended">;
  durationMs?: number;
  cost?: Cost;
  changes: readonly FileChange[];
  /**
   * Files that changed in the folder while another session worked there too, and that no tool of this session reported.
   * Any of the sessions may have changed them.
   */
  unattributed: readonly FileChange[];
  /** Whether there are checkpoints of the files before and after it, so that its diff can be shown and reverted. */
  checkpointed: boolean;
  /** Its failure, unless that has its own row. */
  failure?: Failure;
};

export type HandoffRow = Common & {
  kind: "handoff";
  handoff: EventData<"handoff.started">;
  outcome?: EventData<"handoff.ended">["outcome"];
};

export type ErrorRow = Common & { kind: "error"; failure: Failure; messages: readonly string[] };
export type StalledRow = Common & { kind: "stalled"; stalled: EventData<"health.stalled">; ended: boolean };

/** A limit, from the first refusal to its end. Attempts that it refused have no rows. */
export type LimitRow = Common & {
  kind: "limit";
  limit: EventData<"limit.reached">;
  ended: boolean;
  /** The number of refused turns. */
  refusals: number;
  /** The last refusal in the provider's terms. */
  failure?: Failure;
};
export type CompactedRow = Common & { kind: "compacted"; compacted: EventData<"context.compacted"> };
export type RawRow = Common & { kind: "raw" };

/** A one-line note. */
export type NoteRow = Common & { kind: "note"; tone: "plain" | "warning" | "error"; text: string };

/** One row of a transcript. */
export type Row =
  | UserRow
  | MessageRow
  | ReasoningRow
  | ToolRow
  | SubagentRow
  | PlanRow
  | InputRow
  | TurnRow
  | HandoffRow
  | ErrorRow
  | StalledRow
  | LimitRow
  | CompactedRow
  | RawRow
  | NoteRow;

export type RowKind = Row["kind"];

/** The sequence number of a row's first event in the window. Streaming rows have none. */
export function rowSeq(row: Row): number | undefined {
  return row.events[0]?.seq;
}
