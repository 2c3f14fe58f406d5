import { randomUUID } from "node:crypto";
import type { Guard } from "../contract/ports.ts";
import type { Audit } from "./audit.ts";
import { classOf, type Declaration, findWidening, type Refusal, readDeclaration } from "./declaration.ts";

export type BudgetExceeded = {
  code: "budget_exceeded";
  metric: "tokens" | "tool_calls" | "wall_time" | "cost";
  limit: number;
  observed: number;
  phase: string;
  run_id: string;
  abort_status: "aborting" | "aborted" | "abort_failed";
};

export type AcceptedDeclaration = Declaration & { run_id: string; accepted_at: string };

/**
 * A run without a person, restricted to its declaration. Nothing is restricted until `negotiate` succeeds. After that,
 * every model request, tool call and command is checked here. The first exhausted budget ends the run and
 * aborts the work in progress, even if no further command arrives.
 */
export interface Unattended {
  readonly accepted: AcceptedDeclaration | undefined;
  readonly guard: Guard;
  negotiate(declaration: unknown): { accepted: AcceptedDeclaration } | { refusal: Refusal };
  /** Why a command is denied, as an object for the `error` field; `undefined` if it is allowed. */
  deny(command: string, scope: string, actions: readonly string[]): Record<string, unknown> | undefined;
  record(event: string, key: string, fields?: Record<string, unknown>): void;
  close(): void;
}

type Parts = {
  scopes: readonly string[];
  openAudit(runId: string): Audit;
  /** Stops the work in progress. Called once, when a budget is exhausted. */
  abort(reason: BudgetExceeded): Promise<void>;
  now?: () => number;
};

/** Commands that stop work or renegotiate are never denied. */
const NEVER_DENIED = new Set(["abort", "abort_bash", "stop_job", "abort_retry", "negotiate_unattended"]);

