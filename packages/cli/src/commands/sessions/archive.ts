import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { shortId } from "../../render/names.ts";

export type ArchiveFlags = { undo: boolean };

/** Puts sessions away, out of lists and boards, or brings them back. Nothing of them is lost. */
export default async function archive(this: Context, flags: ArchiveFlags, ...names: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const sessions = await Promise.all(names.map((name) => resolveSession(client, name)));
  for (const { id, title } of sessions) {
    await client.sessions.patch(id, { archived: !flags.undo });
    if (output.json) output.data({ session: id, archived: !flags.undo });
    else output.print(`${flags.undo ? "brought back" : "archived"} ${shortId(id)} ${title}`);
  }
}
