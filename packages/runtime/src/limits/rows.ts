import type { LimitRow, SessionView } from "@gantry/protocol";
import type { Breaker } from "./breaker/breaker.ts";
import { OVERLOADED } from "./gate.ts";

/** A breaker that is not closed, for clients. */
export function limitRow(breaker: Breaker, sessions: readonly SessionView[], autoResume: boolean): LimitRow {
  const { id, provider, account, window, state, since, resetsAt, nextTryAt, source } = breaker;
  return {
    id,
    provider,
    ...(account === undefined ? {} : { account }),
    ...(window === undefined ? {} : { window }),
    state: state === "half_open" ? "half_open" : "open",
    since,
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(state === "open" ? { nextTryAt } : {}),
    autoResume,
    sessions: sessions.filter(({ queue }) => queue.length > 0).map((view) => view.id),
    source,
    ...(breaker.overload ? { text: OVERLOADED } : {}),
  };
}

/** The budgets that sessions wait for: one row for the daily one, one for each session's own. */
export function budgetRows(held: readonly SessionView[]): LimitRow[] {
  const rows = new Map<string, LimitRow>();
  for (const { id: session, limit } of held) {
    if (limit?.source !== "budget") continue;
    const { provider, window, resetsAt, nextTryAt, since, text } = limit;
    const id = window === "day" ? "lim_budget-day" : `lim_budget-${session}`;
    const known = rows.get(id);
    if (known) {
      rows.set(id, {
        ...known,

        sessions: [...known.sessions, session],
      });
      continue;
    }
    const times = { ...(resetsAt ? { resetsAt } : {}), ...(nextTryAt ? { nextTryAt } : {}), ...(text ? { text } : {}) };
    rows.set(id, {
      id,
      provider,
      window,
      state: "open",
      since,
      ...times,
      autoResume: true,
      sessions: [session],
      source: "budget",
    });
  }
  return [...rows.values()];
}
