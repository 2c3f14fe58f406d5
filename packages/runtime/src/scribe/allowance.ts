import type { Failure, SessionView } from "@gantry/protocol";
import { isRefusal } from "../limits/breaker.ts";
import { LIMITS } from "../limits/gate.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Store } from "../log/port.ts";

/** Whether the scribe may ask, and what came of it, as its account's limits and the day's budget are concerned. */
export type Allowance = {
  allowed(agent: string, model: string | undefined): boolean;
  /** An agent has answered, or failed to. */
  heard(agent: string, model: string | undefined, failed: Failure | undefined): void;
};

/**
 * The scribe counts against the same accounts as the sessions do: it asks nothing while one of them waits, and what is
 * refused to it is refused to all. It stands in for a session that is in no list, and is called as its cost is.
 */
export function allowanceOf(limits: () => LimitKeeper, store: Store, name: string): Allowance {
  const standIn = (agent: string, model: string | undefined) => ({ id: name, agent, model }) as SessionView;
  return {
    allowed: (agent, model) => limits().gate().hold(standIn(agent, model)) === undefined,
    heard: (agent, model, failed) => {
      const gate = limits().gate();
      const view = standIn(agent, model);
      if (isRefusal(failed)) gate.refused(view, gate.signal(failed, "failure"));
      else if (!failed) gate.answered(view);
      for (const breaker of gate.changes.values()) store.records(LIMITS).put(breaker.id, breaker);
      limits().take(gate);
    },
  };
}
