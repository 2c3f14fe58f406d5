import type { Failure, SessionView } from "@gantry/protocol";
import { isHoldable } from "../limits/breaker/breaker.ts";
import { LIMITS } from "../limits/gate.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Store } from "../log/port.ts";

/** Whether the text helper may send a request under its account's limits and the daily budget. */
export type Allowance = {
  allowed(agent: string, model: string | undefined): boolean;
  /** Records the outcome of a request. */
  record(agent: string, model: string | undefined, failure: Failure | undefined): void;
};

/**
 * The text helper shares the accounts of the sessions: it sends nothing while one is limited, and a refusal of its
 * request opens the limit for all. It acts as a session that is in no list, with the account name as id.
 */
export function allowanceOf(limits: () => LimitKeeper, store: Store, name: string): Allowance {
  const helperView = (agent: string, model: string | undefined) => ({ id: name, agent, model }) as SessionView;
  return {
    allowed: (agent, model) => limits().gate().hold(helperView(agent, model)) === undefined,
    record: (agent, model, failure) => {
      const gate = limits().gate();
      const view = helperView(agent, model);
      if (isHoldable(failure)) gate.refused(view, gate.signal(failure, "failure"));
      else if (!failure) gate.answered(view);
      for (const breaker of gate.changes.values()) store.records(LIMITS).put(breaker.id, breaker);
      limits().take(gate);
    },
  };
}
