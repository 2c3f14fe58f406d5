import type { Envelope } from "@gantry/protocol";
import { itemKey, type RowTree } from "./row-tree.ts";

/**
 * A user message and its delivery. A queued message is shown at the place where it is sent. A message that was sent and is
 * queued again, because a provider refused it, stays in its place.
 */
export function foldMessage(tree: RowTree, event: Envelope<"message.user" | "message.delivery">): void {
  const key = `message:${event.data.message}`;
  if (event.type === "message.user") {
    const { message, text, attachments, author } = event.data;
    return tree.append({ kind: "user", key, events: [event], message, text, attachments, author, edited: false });
  }
  const row = tree.find("user", key);
  if (!row) return;
  const { state, text, reason } = event.data;
  const edited = row.edited || state === "edited";
  tree.replace({
    ...row,
    events: [...row.events, event],
    text: text ?? row.text,
    edited,
    delivery: state === "edited" ? row.delivery : state,
    reason,
  });
  const isQueued = tree.queued.includes(key);
  const wasSent = row.delivery === "sent" || row.delivery === "delivered";
  if (state === "queued" && !isQueued && !wasSent && row.delivery !== "queued") {
    tree.lift(key);
    tree.queued.push(key);
  }
  if (isQueued && state !== "queued" && state !== "edited") tree.settle(key);
}

/** Removes retracted items and adds a note. */
export function foldRetracted(tree: RowTree, event: Envelope<"message.retracted">): void {
  for (const item of event.data.items) tree.remove(itemKey(item));
  const { reason } = event.data;
  const text = `The agent retracted its message${reason ? `: ${reason}` : ""}`;
  tree.append({ kind: "note", key: `seq:${event.seq}`, events: [event], tone: "plain", text });
}
