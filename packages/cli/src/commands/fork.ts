import type { Context } from "../context.ts";
import { connect } from "../daemon/connect.ts";
import { shortId } from "../render/names.ts";
import { resolveSession } from "../resolve.ts";

export type ForkFlags = { at?: number; agent?: string };

/** A new session that goes on from this conversation. */
export default async function fork(this: Context, flags: ForkFlags, name: string): Promise<void> {
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const made = await client.call("forkSession", { params: { id: session.id }, body: flags });
  if (this.output.json) return this.output.data(made);
  this.output.print([made.id, this.output.paint.dim(`  gantry send ${shortId(made.id)} "…"    # go on from here`)]);
}
