import type { LimitRow, SessionView } from "@gantry/protocol";
import type { Gate } from "./gate.ts";

/** What a session's runner asks of the limits. */
export interface LimitKeeper {
  /** The limits as the step that begins now sees them. */
  gate(): Gate;
  /** The step is durable, with all that it found out. Called in the same turn of the event loop. */
  take(gate: Gate): void;
  /** All sessions are there again after a start. */
  restore(): void;
  /** Something that limits depend on has changed: a setting, or a session's own word. */
  changed(): void;
}

/** What the limits ask of the sessions. None of it throws for a session that is gone. */
export interface LimitedSessions {
  /** Every session that waits for a limit. */
  parked(): SessionView[];
  view(session: string): SessionView | undefined;
  /** Lets the session look again whether it may start a turn; `forget`: it no longer waits for what it waited for. */
  wake(session: string, forget?: boolean): void;
  /** Hands the session to another agent, with the message that waits first. Rejects when it cannot be. */
  handOn(session: string, to: { agent: string; model?: string }): Promise<void>;
}

/** Limits for clients. Throws `GantryError`. */
export interface LimitService {
  list(): LimitRow[];
  /** Tries it now. Throws `no_such_limit`, and `conflict` for a budget. */
  resume(id: string): { limits: LimitRow[]; tried?: string };
  /** Throws `no_such_limit`, and `conflict` for a budget. */
  patch(id: string, change: { autoResume: boolean }): LimitRow;
  /** Lets a session go on now. Throws `conflict` for one whose budget is used up. */
  resumeSession(session: string): void;
}
