import { randomUUID } from "node:crypto";
import type { Guard } from "../contract/ports.ts";
import type { ApprovalRequest } from "../permissions/action.ts";
import type { Audit } from "./audit.ts";
import { classOf, type Declaration, type Refusal, readDeclaration, widening } from "./declaration.ts";

export type BudgetExceeded = {
  code: "budget_exceeded";
  metric: "tokens" | "tool_calls" | "wall_time" | "cost";
  limit: number;
  observed: number;
  phase: string;
  run_id: string;
  abort_status: "aborting" | "aborted" | "abort_failed";
};

export type Accepted = Declaration & { run_id: string; accepted_at: string };

/**
 * A run without a person, within what was declared for it. Until `negotiate` succeeds nothing here restricts anything;
 * from then on every request to a model, every call of a tool and every command passes here, and the first budget that
 * is used up ends the run for good: what runs is aborted, whoever sent nothing meanwhile or not.
 */
export interface Unattended {
  readonly accepted: Accepted | undefined;
  readonly guard: Guard;
  negotiate(declaration: unknown): { accepted: Accepted } | { refusal: Refusal };
  /** Why a command may not be run, as an object for `error`; `undefined` if it may. */
  deny(command: string, scope: string, actions: readonly string[]): Record<string, unknown> | undefined;
  record(event: string, key: string, fields?: Record<string, unknown>): void;
  close(): void;
}

type Parts = {
  scopes: readonly string[];
  openAudit(runId: string): Audit;
  /** Stops what runs. Called once, when a budget is used up. */
  abort(reason: BudgetExceeded): Promise<void>;
  now?: () => number;
};

/** Commands that make things stop or tell how they stand are never denied. */
const ALWAYS = new Set(["abort", "abort_bash", "abort_retry", "negotiate_unattended"]);

export function createUnattended(parts: Parts): Unattended {
  const now = parts.now ?? Date.now;
  const spent = { tokens: 0, cost: 0, toolCalls: 0 };
  let accepted: Accepted | undefined;
  let startedAt = 0;
  let audit: Audit | undefined;
  let timer: NodeJS.Timeout | undefined;
  let exceeded: BudgetExceeded | undefined;

  const exceed = (metric: BudgetExceeded["metric"], limit: number, observed: number, phase: string) => {
    if (exceeded || !accepted) return;
    clearTimeout(timer);
    const reason: BudgetExceeded = {
      code: "budget_exceeded",
      metric,
      limit,
      observed,
      phase,
      run_id: accepted.run_id,
      abort_status: "aborting",
    };
    exceeded = reason;
    audit?.record({ event: "budget_exceeded", dedupe_key: "budget_exceeded", metric, limit, observed, phase });
    parts.abort(reason).then(
      () => {
        reason.abort_status = "aborted";
      },
      () => {
        reason.abort_status = "abort_failed";
      },
    );
  };
  const check = (phase: string) => {
    if (!accepted) return;
    const { budget } = accepted;
    if (spent.tokens > budget.max_tokens) exceed("tokens", budget.max_tokens, spent.tokens, phase);
    if (spent.cost > budget.max_cost_usd) exceed("cost", budget.max_cost_usd, spent.cost, phase);
    if (spent.toolCalls > budget.max_tool_calls) exceed("tool_calls", budget.max_tool_calls, spent.toolCalls, phase);
    const elapsed = now() - startedAt;
    if (elapsed > budget.max_wall_time_ms) exceed("wall_time", budget.max_wall_time_ms, elapsed, phase);
  };
  const stopped = () =>
    exceeded ? { refused: `The budget of this unattended run is used up (${exceeded.metric}).`, stop: true } : {};
  const watchTheClock = (limit: number) => {
    clearTimeout(timer);
    const left = Math.max(0, limit - (now() - startedAt)) + 1;
    // A longer one than Node can wait for is looked at again in between.
    timer = setTimeout(
      () => {
        check("timer");
        if (!exceeded) watchTheClock(limit);
      },
      Math.min(left, 2 ** 31 - 1),
    );
    timer.unref();
  };

  const guard: Guard = {
    beforeRequest() {
      if (!accepted) return {};
      check("request");
      return stopped();
    },
    beforeTool(name, request) {
      if (!accepted) return {};
      spent.toolCalls += 1;
      check("tool");
      if (exceeded) return stopped();
      const denied = deniedClass(accepted, request);
      const { toolCallId } = request;
      audit?.record({
        event: denied ? "action_denied" : "tool_call",
        dedupe_key: `tool:${toolCallId}`,
        tool: name,
        denied,
      });
      return denied ? { refused: `Not allowed in this unattended run: ${denied} is not on its list of actions.` } : {};
    },
    spent({ tokens, costUsd }) {
      spent.tokens += tokens;
      spent.cost += costUsd;
      check("usage");
    },
  };

  return {
    get accepted() {
      return accepted;
    },
    guard,
    negotiate(raw) {
      if (exceeded)
        return { refusal: { code: "unattended_aborted", message: "the run before has used up its budget" } };
      const read = readDeclaration(raw, parts.scopes);
      if ("refusal" in read) return read;
      const wider = accepted && widening(accepted, read.declaration);
      if (wider) return { refusal: { code: "invalid_unattended_declaration", message: wider } };
      if (!accepted) {
        startedAt = now();
        accepted = { ...read.declaration, run_id: randomUUID(), accepted_at: new Date(startedAt).toISOString() };
        audit = parts.openAudit(accepted.run_id);
      } else accepted = { ...accepted, ...read.declaration };
      const { run_id: _run, ...declared } = accepted;
      audit?.record({ event: "negotiated", dedupe_key: `negotiated:${JSON.stringify(read.declaration)}`, ...declared });
      watchTheClock(accepted.budget.max_wall_time_ms);
      check("negotiation");
      return { accepted };
    },
    deny(command, scope, actions) {
      if (!accepted || ALWAYS.has(command)) return undefined;
      check(`command:${command}`);
      if (exceeded) return { ...exceeded };
      if (!accepted.scopes.includes(scope)) return { code: "scope_denied", scope, command, pre_side_effect: true };
      const action = actions.find((name) => !accepted?.action_allowlist.includes(name));
      if (action !== undefined) return { code: "action_denied", action, command, pre_side_effect: true };
      return undefined;
    },
    record(event, key, fields = {}) {
      audit?.record({ event, dedupe_key: key, ...fields });
    },
    close() {
      clearTimeout(timer);
      audit?.close();
    },
  };
}

function deniedClass(accepted: Accepted, request: ApprovalRequest): string | undefined {
  return request.actions.map(classOf).find((name) => name !== undefined && !accepted.action_allowlist.includes(name));
}
