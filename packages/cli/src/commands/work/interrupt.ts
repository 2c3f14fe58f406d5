import { pluralize } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

export type InterruptFlags = { clear: boolean };

/** Stops the running turn; harmless when nothing runs. */
export default async function interrupt(this: Context, flags: InterruptFlags, name: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const queue = flags.clear ? "clear" : "keep";
  const done = await client.call("interrupt", { params: { id: session.id }, body: { queue } });
  if (output.json) return output.data(done);
  const parts = [done.interrupted ? "interrupting the turn" : "nothing was running"];
  const { kept: queued } = done; // prose-ignore: field of the API
  if (queued.length > 0) parts.push(`${pluralize(queued.length, "queued message")} still queued`);
  if (done.cancelled.length > 0) parts.push(`${pluralize(done.cancelled.length, "queued message")} cancelled`);
  output.print(parts.join(" · "));
}
