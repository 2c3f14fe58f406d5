import { setTimeout as delay } from "node:timers/promises";
import { environmentError } from "../program/errors.ts";
import type { Connection } from "./connect.ts";
import { isAlive } from "./find.ts";
import { findLockHolder } from "./lock-holder.ts";

const GONE_MS = 60_000;
const POLL_MS = 50;
const EXIT_POLLS = 40;

/** Stops the daemon and waits until it is gone. Returns what happened to the agents. */
export async function stopDaemon(home: string, { client, daemon }: Connection, agents: "keep" | "release") {
  const fate = await client.call("stopDaemon", { body: { agents } });
  const deadline = performance.now() + GONE_MS;
  while (await isStopping(home, daemon.pid)) {
    if (performance.now() > deadline) {
      throw environmentError(
        "daemon_stays",
        `The daemon (pid ${daemon.pid}) accepted the request and still runs after ${GONE_MS / 1000} s.`,
        `End it with \`kill ${daemon.pid}\`: sessions are on disk and lose nothing.`,
      );
    }
    await delay(POLL_MS);
  }
  return fate;
}

/** Whether the daemon has not ended. Its process id alone proves nothing: another process may have got it since. */
async function isStopping(home: string, pid: number): Promise<boolean> {
  const holder = await findLockHolder(home);
  if (holder) return holder.pid === undefined ? isAlive(pid) : holder.pid === pid;
  // It has released the folder and is about to exit.
  for (let tries = 0; tries < EXIT_POLLS && isAlive(pid); tries++) await delay(POLL_MS);
  return false;
}
