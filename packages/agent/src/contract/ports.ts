import type { Action, Approval, ApprovalRequest } from "../permissions/action.ts";
import type { SessionStore } from "./session-store.ts";
import type { Answer, Question } from "./tool.ts";

/**
 * The person that the session talks to, or their stand-in. Each call ends when `signal` is aborted. Without a person
 * (print mode) approvals are denied and questions stay unanswered.
 */
export interface Person {
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<Approval>;
  ask(questions: Question[], signal: AbortSignal): Promise<Answer[] | undefined>;
}

/**
 * Checks each model request and each tool call before it starts, and receives its cost. Must not throw. A refusal with
 * `stop` ends the run at once (`agent_settled` with reason `budget`).
 */
export interface Guard {
  beforeRequest(): { refused?: string; stop?: boolean };
  beforeTool(name: string, request: ApprovalRequest): { refused?: string; stop?: boolean };
  recordUsage(usage: { tokens: number; costUsd: number }): void;
}

/** The session's shell, for commands that a client or a person enters. */
export interface ShellRunner {
  /** What the command is about to do. The same as for a call of the tool `bash`. */
  actions(command: string): Action[];
  /**
   * Never rejects; `cancelled` if the signal was aborted. `confined`: in the sandbox of the current mode, like a call of the tool `bash`.
   */
  run(
    command: string,
    options: { signal: AbortSignal; confined: boolean; output(delta: string): void },
  ): Promise<{ exitCode?: number; cancelled: boolean }>;
}

/** Redacts secrets in requests and restores them in answers. No method throws. */
export interface Secrets {
  seal(body: unknown): unknown;
  open<Value>(value: Value): Value;
  /** Restores secrets in a streamed text. A possible beginning of a placeholder is held back until it is complete. */
  opener(): { push(delta: string): string; end(): string };
}

/** Creates and opens session files. `branch`: a new file with all entries up to this one. May throw `SessionError`s. */
export interface SessionStores {
  create(options: { cwd: string; parentSession?: string }): SessionStore;
  open(path: string): SessionStore;
  branch(store: SessionStore, leafId: string | null): SessionStore;
}
