import { toInstant, type UsageRow } from "@gantry/protocol";
import type { UsageFilter, UsageKey } from "../log/port.ts";
import type { Handlers } from "../server/handler.ts";

/** What the usage report reads. The event log implements it. */
export interface UsageLog {
  usage(by: readonly UsageKey[], filter?: UsageFilter): { rows: UsageRow[]; total: UsageRow };
}

export function usageHandlers(log: UsageLog): Pick<Handlers, "usage"> {
  return {
    usage: ({ query: { by = "agent", since, until, session, lane } }) => {
      const keys = new Set(by.split(",") as UsageKey[]);
      return { json: log.usage([...keys], { since: toInstant(since), until: toInstant(until), session, lane }) };
    },
  };
}
