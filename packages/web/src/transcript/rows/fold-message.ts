import type { Envelope } from "@gantry/protocol";
import { itemKey } from "./fold-event.ts";
import type { RowTree } from "./row-tree.ts";

/** What a user wrote, and what became of it. One that waits in the queue is shown where it was taken up. */
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
  const waits = tree.queued.includes(key);
  if (state === "queued" && !waits) {
    tree.lift(key);
    tree.queued.push(key);
  }
  if (waits && state !== "queued" && state !== "edited") tree.settle(key);
}

/** What the agent threw away is taken away; that it did so is told. */
export function foldRetracted(tree: RowTree, event: Envelope<"message.retracted">): void {
  for (const item of event.data.items) tree.remove(itemKey(item));
  const { reason } = event.data;
  const text = `The agent took back what it had begun to say${reason ? `: ${reason}` : ""}`;
  tree.append({ kind: "note", key: `seq:${event.seq}`, events: [event], tone: "plain", text });
}
