import type { Client } from "@gantry/client";
import { ownDaemon } from "../daemon/find.ts";
import type { Context } from "../program/context.ts";

/** Run by an agent: acknowledges a turn, so that the daemon does not wake the agent for it again. Best effort. */
export async function acknowledgeTurn(
  { env }: Context,
  client: Client,
  session: string,
  turn: string | undefined,
): Promise<void> {
  if (!ownDaemon(env) || turn === undefined || session === env.GANTRY_SESSION) return;
  await client.sessions.heard(session, turn).catch(() => undefined); // prose-ignore: method of the client
}
