import type { Client } from "@gantry/client";
import type { PushState, PushSubscriptionRow } from "@gantry/protocol";
import { formatAgo, renderTable, shortId, stripControls } from "@gantry/terminal";
import { pick } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes } from "../../program/exit-codes.ts";

type NoFlags = Record<never, never>;

export async function list(this: Context): Promise<void> {
  const client = await connect(this);
  print(this, await client.push.get());
}

export async function on(this: Context): Promise<void> {
  const client = await connect(this);
  print(this, await client.push.switch(true));
}

export async function off(this: Context): Promise<void> {
  const client = await connect(this);
  print(this, await client.push.switch(false));
}

export async function test(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  const { id } = await findBrowser(client, name);
  const row = await client.push.test(id);
  if (row.failure) this.process.exitCode = exitCodes.failed;
  if (this.output.json) return this.output.data(row);
  this.output.print(
    row.failure ? `Not sent to ${row.name}: ${row.failure}` : `Sent to ${row.name} through ${row.host}.`,
  );
}

export async function revoke(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  const row = await findBrowser(client, name);
  await client.push.revoke(row.id);
  if (this.output.json) return this.output.data({ revoked: true, id: row.id });
  this.output.print(`Revoked: ${row.name} gets no more notifications.`);
}

/** Throws a usage error if there is no match or more than one. */
async function findBrowser(client: Client, name: string): Promise<PushSubscriptionRow> {
  const { subscriptions } = await client.push.get();
  const named = subscriptions.map((row) => ({ ...row, title: row.name }));
  return pick("subscribed browser", name, named, "gantry push");
}

function print({ output }: Context, state: PushState): void {
  if (output.json) return output.data(state);
  output.print(
    state.enabled ? "Push notifications are on." : "Push notifications are off. Switch them on: gantry push on",
  );
  if (state.subscriptions.length === 0)
    return output.print(output.paint.dim("No browser is subscribed. Subscribe one in its page: Settings, Phone."));
  const now = Date.now();
  const rows = state.subscriptions.map((row) => [
    output.paint.bold(shortId(row.id)),
    stripControls(row.name),
    row.host,
    row.failure ? output.paint.red(row.failure) : row.sentAt ? formatAgo(row.sentAt, now) : output.paint.dim("never"),
  ]);
  const columns = [{ title: "ID" }, { title: "BROWSER", shrink: true }, { title: "SENT THROUGH" }, { title: "LAST" }];
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
}
