import type { Envelope, SessionView } from "@gantry/protocol";
import type { Store } from "../log/port.ts";

const PAGE = 1000;

/** A session's log from its beginning. */
export function* eventsOf(store: Store, session: string): Generator<Envelope> {
  for (let after = 0; ; ) {
    const page = store.readEvents(session, after, PAGE);
    for (const row of page) yield JSON.parse(row.json) as Envelope;
    if (page.length < PAGE) return;
    after = page.at(-1)?.seq ?? after;
  }
}

/** What has happened in the running turn, the newest first. */
export function* turnBackwards(store: Store, view: SessionView): Generator<Envelope> {
  if (!view.turn) return;
  for (let before = view.lastSeq; before > 0; before -= PAGE) {
    const from = Math.max(0, before - PAGE);
    for (const row of store.readEvents(view.id, from, before - from).reverse()) {
      const event = JSON.parse(row.json) as Envelope;
      if (event.type === "turn.started" && event.turn === view.turn.id) return;
      yield event;
    }
  }
}

/** Items that ended in the running turn, from the log: what a restart would otherwise forget. */
export function closedInTurn(store: Store, view: SessionView): Set<string> {
  const closed = new Set<string>();
  for (const event of turnBackwards(store, view)) {
    if (event.type === "tool.ended" || event.type === "message.done" || event.type === "reasoning.done") {
      closed.add(event.data.item);
    }
  }
  return closed;
}
