import type { Client } from "@gantry/client";
import { ownDaemon } from "../daemon/find.ts";
import type { Context } from "../program/context.ts";

/** An agent that has waited for a session need not be woken for the same news. Of no use to others, and no matter if it fails. */
export async function tellHeard(
  { env }: Context,
  client: Client,
  session: string,
  turn: string | undefined,
): Promise<void> {
  if (!ownDaemon(env) || turn === undefined || session === env.GANTRY_SESSION) return;
  await client.sessions.heard(session, turn).catch(() => undefined);
}
