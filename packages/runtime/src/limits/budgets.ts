import type { SessionView } from "@gantry/protocol";
import type { Hold } from "./gate.ts";

export type BudgetLimits = { dayUsd?: number | undefined; sessionUsd?: number | undefined };

/** What was spent: by all sessions since the local day began, without the turn that is ending. */
export type Spent = { usd: number; unpriced: number };

/** A budget is told of before it is used up. */
const WARN_AT = 0.8;

/** Whose limit a budget is. */
export const OURS = "gantry";

/** A session with all that agents have begun from it: the first of them, whose budget is that of all, and their cost. */
export type Kin = { root: SessionView; usd: () => number };

/**
 * The budget that is used up, if one is. The session's own goes before that of its kin, and that before the day's: the
 * nearest is the one to raise.
 */
export function overspent(
  view: SessionView,
  limits: BudgetLimits,
  today: () => Spent,
  now: Date,
  kin?: Kin,
): Hold | undefined {
  const most = sessionBudget(view, limits);
  const spent = view.cost?.usd ?? 0;
  if (most !== undefined && spent >= most) {
    const text = `The session has cost $${money(spent)} of the $${money(most)} that it may.${unknown(view.unpriced)} Raise its budget to go on.`;
    return hold("session", text);
  }
  const shared = kin && overspentTogether(kin, limits);
  if (shared) return shared;
  if (limits.dayUsd === undefined) return undefined;
  const { usd, unpriced } = today();
  if (usd < limits.dayUsd) return undefined;
  const resetsAt = nextDay(now).toISOString();
  const text = `Today's sessions have cost $${money(usd)} of the $${money(limits.dayUsd)} that they may.${unknown(unpriced)} Raise budgets.dayUsd, or wait for the next day.`;
  return { ...hold("day", text), resetsAt, nextTryAt: resetsAt };
}

function overspentTogether({ root, usd }: Kin, limits: BudgetLimits): Hold | undefined {
  const most = sessionBudget(root, limits);
  const spent = most === undefined ? 0 : usd();
  if (most === undefined || spent < most) return undefined;
  const text = `${root.id} and the sessions that began with it have cost $${money(spent)} of the $${money(most)} that they may together. Raise the budget of ${root.id} to go on.`;
  return hold("session", text);
}

/** What to say after a turn: that a budget is nearly used up, or that nobody knows what the turn cost. */
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
    return first ? ["Nobody knows what this turn cost: budgets count without it."] : [];
  }
  const { usd } = turn.cost;
  const total = view.cost?.usd ?? 0;
  const warnings: string[] = [];
  if (most !== undefined && crossed(total - usd, total, most))
    warnings.push(`The session has cost $${money(total)} of the $${money(most)} that it may.`);
  if (limits.dayUsd === undefined) return warnings;
  const before = today().usd;
  if (crossed(before, before + usd, limits.dayUsd))
    warnings.push(`Today's sessions have cost $${money(before + usd)} of the $${money(limits.dayUsd)} that they may.`);
  return warnings;
}

/** The first moment of the local day, and of the next one. */
export function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

export function nextDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
}

function sessionBudget(view: SessionView, { sessionUsd }: BudgetLimits): number | undefined {
  return view.budget?.usd ?? sessionUsd;
}

function crossed(before: number, after: number, most: number): boolean {
  return before < most * WARN_AT && after >= most * WARN_AT;
}

function hold(window: "day" | "session", text: string): Hold {
  return { provider: OURS, source: "budget", window, text, autoResume: true };
}

function unknown(turns = 0): string {
  return turns > 0
    ? ` (${turns === 1 ? "One turn is" : `${turns} turns are`} not counted: nobody knows their cost.)`
    : "";
}

/** Cents, and more of it where there are none. */
function money(usd: number): string {
  return usd !== 0 && usd < 0.1 ? usd.toPrecision(2) : usd.toFixed(2);
}
