import type { Envelope } from "@gantry/protocol";
import type { Store } from "../../log/port.ts";
import { Facts } from "./facts.ts";

/** Of a longer log only the beginning and the end are read, so that a brief never blocks the daemon for long. */
const BEGINNING = 500;
const END = 20_000;
const PAGE = 1000;

/** Facts from event `since` on, and always those of the first event, which has the folder. */
export function readFacts(store: Store, session: string, since = 0): Facts {
  const facts = new Facts();
  const from = Math.max(0, since - 1);
  if (from > 0) for (const event of events(store, session, 0, 1)) facts.take(event);
  take(facts, store, session, from, store.lastSeq(session));
  return facts;
}

/**
 * The whole conversation up to an event. A fork includes its ancestors' events up to the fork, numbered backwards from 0 so
 * that all are in order.
 */
export function readAllFacts(store: Store, session: string, until = store.lastSeq(session)): Facts {
  const facts = new Facts();
  const parts = lineage(store, session, until);
  let before = -parts.slice(0, -1).reduce((sum, part) => sum + part.until, 0);
  for (const part of parts) {
    const isOwn = part.session === session;
    if (!isOwn) facts.ancestors.push({ ...part, before });
    take(facts, store, part.session, 0, part.until, isOwn ? 0 : before);
    before += part.until;
  }
  return facts;
}

type Part = { session: string; until: number };

function lineage(store: Store, session: string, until: number): Part[] {
  const { parent, forkedAt } = store.sessions.get(session)?.view ?? {};
  const known = parent !== undefined && forkedAt !== undefined && store.sessions.get(parent) !== undefined;
  return [...(known ? lineage(store, parent, forkedAt) : []), { session, until }];
}

function take(facts: Facts, store: Store, session: string, from: number, last: number, shift = 0): void {
  const isLong = last - from > BEGINNING + END;
  if (isLong) {
    for (const event of events(store, session, from, from + BEGINNING)) facts.take(shiftSeq(event, shift));
    facts.skip();
  }
  for (const event of events(store, session, isLong ? last - END : from, last)) facts.take(shiftSeq(event, shift));
}

function shiftSeq(event: Envelope, by: number): Envelope {
  return by === 0 ? event : { ...event, seq: event.seq + by };
}

function* events(store: Store, session: string, after: number, until: number): Generator<Envelope> {
  for (let at = after; at < until; ) {
    const page = store.readEvents(session, at, Math.min(PAGE, until - at));
    for (const row of page) yield JSON.parse(row.json) as Envelope;
    at = page.at(-1)?.seq ?? until;
  }
}
