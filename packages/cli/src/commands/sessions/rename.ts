import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { shortId } from "../../render/names.ts";

/** Gives a session a name of one's own. No prompt and no model changes it any more. */
export default async function rename(
  this: Context,
  _flags: Record<never, never>,
  name: string,
  ...words: string[]
): Promise<void> {
  const title = words.join(" ").trim();
  if (title === "") throw usageError("There is no new title.", 'gantry rename last "Lamp repair"');
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  const { session } = await client.sessions.patch(id, { title });
  if (this.output.json) return this.output.data(session);
  this.output.print(`${shortId(id)} ${session.title}`);
}
