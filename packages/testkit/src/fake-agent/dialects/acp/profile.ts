import type {
  Answer,
  Ending,
  PastTurn,
  PlanEntry,
  Request,
  Subagent,
  ToolCall,
  ToolOutcome,
} from "@gantry/scripted/agent";
import type { Json } from "@gantry/scripted/json";

/** An open conversation of a fake ACP agent. */
export interface AcpSession {
  id: string;
  cwd: string;
  mode: string;
  model: string;
  turns: PastTurn[];
  /** The start arguments of the program. */
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** A request to the client, and how its result is read. */
export interface ClientRequest {
  method: string;
  params: Json;
  read(result: Json): Answer;
}

/** A line to the client outside of `session/update`. */
export type Notification = { method: string; params: Json };

/** The differences of an ACP agent (version 1) from other ACP agents. */
export interface AcpProfile {
  /** The output of `--version`. */
  versionText: string;
  /** The result of `initialize`. */
  greeting: Json;
  mode: string;
  model: string;
  /** Additional fields in the result of `session/new`, `session/load` and `session/fork`. */
  offers(session: AcpSession): Json;
  /** Updates that follow an opened conversation. */
  opened(session: AcpSession): Json[];
  /** The result of `session/load` and `session/resume` for an unknown conversation. */
  lost(id: string): { error: Json } | { result: null };
  /** Whether the current mode denies this call. */
  forbids(call: ToolCall, session: AcpSession): boolean;
  /** Whether this call needs approval. */
  asks(call: ToolCall, session: AcpSession): boolean;
  options: readonly { optionId: string; name: string; kind: string }[];
  /** A call in its start, permission request and end; `sessionUpdate` and the call's id are added. */
  started(call: ToolCall, session: AcpSession): Json;
  asked(call: ToolCall, session: AcpSession): Json;
  ended(call: ToolCall, outcome: ToolOutcome, session: AcpSession): Json;
  /** The request for a question or a plan; `null` if the agent has none. */
  put(request: Exclude<Request, { kind: "approval" }>): ClientRequest | null;
  planned(entries: readonly PlanEntry[]): { update: Json } | Notification;
  delegated(subagent: Subagent): Json;
  reported(subagent: Subagent): { update: Json; after?: Notification };
  /** The message or the error with which the agent reports a provider failure. */
  failed(error: NonNullable<Ending["error"]>): { text: string } | { error: Json };
  /** Additional fields in the result of a prompt. */
  result(ending: Ending): Json;
  /** Updates at the end of a turn. */
  closing(session: AcpSession): Json[];
}
