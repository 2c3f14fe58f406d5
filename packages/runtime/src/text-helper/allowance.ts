import type { Failure, SessionView } from "@gantry/protocol";
import { isHoldable } from "../limits/breaker/breaker.ts";
import { LIMITS } from "../limits/gate.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Store } from "../log/port.ts";

/** A request for the limits: the agent and model that it uses, and the session whose account and budget it uses. */
export type Spender = { agent: string; model?: string | undefined; session?: SessionView | undefined };

/** Whether the text helper may send a request under its account's limits and the budgets. */
export type Allowance = {
  isAllowed(spender: Spender): boolean;
  /** Records the outcome of a request. */
  record(spender: Spender, failure: Failure | undefined): void;
};

/**
 * The text helper shares the accounts of the sessions: it sends nothing while one is limited, and a refusal of its
 * request opens the limit for all. Without a session it acts as one that is in no list, with the account name as id.
 */
export function allowanceOf(limits: () => LimitKeeper, store: Store, name: string): Allowance {
  return {
    isAllowed: (spender) => limits().gate().hold(viewOf(spender, name)) === undefined,
    record: (spender, failure) => {
      const gate = limits().gate();
      const view = viewOf(spender, name);
      if (isHoldable(failure)) gate.refused(view, gate.signal(failure, "failure"));
      else if (!failure) gate.answered(view);
      for (const breaker of gate.changes.values()) store.records(LIMITS).put(breaker.id, breaker);
      limits().take(gate);
    },
  };
}

function viewOf({ agent, model, session }: Spender, name: string): SessionView {
  if (!session) return { id: name, agent, model } as SessionView;
  const { servedModel: _, limit: __, ...view } = session;
  return { ...view, agent, model };
}
