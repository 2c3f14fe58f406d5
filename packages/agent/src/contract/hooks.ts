import type { Message } from "@gantry/models";
import type { CompactionReason } from "./events.ts";
import type { ToolOutput } from "./tool.ts";

/** A tool call as hooks see it. */
export type HookedCall = { id: string; name: string; args: Record<string, unknown> };

/**
 * What hooks decided about a call. A ruling only restricts: the permission check decides about `args` like about those of
 * the model. `ask`: a person must approve the call even if the mode allows it; the text is the reason.
 */
export type CallRuling = { deny: string } | { deny?: never; args?: Record<string, unknown>; ask?: string };

export type HookedRequest = { system: readonly string[]; messages: readonly Message[] };

/**
 * Code of the user that takes part in a session: extensions and hook commands. The session calls these methods and waits
 * for them; each ends at a deadline. No method throws or rejects: a hook that fails has no effect.
 */
export interface Hooks {
  /** Called before the permission check. */
  beforeTool?(call: HookedCall, signal: AbortSignal): Promise<CallRuling | undefined>;
  /** Called with the redacted and shortened result of a call that has run. Returns a changed result. */
  afterTool?(call: HookedCall, output: ToolOutput, signal: AbortSignal): Promise<ToolOutput | undefined>;
  beforeRequest?(request: HookedRequest, signal: AbortSignal): Promise<HookedRequest>;
  /**
   * Takes a text of the user before it becomes a message. `handled`: a command took it. `refused`: why it is not sent.
   */
  prompt?(text: string): Promise<{ text: string } | { handled: true } | { refused: string }>;
  /** The model has stopped. A text makes it continue. */
  stop?(signal: AbortSignal): Promise<string | undefined>;
  beforeCompaction?(
    reason: CompactionReason,
    signal: AbortSignal,
  ): Promise<{ cancel?: string; instructions?: string } | undefined>;
}
