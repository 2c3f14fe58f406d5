import { type Client, createClient } from "../client.ts";
import type { Target } from "../transport.ts";
import { discover } from "./discover.ts";

/** Which daemon: its address and credential, or its home folder. `fetch` replaces the global one. */
export type ConnectOptions = { url?: string; token?: string; home?: string; fetch?: typeof globalThis.fetch };

/**
 * A client of a daemon. Without `url`, in Node: the daemon that started this program's session (`GANTRY_URL` and
 * `GANTRY_TOKEN`), or the daemon of `home`, `GANTRY_HOME` or `~/.gantry`. The place is looked up before every request, so
 * the client survives restarts of the daemon. Sends nothing and never throws; the first call throws `unavailable` if no
 * daemon runs. Never starts a daemon.
 */
export function connect({ url, token, home, fetch }: ConnectOptions = {}): Client {
  const target = url === undefined ? () => findTarget(home) : () => ({ url, token });
  return createClient({ resolve: target, fetch });
}

function findTarget(home: string | undefined): Target {
  const { GANTRY_URL: url, GANTRY_TOKEN: token } = globalThis.process?.env ?? {};
  return home === undefined && url && token ? { url, token } : discover(home);
}
