import { discover } from "@gantry/client/node";

/** A daemon that answers. */
export type Daemon = { url: string; token: string; pid: number; version: string };

const HEALTH_MS = 3000;

/** The daemon of a home folder, if one is there and answers. Never starts one. */
export async function findDaemon(home: string): Promise<Daemon | undefined> {
  const daemon = readDiscovery(home);
  return daemon && (await answers(daemon.url)) ? daemon : undefined;
}

/**
 * The daemon that began the session in which this command runs, with the token of that session. An agent goes by these,
 * and never by what lies in the home folder.
 */
export function ownDaemon({ GANTRY_URL, GANTRY_TOKEN }: Record<string, string | undefined>): Daemon | undefined {
  return GANTRY_URL && GANTRY_TOKEN ? { url: GANTRY_URL, token: GANTRY_TOKEN, pid: 0, version: "" } : undefined;
}

/** The daemon that the home folder records; it may have ended since. */
export function readDiscovery(home: string): Daemon | undefined {
  try {
    const { url, token, daemon } = discover(home);
    return token ? { url, token, pid: daemon.pid, version: daemon.version } : undefined;
  } catch {
    return undefined;
  }
}

/** Does a process with this id exist? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL("/v1/health", url), { signal: AbortSignal.timeout(HEALTH_MS) });
    const body = (await response.json()) as { ok?: boolean };
    return response.ok && body.ok === true;
  } catch {
    return false;
  }
}
