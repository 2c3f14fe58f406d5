import type { PatchMessage, QueueState, Session } from "@gantry/protocol";
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

/** Removes a message from the queue, or takes back one that was sent into the running turn. */
export async function cancel(this: Context, _flags: NoFlags, name: string, message: string): Promise<void> {
  const client = await connect(this);
  const session = await resolveSession(client, name);
  printQueue(this, await client.sessions.cancelMessage(session.id, entryOf(session, message)));
}

/** Removes every queued message. */
export async function clear(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  let session = await resolveSession(client, name);
  for (const { message } of session.queue) session = await client.sessions.cancelMessage(session.id, message);
  printQueue(this, session);
}

export type SendNowFlags = { steer: boolean; interrupt: boolean };

/** Sends a queued message at once, into the running turn or after an interrupt. */
export async function sendNow(this: Context, flags: SendNowFlags, name: string, message: string): Promise<void> {
  if (flags.steer && flags.interrupt) throw usageError("Use --steer or --interrupt, not both.");
  await patch(this, name, message, { delivery: flags.steer ? "steer" : "interrupt" });
}

export async function pause(this: Context, _flags: NoFlags, name: string): Promise<void> {
  await setState(this, name, "paused");
}

export async function resume(this: Context, _flags: NoFlags, name: string): Promise<void> {
  await setState(this, name, "running");
}

async function setState(context: Context, name: string, state: QueueState): Promise<void> {
  const client = await connect(context);
  const { id } = await resolveSession(client, name);
  printQueue(context, await client.sessions.setQueue(id, state));
}

async function patch(context: Context, name: string, message: string, body: PatchMessage): Promise<void> {
  const client = await connect(context);
  const session = await resolveSession(client, name);
  printQueue(context, await client.sessions.editMessage(session.id, entryOf(session, message), body));
}

/** A message by its place (1 is the next), or by its id or text, also one that was sent and not read. */
function entryOf(session: Session, name: string): string {
  const byPlace = /^\d{1,3}$/.test(name) ? session.queue[Number(name) - 1] : undefined;
  if (byPlace) return byPlace.message;
  if (name.startsWith("msg_")) return name;
  const entries = [...session.queue, ...(session.steers ?? [])].map((entry) => ({
    id: entry.message,
    title: firstLine(entry.text),
  }));
  return pick("queued message", name, entries, `gantry queue list ${shortId(session.id)}`).id;
}

function printQueue({ output }: Context, session: Session): void {
  const { queueState, steers = [] } = session;
  if (output.json) return output.data({ session: session.id, queueState, queue: session.queue, steers });
  for (const { message, text } of steers)
    output.print(`${output.paint.dim(`${shortId(message)} sent, not read yet:`)} ${firstLine(stripControls(text))}`);
  const paused = queueState === "paused";
  if (session.queue.length === 0)
    return output.print(paused ? "The queue is empty and paused." : "The queue is empty.");
  if (paused) output.print(`Paused. To run these messages: gantry queue resume ${shortId(session.id)}`);
  const rows = session.queue.map((entry, index) => [
    String(index + 1),
    output.paint.dim(shortId(entry.message)),
    firstLine(stripControls(entry.text)),
  ]);
  const columns = [{ title: "#" }, { title: "ID" }, { title: "TEXT", shrink: true }];
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
}
