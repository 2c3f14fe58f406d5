import type { Envelope } from "@gantry/protocol";
import type { Store } from "../../log/port.ts";
import { Facts } from "./facts.ts";

/** Of a longer log only the beginning and the end are read, so that a brief never holds the daemon up. */
const BEGINNING = 500;
const END = 20_000;
const PAGE = 1000;

/** What the log says from event `since` on; where the work is, it always says. */
export function readFacts(store: Store, session: string, since = 0): Facts {
  const facts = new Facts();
  const last = store.lastSeq(session);
  const from = Math.max(0, since - 1);
  if (from > 0) for (const event of events(store, session, 0, 1)) facts.take(event);
  if (last - from > BEGINNING + END) {
    for (const event of events(store, session, from, from + BEGINNING)) facts.take(event);
    facts.skip();
    for (const event of events(store, session, last - END, last)) facts.take(event);
    return facts;
  }
  for (const event of events(store, session, from, last)) facts.take(event);
  return facts;
}

function* events(store: Store, session: string, after: number, until: number): Generator<Envelope> {
  for (let at = after; at < until; ) {
    const page = store.readEvents(session, at, Math.min(PAGE, until - at));
    for (const row of page) yield JSON.parse(row.json) as Envelope;
    at = page.at(-1)?.seq ?? until;
  }
}
