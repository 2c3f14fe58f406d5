import type { Envelope, LiveFrame } from "@gantry/protocol";
import type { Announcer, StoredEvent } from "./port.ts";

/** Tells readers what has been committed, in the order in which it happened: events in runs, live frames between them. */
export function tell(
  announcer: Announcer,
  session: string,
  out: readonly (Envelope | LiveFrame)[],
  stored: readonly StoredEvent[],
): void {
  let told = 0;
  let seen = 0;
  for (const entry of out) {
    if ("seq" in entry) {
      seen++;
      continue;
    }
    if (seen > told) announcer.committed(session, stored.slice(told, seen));
    told = seen;
    announcer.live(entry);
  }
  if (seen > told) announcer.committed(session, stored.slice(told, seen));
}
