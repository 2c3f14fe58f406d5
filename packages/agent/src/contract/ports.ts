import type { Approval, ApprovalRequest } from "../permissions/action.ts";
import type { SessionStore } from "./session-store.ts";
import type { Answer, Question } from "./tool.ts";

/**
 * The person on the other side, or whoever stands for them. Each call gives up when `signal` is aborted.
 * Without one (print mode) approvals are denied and questions not answered.
 */
export interface Person {
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<Approval>;
  ask(questions: Question[], signal: AbortSignal): Promise<Answer[] | undefined>;
}

/**
 * Asked before each request to a model and before each call of a tool, and told what they cost. Throwing is not
 * allowed; a refusal with `stop` ends the run at once (`agent_settled` with reason `budget`).
 */
export interface Guard {
  beforeRequest(): { refused?: string; stop?: boolean };
  beforeTool(name: string, request: ApprovalRequest): { refused?: string; stop?: boolean };
  spent(usage: { tokens: number; costUsd: number }): void;
}

/** Runs a command of the user in the session's shell. Never rejects; `cancelled` after the signal was aborted. */
export interface ShellRunner {
  run(
    command: string,
    options: { cwd: string; signal: AbortSignal; output(delta: string): void },
  ): Promise<{ exitCode?: number; cancelled: boolean }>;
}

/** Covers secrets in what is sent, and puts them back in what comes. None of it throws. */
export interface Secrets {
  seal(body: unknown): unknown;
  open<Value>(value: Value): Value;
  /** Opens a text that comes in pieces; what may be the beginning of a placeholder is held back until it is clear. */
  opener(): { push(delta: string): string; end(): string };
}

/** Where other sessions come from. `branch`: a new file with everything up to this entry. May throw `SessionError`s. */
export interface SessionStores {
  create(options: { cwd: string; parentSession?: string }): SessionStore;
  open(path: string): SessionStore;
  branch(store: SessionStore, leafId: string | null): SessionStore;
}
