import type { Session } from "@gantry/protocol";
import { firstLine, renderTable, shortId, stripControls } from "@gantry/terminal";
import { pick, resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

type NoFlags = Record<never, never>;

/** Lists the queued messages. */
export async function list(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const session = await resolveSession(await connect(this), name);
  printQueue(this, session);
}

/** Changes the text of a queued message. */
export async function edit(
  this: Context,
  _flags: NoFlags,
  name: string,
  message: string,
  ...args: string[]
): Promise<void> {
  if (args.length === 0) throw usageError("Give the new text of the message.");
  await patch(this, name, message, { text: args.join(" ") });
}

/** Moves a message in the queue; places count from 1. */
export async function move(
  this: Context,
  _flags: NoFlags,
  name: string,
  message: string,
  place: number,
): Promise<void> {
  if (!Number.isInteger(place) || place < 1) throw usageError("The place is a number from 1.");
  await patch(this, name, message, { position: place - 1 });
}

/** Removes a message from the queue. */
export async function cancel(this: Context, _flags: NoFlags, name: string, message: string): Promise<void> {
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const params = { id: session.id, mid: entryOf(session, message) };
  printQueue(this, await client.call("deleteMessage", { params }));
}

async function patch(context: Context, name: string, message: string, body: { text?: string; position?: number }) {
  const client = await connect(context);
  const session = await resolveSession(client, name);
  const params = { id: session.id, mid: entryOf(session, message) };
  printQueue(context, await client.call("patchMessage", { params, body }));
}

/** A message by its place (1 is the next), or by its id or text. */
function entryOf(session: Session, name: string): string {
  const byPlace = /^\d{1,3}$/.test(name) ? session.queue[Number(name) - 1] : undefined;
  if (byPlace) return byPlace.message;
  const entries = session.queue.map((entry) => ({ id: entry.message, title: firstLine(entry.text) }));
  return pick("queued message", name, entries, `gantry queue list ${shortId(session.id)}`).id;
}

function printQueue({ output }: Context, session: Session): void {
  if (output.json) return output.data({ session: session.id, queue: session.queue });
  if (session.queue.length === 0) return output.print("The queue is empty.");
  const rows = session.queue.map((entry, index) => [
    String(index + 1),
    output.paint.dim(shortId(entry.message)),
    firstLine(stripControls(entry.text)),
  ]);
  const columns = [{ title: "#" }, { title: "ID" }, { title: "TEXT", shrink: true }];
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
}
