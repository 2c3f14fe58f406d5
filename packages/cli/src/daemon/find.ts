import { setTimeout as delay } from "node:timers/promises";
import { discover, fetchJson } from "@gantry/client/node";
import { type CommandError, environmentError } from "../program/errors.ts";
import { findLockHolder, isProcess, isSuspended, type LockHolder } from "./lock-holder.ts";

/** A daemon that answers. */
export type Daemon = { url: string; token: string; pid: number; version: string };

export type Wait = {
  /** How long a daemon that is alive may take to answer. */
  ms: number;
  /** Called once, when the wait takes long enough for a person to wonder. */
  onWait: (text: string) => void;
};

/** One health check. The loop that calls it bounds the whole wait. */
const HEALTH_MS = 1000;
const NOTICE_MS = 900;
const POLL_MS = 100;

/**
 * The daemon of a home folder. `undefined`: no process holds the folder, so one may be started; a leftover `daemon.json` is
 * ignored, because another program may have its port by now. Throws `daemon_silent` when a process holds the folder and
 * does not answer in time. Never starts, signals or ends a process.
 */
export async function findDaemon(home: string, wait: Wait): Promise<Daemon | undefined> {
  const started = process.uptime();
  let isNoticed = false;
  for (;;) {
    const holder = await findLockHolder(home);
    if (!holder) return undefined;
    const daemon = await findReady(home, holder);
    if (daemon) return daemon;
    const waited = (process.uptime() - started) * 1000;
    if (waited >= wait.ms) throw silentError(home, holder, waited);
    if (!isNoticed && waited >= NOTICE_MS) {
      isNoticed = true;
      wait.onWait(`${describe(home, holder)} Waiting for it, at most ${Math.round(wait.ms / 1000)} s.`);
    }
    await delay(POLL_MS);
  }
}

/** The daemon that the home folder records, if it is the one that holds the folder and answers now. */
export async function findReady(home: string, holder: LockHolder): Promise<Daemon | undefined> {
  const daemon = readDiscovery(home);
  // A file that an earlier daemon left may name a port that another program has by now.
  if (!daemon || (holder.pid !== undefined && !isProcess(holder.pid, daemon.pid))) return undefined;
  return (await isHealthy(daemon.url)) ? daemon : undefined;
}

/**
 * The daemon that started the session in which this command runs, with the token of that session. An agent uses these
 * variables and never the files of the home folder.
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

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetchJson(new URL("/v1/health", url), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(HEALTH_MS),
    });
    const body = (await response.json()) as { ok?: boolean };
    return response.ok && body.ok === true;
  } catch {
    return false;
  }
}

function describe(home: string, { pid }: LockHolder): string {
  const name = pid === undefined ? "A daemon" : `The daemon (process ${pid})`;
  if (pid !== undefined && isSuspended(pid)) return `${name} is suspended.`;
  if (!readDiscovery(home)) return `${name} holds ${home}, but daemon.json has no valid address.`;
  return `${name} does not answer.`;
}

function silentError(home: string, holder: LockHolder, waited: number): CommandError {
  const { pid } = holder;
  const seconds = `No answer within ${Math.round(waited / 1000)} s; nothing was sent and no second daemon was started.`;
  const end = pid === undefined ? "End it" : `end it with \`kill -9 ${pid}\``;
  const remedy =
    pid !== undefined && isSuspended(pid)
      ? `Resume it with \`kill -CONT ${pid}\`.`
      : `Try again, or ${end}: agents keep running, sessions are on disk, and the next command starts a daemon that resumes them.`;
  return environmentError("daemon_silent", `${describe(home, holder)} ${seconds}`, remedy);
}
