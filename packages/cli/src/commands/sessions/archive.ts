import { shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

export type ArchiveFlags = { undo: boolean };

/** Archives sessions, or restores them. Nothing is deleted. */
export async function archive(this: Context, flags: ArchiveFlags, ...names: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const sessions = await Promise.all(names.map((name) => resolveSession(client, name)));
  for (const { id, title } of sessions) {
    await client.sessions.patch(id, { archived: !flags.undo });
    if (output.json) output.data({ session: id, archived: !flags.undo });
    else output.print(`${flags.undo ? "restored" : "archived"} ${shortId(id)} ${title}`);
  }
}

/** Releases the agent's process and keeps the session. */
export async function close(this: Context, _flags: Record<never, never>, name: string): Promise<void> {
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const done = await client.call("closeSession", { params: { id: session.id } });
  if (this.output.json) return this.output.data(done);
  this.output.print(
    done.released ? "released; the next message resumes it" : "no process was running; nothing has changed",
  );
}
