import type { Envelope, QueuedMessage, SessionView } from "@gantry/protocol";
import type { Store } from "../log/port.ts";

const PAGE = 1000;

/** Reads a session's log from its start. */
export function* readLog(store: Store, session: string): Generator<Envelope> {
  for (let after = 0; ; ) {
    const page = store.readEvents(session, after, PAGE);
    for (const row of page) yield JSON.parse(row.json) as Envelope;
    if (page.length < PAGE) return;
    after = page.at(-1)?.seq ?? after;
  }
}

/** Reads the events of the running turn, newest first. */
export function* readTurnBackwards(store: Store, view: SessionView): Generator<Envelope> {
  if (!view.turn) return;
  for (const event of readBackwards(store, view)) {
    if (event.type === "turn.started" && event.turn === view.turn.id) return;
    yield event;
  }
}

/** Reads a session's log from its end. */
function* readBackwards(store: Store, view: SessionView): Generator<Envelope> {
  for (let before = view.lastSeq; before > 0; before -= PAGE) {
    const from = Math.max(0, before - PAGE);
    for (const row of store.readEvents(view.id, from, before - from).reverse()) yield JSON.parse(row.json) as Envelope;
  }
}

/**
 * The messages of the running turn with their latest text: those it started with, then those steered into it. Messages of
 * an uncommitted step are not included.
 */
export function turnMessages(store: Store, view: SessionView): QueuedMessage[] {
  const turn = view.turn;
  if (!turn) return [];
  const wanted = new Set(turn.messages);
  const edits = new Map<string, string>();
  const tries = new Map<string, number>();
  const found: QueuedMessage[] = [];
  let begun = false;
  for (const event of readBackwards(store, view)) {
    if (event.type === "turn.started" && event.turn === turn.id) begun = true;
    if (event.type === "message.delivery") {
      const { message, state, text, tries: before } = event.data;
      if (before !== undefined && !tries.has(message)) tries.set(message, before);
      if (!begun && event.turn === turn.id && state === "inline") wanted.add(message);
      if (text !== undefined && !edits.has(message)) edits.set(message, text);
    }
    if (event.type === "message.user" && wanted.delete(event.data.message)) {
      const { message, text, attachments, delivery, author } = event.data;
      const before = tries.get(message);
      const now = { message, text: edits.get(message) ?? text, attachments, delivery, author };
      found.unshift(before === undefined ? now : { ...now, tries: before });
    }
    if (begun && wanted.size === 0) break;
  }
  return found;
}

/** Was the message delivered into a running turn? */
export function wasReadInline(store: Store, view: SessionView, message: string): boolean {
  for (const event of readBackwards(store, view)) {
    if (event.type === "message.user" && event.data.message === message) return false;
    if (event.type === "message.delivery" && event.data.message === message) return event.data.state === "inline";
  }
  return false;
}

/** Items that ended in the running turn, to restore them after a restart. */
export function closedInTurn(store: Store, view: SessionView): Set<string> {
  const closed = new Set<string>();
  for (const event of readTurnBackwards(store, view)) {
    if (event.type === "tool.ended" || event.type === "message.done" || event.type === "reasoning.done") {
      closed.add(event.data.item);
    }
  }
  return closed;
}
