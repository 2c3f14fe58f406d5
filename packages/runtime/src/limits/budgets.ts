import type { SessionView } from "@gantry/protocol";
import type { Hold } from "./gate.ts";

export type BudgetLimits = { dayUsd?: number | undefined; sessionUsd?: number | undefined };

/** The cost of all sessions since the start of the local day, without the turn that is ending. */
export type Spent = { usd: number; unpriced: number };

/** The share of a budget at which a warning is published. */
const WARN_AT = 0.8;

/** The provider name of budgets. */
export const OURS = "gantry";

/** A session's tree of spawned sessions: the root, whose budget applies to all, and their total cost. */
export type Kin = { root: SessionView; usd: () => number };

/**
 * The exhausted budget, if any. The session's own comes before that of its tree, and that before the daily one: the
 * nearest is the one to raise.
 */
export function findOverspent(
  view: SessionView,
  limits: BudgetLimits,
  today: () => Spent,
  now: Date,
  kin?: Kin,
): Hold | undefined {
  const most = sessionBudget(view, limits);
  const spent = view.cost?.usd ?? 0;
  if (most !== undefined && spent >= most) {
    const text = `The session has used $${money(spent)} of its budget of $${money(most)}.${unpricedNote(view.unpriced)} Raise its budget to continue.`;
    return hold("session", text);
  }
  const shared = kin && overspentTogether(kin, limits);
  if (shared) return shared;
  if (limits.dayUsd === undefined) return undefined;
  const { usd, unpriced } = today();
  if (usd < limits.dayUsd) return undefined;
  const resetsAt = nextDay(now).toISOString();
  const text = `Today's sessions have used $${money(usd)} of the daily budget of $${money(limits.dayUsd)}.${unpricedNote(unpriced)} Raise budgets.dayUsd, or wait until tomorrow.`;
  return { ...hold("day", text), resetsAt, nextTryAt: resetsAt };
}

function overspentTogether({ root, usd }: Kin, limits: BudgetLimits): Hold | undefined {
  const most = sessionBudget(root, limits);
  const spent = most === undefined ? 0 : usd();
  if (most === undefined || spent < most) return undefined;
  const text = `${root.id} and the sessions that it started have used $${money(spent)} of their budget of $${money(most)}. Raise the budget of ${root.id} to continue.`;
  return hold("session", text);
}

/** Notices after a turn: a budget is nearly exhausted, or the cost of the turn is unknown. */
export function budgetWarnings(
  view: SessionView,
  turn: { cost?: { usd: number } | undefined; usage?: unknown },
  limits: BudgetLimits,
  today: () => Spent,
): string[] {
  const most = sessionBudget(view, limits);
  if (most === undefined && limits.dayUsd === undefined) return [];
  if (!turn.cost) {
    const first = turn.usage !== undefined && view.unpriced === 1;
    return first ? ["The cost of this turn is unknown, so budgets do not count it."] : [];
  }
  const { usd } = turn.cost;
  const total = view.cost?.usd ?? 0;
  const warnings: string[] = [];
  if (most !== undefined && isWarningCrossed(total - usd, total, most))
    warnings.push(`The session has used $${money(total)} of its budget of $${money(most)}.`);
  if (limits.dayUsd === undefined) return warnings;
  const before = today().usd;
  if (isWarningCrossed(before, before + usd, limits.dayUsd))
    warnings.push(
      `Today's sessions have used $${money(before + usd)} of the daily budget of $${money(limits.dayUsd)}.`,
    );
  return warnings;
}

/** The start of the local day, and of the next one. */
export function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

export function nextDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
}

function sessionBudget(view: SessionView, { sessionUsd }: BudgetLimits): number | undefined {
  return view.budget?.usd ?? sessionUsd;
}

function isWarningCrossed(before: number, after: number, most: number): boolean {
  return before < most * WARN_AT && after >= most * WARN_AT;
}

function hold(window: "day" | "session", text: string): Hold {
  return { provider: OURS, source: "budget", window, text, autoResume: true };
}

function unpricedNote(turns = 0): string {
  return turns > 0
    ? ` (${turns === 1 ? "One turn is" : `${turns} turns are`} not counted because the cost is unknown.)`
    : "";
}

/** Cents, or more digits for smaller amounts. */
function money(usd: number): string {
  return usd !== 0 && usd < 0.1 ? usd.toPrecision(2) : usd.toFixed(2);
}