/** Node's longest timeout. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export function createUnattended(parts: Parts): Unattended {
  return new UnattendedRun(parts);
}

class UnattendedRun implements Unattended {
  readonly guard: Guard;
  readonly #parts: Parts;
  readonly #now: () => number;
  readonly #usage = { tokens: 0, cost: 0, toolCalls: 0 };
  #accepted: AcceptedDeclaration | undefined;
  #startedAt = 0;
  #audit: Audit | undefined;
  #timer: NodeJS.Timeout | undefined;
  #exceeded: BudgetExceeded | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.guard = {
      beforeRequest: () => this.#beforeRequest(),
      beforeTool: (name, request) => this.#beforeTool(name, request),
      recordUsage: ({ tokens, costUsd }) => this.#addUsage(tokens, costUsd),
    };
  }

  get accepted(): AcceptedDeclaration | undefined {
    return this.#accepted;
  }

  negotiate(raw: unknown): { accepted: AcceptedDeclaration } | { refusal: Refusal } {
    if (this.#exceeded) {
      return { refusal: { code: "unattended_aborted", message: "the previous run exhausted its budget" } };
    }
    const read = readDeclaration(raw, this.#parts.scopes);
    if ("refusal" in read) return read;
    const wider = this.#accepted && findWidening(this.#accepted, read.declaration);
    if (wider) return { refusal: { code: "invalid_unattended_declaration", message: wider } };
    const accepted = this.#accept(read.declaration);
    const { run_id: _run, ...declared } = accepted;
    const key = `negotiated:${JSON.stringify(read.declaration)}`;
    this.#audit?.record({ event: "negotiated", dedupe_key: key, ...declared });
    this.#startTimer(accepted.budget.max_wall_time_ms);
    this.#checkBudget("negotiation");
    return { accepted };
  }

  deny(command: string, scope: string, actions: readonly string[]): Record<string, unknown> | undefined {
    const accepted = this.#accepted;
    if (!accepted || NEVER_DENIED.has(command)) return undefined;
    this.#checkBudget(`command:${command}`);
    if (this.#exceeded) return { ...this.#exceeded };
    if (!accepted.scopes.includes(scope)) return { code: "scope_denied", scope, command, pre_side_effect: true };
    const action = actions.find((name) => !accepted.action_allowlist.includes(name));
    if (action !== undefined) return { code: "action_denied", action, command, pre_side_effect: true };
    return undefined;
  }

  record(event: string, key: string, fields: Record<string, unknown> = {}): void {
    this.#audit?.record({ event, dedupe_key: key, ...fields });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#audit?.close();
  }

  /** The first declaration starts the run and its clock; a later one only narrows it. */
  #accept(declaration: Declaration): AcceptedDeclaration {
    if (this.#accepted) {
      this.#accepted = { ...this.#accepted, ...declaration };
      return this.#accepted;
    }
    this.#startedAt = this.#now();
    this.#accepted = {
      ...declaration,
      run_id: randomUUID(),
      accepted_at: new Date(this.#startedAt).toISOString(),
    };
    this.#audit = this.#parts.openAudit(this.#accepted.run_id);
    return this.#accepted;
  }

  #beforeRequest(): ReturnType<Guard["beforeRequest"]> {
    if (!this.#accepted) return {};
    this.#checkBudget("request");
    return this.#stopIfExceeded();
  }

  #beforeTool(name: string, request: Parameters<Guard["beforeTool"]>[1]): ReturnType<Guard["beforeTool"]> {
    const accepted = this.#accepted;
    if (!accepted) return {};
    this.#usage.toolCalls += 1;
    this.#checkBudget("tool");
    if (this.#exceeded) return this.#stopIfExceeded();
    const denied = request.actions
      .map(classOf)
      .find((action) => action !== undefined && !accepted.action_allowlist.includes(action));
    this.#audit?.record({
      event: denied ? "action_denied" : "tool_call",
      dedupe_key: `tool:${request.toolCallId}`,
      tool: name,
      denied,
    });
    return denied ? { refused: `Not allowed in this unattended run: ${denied} is not on its list of actions.` } : {};
  }

  #addUsage(tokens: number, costUsd: number): void {
    this.#usage.tokens += tokens;
    this.#usage.cost += costUsd;
    this.#checkBudget("usage");
  }

  #stopIfExceeded(): { refused?: string; stop?: boolean } {
    if (!this.#exceeded) return {};
    return { refused: `This unattended run has exhausted its budget (${this.#exceeded.metric}).`, stop: true };
  }

  #checkBudget(phase: string): void {
    if (!this.#accepted) return;
    const { budget } = this.#accepted;
    const { tokens, cost, toolCalls } = this.#usage;
    const elapsed = this.#now() - this.#startedAt;
    if (tokens > budget.max_tokens) this.#exceed("tokens", budget.max_tokens, tokens, phase);
    if (cost > budget.max_cost_usd) this.#exceed("cost", budget.max_cost_usd, cost, phase);
    if (toolCalls > budget.max_tool_calls) this.#exceed("tool_calls", budget.max_tool_calls, toolCalls, phase);
    if (elapsed > budget.max_wall_time_ms) this.#exceed("wall_time", budget.max_wall_time_ms, elapsed, phase);
  }

  #exceed(metric: BudgetExceeded["metric"], limit: number, observed: number, phase: string): void {
    if (this.#exceeded || !this.#accepted) return;
    clearTimeout(this.#timer);
    const { run_id } = this.#accepted;
    const reason: BudgetExceeded = {
      code: "budget_exceeded",
      metric,
      limit,
      observed,
      phase,
      run_id,
      abort_status: "aborting",
    };
    this.#exceeded = reason;
    this.record("budget_exceeded", "budget_exceeded", { metric, limit, observed, phase });
    this.#parts.abort(reason).then(
      () => {
        reason.abort_status = "aborted";
      },
      () => {
        reason.abort_status = "abort_failed";
      },
    );
  }

  /** Re-arms itself, because a limit may be longer than Node's longest timeout. */
  #startTimer(limit: number): void {
    clearTimeout(this.#timer);
    const left = Math.max(0, limit - (this.#now() - this.#startedAt)) + 1;
    this.#timer = setTimeout(
      () => {
        this.#checkBudget("timer");
        if (!this.#exceeded) this.#startTimer(limit);
      },
      Math.min(left, MAX_TIMEOUT_MS),
    );
    this.#timer.unref();
  }
}
