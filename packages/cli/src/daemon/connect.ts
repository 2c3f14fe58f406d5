import { type Client, createClient } from "@gantry/client";
import { fetchJson } from "@gantry/client/node";
import type { Context } from "../program/context.ts";
import { type Daemon, findDaemon, ownDaemon, readDiscovery } from "./find.ts";
import { startInBackground } from "./start.ts";

export type Connection = { client: Client; daemon: Daemon };

/** A loaded machine can starve a healthy daemon for seconds. */
const CONNECT_MS = 15_000;
/** For commands that ask about the daemon itself. */
const LOOK_MS = 4000;

/**
 * A client of this home's daemon, which is started in the background when there is none; for an agent, of the daemon
 * that started its session.
 */
export async function connect(context: Context): Promise<Client> {
  const { home, env, output, version } = context;
  const own = ownDaemon(env);
  if (own) return createClient({ ...own, fetch: fetchJson });
  const onWait = (text: string) => output.note(text);
  const daemon = (await findDaemon(home, { ms: CONNECT_MS, onWait })) ?? (await startInBackground(home, env, onWait));
  const skew = output.json ? undefined : versionSkew(version, daemon.version);
  if (skew) output.note(output.notePaint.dim(skew));
  return clientOf(home, daemon);
}

/** A client of the daemon that is running, or `undefined`; for commands that never start one. */
export async function connectIfRunning({ home, env, output }: Context): Promise<Connection | undefined> {
  const own = ownDaemon(env);
  if (own) return { client: createClient({ ...own, fetch: fetchJson }), daemon: own };
  const daemon = await findDaemon(home, { ms: LOOK_MS, onWait: (text) => output.note(text) });
  return daemon && { client: clientOf(home, daemon), daemon };
}

/** The text for a daemon of another version than this command: after an upgrade, until the daemon is restarted. */
export function versionSkew(command: string, daemon: string): string | undefined {
  if (daemon === "" || daemon === command) return undefined;
  return `The daemon has version ${daemon}, this command ${command}. \`gantry stop\` ends the daemon; the next command starts one of its version, and running turns continue.`;
}

/** A daemon that was started again may have another port, so the place is looked up for every request. */
function clientOf(home: string, daemon: Daemon): Client {
  return createClient({ resolve: () => readDiscovery(home) ?? daemon, fetch: fetchJson });
}
