import type { LimitRow, SessionView } from "@gantry/protocol";
import type { LimitGate } from "./gate.ts";

/** The limits as a session's runner uses them. */
export interface LimitKeeper {
  /** The limits as the step that starts now sees them. */
  gate(): LimitGate;
  /** The step is durable. Called in the same tick of the event loop. */
  take(gate: LimitGate): void;
  /** All sessions are loaded after a start. */
  restore(): void;
  /** An input of the limits has changed: a setting, or a session's own value. */
  changed(): void;
}

/** The sessions as the limits use them. Unknown sessions are ignored. */
export interface LimitedSessions {
  /** Every session that waits for a limit. */
  parked(): SessionView[];
  view(session: string): SessionView | undefined;
  /** Makes the session check again whether it may start a turn; `forget`: it no longer waits for its limit. */
  wake(session: string, forget?: boolean): void;
  /** Hands the session with its first waiting message to another agent. Rejects on failure. */
  handOn(session: string, to: { agent: string; model?: string }): Promise<void>;
}

/** Limits for clients. Throws `GantryError`. */
export interface LimitService {
  list(): LimitRow[];
  /** Tries it now. Throws `no_such_limit`, and `conflict` for a budget. */
  resume(id: string): { limits: LimitRow[]; tried?: string };
  /** Throws `no_such_limit`, and `conflict` for a budget. */
  patch(id: string, change: { autoResume: boolean }): LimitRow;
  /** Resumes a session now. Throws `conflict` if its budget is exhausted. */
  resumeSession(session: string): void;
}
