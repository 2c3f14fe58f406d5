import { confirm, pluralize, shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

export type RmFlags = { yes: boolean };

/** Removes sessions with their logs, after asking. */
export default async function rm(this: Context, flags: RmFlags, ...names: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const sessions = await Promise.all(names.map((name) => resolveSession(client, name)));
  if (!flags.yes && !output.interactive) {
    throw usageError(`This would remove ${pluralize(sessions.length, "session")} for good.`, "Add --yes to confirm.");
  }
  for (const session of sessions) {
    const running = session.turn ? " Its running turn is stopped." : "";
    const question = `Remove ${shortId(session.id)} "${session.title}" with its log?${running} Files in the folder stay.`;
    if (!flags.yes && !(await confirm(output.streams, question))) {
      output.print("not removed");
      continue;
    }
    await client.call("deleteSession", { params: { id: session.id } });
    if (output.json) output.data({ deleted: true, session: session.id });
    else output.print(`removed ${shortId(session.id)} ${session.title}`);
  }
}
