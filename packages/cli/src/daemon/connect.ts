import { type Client, createClient } from "@gantry/client";
import type { Context } from "../context.ts";
import { environmentError } from "../errors.ts";
import { type Daemon, findDaemon } from "./find.ts";
import { startInBackground } from "./start.ts";

export type Connection = { client: Client; daemon: Daemon };

/** A client of this home's daemon, which is started in the background when there is none. */
export async function connect(context: Context): Promise<Client> {
  const daemon = (await findDaemon(context.home)) ?? (await startInBackground(context.home, context.env));
  return clientOf(daemon);
}

/** A client of the daemon that is running, or `undefined`; for commands that never start one. */
export async function connectIfRunning(home: string): Promise<Connection | undefined> {
  const daemon = await findDaemon(home);
  return daemon && { client: clientOf(daemon), daemon };
}

function clientOf(daemon: Daemon): Client {
  if (!daemon.token) {
    throw environmentError(
      "no_token",
      "The daemon's token cannot be read.",
      "Run the command as the user who started the daemon.",
    );
  }
  return createClient({ url: daemon.url, token: daemon.token });
}
