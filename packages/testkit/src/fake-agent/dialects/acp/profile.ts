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

/** An open conversation of a fake agent that speaks ACP. */
export interface AcpSession {
  id: string;
  cwd: string;
  mode: string;
  model: string;
  turns: PastTurn[];
  /** What the program was started with. */
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

/** How an agent speaks ACP, version 1: everything in which it may differ from the others. */
export interface AcpProfile {
  /** What `--version` prints. */
  versionText: string;
  /** The result of `initialize`. */
  greeting: Json;
  mode: string;
  model: string;
  /** What the answer to `session/new` tells beside the id, and that to `session/load` or `session/fork`. */
  offers(session: AcpSession): Json;
  /** Updates that follow an opened conversation. */
  opened(session: AcpSession): Json[];
  /** The answer to `session/load` and `session/resume` of a conversation that is not there. */
  lost(id: string): { error: Json } | { result: null };
  /** Is this call out of the question in the mode that it is in? */
  forbids(call: ToolCall, session: AcpSession): boolean;
  /** Must a person allow this call? */
  asks(call: ToolCall, session: AcpSession): boolean;
  options: readonly { optionId: string; name: string; kind: string }[];
  /** A call as it is announced, asked about and ended; `sessionUpdate` and the call's id are added. */
  started(call: ToolCall, session: AcpSession): Json;
  asked(call: ToolCall, session: AcpSession): Json;
  ended(call: ToolCall, outcome: ToolOutcome, session: AcpSession): Json;
  /** How it puts a question or a plan to a person; `null` where it has no way to. */
  put(request: Exclude<Request, { kind: "approval" }>): ClientRequest | null;
  planned(entries: readonly PlanEntry[]): { update: Json } | Notification;
  delegated(subagent: Subagent): Json;
  reported(subagent: Subagent): { update: Json; after?: Notification };
  /** The words or the error in which the provider's failure is told. */
  failed(error: NonNullable<Ending["error"]>): { said: string } | { error: Json };
  /** What the answer to a prompt tells beside the reason why it ended. */
  result(ending: Ending): Json;
  /** Updates at the end of a turn. */
  closing(session: AcpSession): Json[];
}
