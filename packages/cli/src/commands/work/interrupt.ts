import { pluralize, shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

export type InterruptFlags = { keep: boolean; clear: boolean };

/** Stops the running turn and pauses the queue; harmless when nothing runs. */
export default async function interrupt(this: Context, flags: InterruptFlags, name: string): Promise<void> {
  const { output } = this;
  if (flags.keep && flags.clear) throw usageError("Use --keep or --clear, not both.");
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const queue = flags.clear ? "clear" : flags.keep ? "keep" : "pause";
  const done = await client.call("interrupt", { params: { id: session.id }, body: { queue } });
  if (output.json) return output.data(done);
  const parts = [done.interrupted ? "interrupting the turn" : "nothing was running"];
  const { kept: queued } = done; // prose-ignore: field of the API
  const messages = pluralize(queued.length, "message");
  if (queued.length > 0 && done.paused)
    parts.push(`${messages} held: gantry queue resume ${shortId(session.id)}, or gantry queue clear`);
  else if (queued.length > 0) parts.push(`${messages} run next`);
  if (done.cancelled.length > 0) parts.push(`${pluralize(done.cancelled.length, "message")} cancelled`);
  output.print(parts.join(" · "));
}
