import { type Client, createClient } from "@gantry/client";
import type { Context } from "../program/context.ts";
import { type Daemon, findDaemon, ownDaemon, readDiscovery } from "./find.ts";
import { startInBackground } from "./start.ts";

export type Connection = { client: Client; daemon: Daemon };

/**
 * A client of this home's daemon, which is started in the background when there is none; for an agent, of the daemon
 * that began its session.
 */
export async function connect(context: Context): Promise<Client> {
  const own = ownDaemon(context.env);
  if (own) return createClient(own);
  const daemon = (await findDaemon(context.home)) ?? (await startInBackground(context.home, context.env));
  return clientOf(context.home, daemon);
}

/** A client of the daemon that is running, or `undefined`; for commands that never start one. */
export async function connectIfRunning({ home, env }: Context): Promise<Connection | undefined> {
  const own = ownDaemon(env);
  if (own) return { client: createClient(own), daemon: own };
  const daemon = await findDaemon(home);
  return daemon && { client: clientOf(home, daemon), daemon };
}

/** A daemon that was started again may have another port, so the place is looked up for every request. */
function clientOf(home: string, daemon: Daemon): Client {
  return createClient({ resolve: () => readDiscovery(home) ?? daemon });
}
