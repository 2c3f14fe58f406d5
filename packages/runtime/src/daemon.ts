import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DaemonOptions, OpenHome } from "./assembly/base.ts";
import type { Daemon } from "./assembly/run-daemon.ts";
import { openDaemonLog } from "./daemon-log.ts";
import { registerSecret } from "./framing/redact.ts";
import { lockHome, openHome, readToken, removeDaemonFile } from "./home.ts";
import type { Store } from "./log/port.ts";
import { openStore } from "./log/sqlite/open.ts";
import { createServer, type GantryServer } from "./server/http.ts";

export type { DaemonOptions } from "./assembly/base.ts";
export type { Daemon } from "./assembly/run-daemon.ts";

/**
 * Starts a daemon. Throws `DaemonHeldError`, `ConfigError` or `GantryError`; nothing stays open or locked then.
 *
 * This file and its imports are small. They open everything that a user's files can make fail (home folder, lock,
 * configuration, token, database, port) and answer health checks; then they load the rest of the daemon, while other
 * requests wait.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { home, version } = options;
  openHome(home);
  const undo: (() => void | Promise<void>)[] = [lockHome(home)];
  try {
    // A killed daemon leaves its file behind.
    removeDaemonFile(home);
    const config = await loadConfigFile(home);
    const token = readToken(home);
    const log = openDaemonLog(home);
    const store = openStore(join(home, "gantry.db"));
    undo.push(() => store.close());
    const forgetToken = registerSecret(token);
    undo.push(forgetToken);
    const { hosts, origins } = config?.server ?? {};
    const server = createServer({ version, hosts, origins, report: log });
    undo.push(() => server.close());
    const listening = await listen(server, store, options);
    const [unlock] = undo as [() => void];
    const open: OpenHome = { options, config, token, forgetToken, log, store, server, listening, unlock };
    const { runDaemon } = await import("./assembly/run-daemon.ts");
    return await runDaemon(open);
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  }
}

/** The configuration, or `undefined` without a file: then the schema is not needed yet. Throws `ConfigError`. */
async function loadConfigFile(home: string): Promise<OpenHome["config"]> {
  if (!existsSync(join(home, "config.yml"))) return undefined;
  const { loadConfig } = await import("./config.ts");
  return loadConfig(home);
}

async function listen(server: GantryServer, store: Store, options: DaemonOptions): Promise<OpenHome["listening"]> {
  const host = options.host ?? "127.0.0.1";
  const preferred = options.port || Number(store.meta.get("port") ?? 0);
  return await server.listen(preferred, host).catch((error: unknown) => {
    // The port of the last run is a preference; a port in the options is a requirement.
    if (options.port) throw error;
    return server.listen(0, host);
  });
}
