import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

/** Releases the agent's process and keeps the session. */
export default async function close(this: Context, _flags: Record<never, never>, name: string): Promise<void> {
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const done = await client.call("closeSession", { params: { id: session.id } });
  if (this.output.json) return this.output.data(done);
  this.output.print(
    done.released ? "released; the next message resumes it" : "no process was running; the session is kept",
  );
}
