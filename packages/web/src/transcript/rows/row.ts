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
 * What every row has. A row is a function of its events alone: as long as those are the same, so is the row, and whoever
 * holds it need not draw it again. Events of a row that lie before the window are missing, and with them what they say.
 */
type Common = { key: string; events: readonly Envelope[] };

export type UserRow = Common & {
  kind: "user";
  message: string;
  text: string;
  attachments: readonly Attachment[];
  author: string;
  /** Nothing is known of it yet while this is absent. */
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
  /** Absent while it runs. */
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
  /** The messages that it answered, where they are known. */
  messages: readonly string[];
  ended: EventData<"turn.ended">;
  durationMs?: number;
  cost?: Cost;
  changes: readonly FileChange[];
  /** The files before and after it are kept, so its diff can be shown and taken back. */
  checkpointed: boolean;
  /** What it failed with, unless a row of its own has said so. */
  failure?: Failure;
};

export type HandoffRow = Common & {
  kind: "handoff";
  handoff: EventData<"handoff.started">;
  outcome?: EventData<"handoff.ended">["outcome"];
};

export type ErrorRow = Common & { kind: "error"; failure: Failure; messages: readonly string[] };
export type StalledRow = Common & { kind: "stalled"; stalled: EventData<"health.stalled">; over: boolean };
export type LimitRow = Common & { kind: "limit"; limit: EventData<"limit.reached">; over: boolean };
export type CompactedRow = Common & { kind: "compacted"; compacted: EventData<"context.compacted"> };
export type RawRow = Common & { kind: "raw" };

/** A fact of one line. */
export type NoteRow = Common & { kind: "note"; tone: "plain" | "warning" | "error"; text: string };

/** One row of a transcript, whatever it stands for. */
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

/** The place of a row: the first event of it that the window holds. Rows of what is not in the log have none. */
export function rowSeq(row: Row): number | undefined {
  return row.events[0]?.seq;
}
