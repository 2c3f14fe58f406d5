import { shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

/** Sets the title of a session; automatic titles no longer replace it. */
export default async function rename(
  this: Context,
  _flags: Record<never, never>,
  name: string,
  ...args: string[]
): Promise<void> {
  const title = args.join(" ").trim();
  if (title === "") throw usageError("There is no new title.", 'gantry rename last "Lamp repair"');
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  const { session } = await client.sessions.patch(id, { title });
  if (this.output.json) return this.output.data(session);
  this.output.print(`${shortId(id)} ${session.title}`);
}
