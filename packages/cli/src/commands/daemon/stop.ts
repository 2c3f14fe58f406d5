import { setTimeout as delay } from "node:timers/promises";
import { connectIfRunning } from "../../daemon/connect.ts";
import { isAlive } from "../../daemon/find.ts";
import { findLockHolder } from "../../daemon/lock-holder.ts";
import type { Context } from "../../program/context.ts";
import { environmentError, usageError } from "../../program/errors.ts";
import { fateLine } from "./fate-line.ts";

export type StopFlags = { keep: boolean; release: boolean };

const GONE_MS = 60_000;
const POLL_MS = 50;
const EXIT_POLLS = 40;

/** Stops the daemon and waits until it is gone. */
export default async function stop(this: Context, flags: StopFlags): Promise<void> {
  const { output } = this;
  if (flags.keep && flags.release) throw usageError("Give --keep or --release, not both.");
  const found = await connectIfRunning(this);
  if (!found)
    return output.json ? output.data({ stopped: false, running: false }) : output.print("no daemon is running");
  const { client, daemon } = found;
  const fate = await client.call("stopDaemon", { body: { agents: flags.release ? "release" : "keep" } });
  const deadline = performance.now() + GONE_MS;
  while (await isStopping(this.home, daemon.pid)) {
    if (performance.now() > deadline) {
      throw environmentError(
        "daemon_stays",
        `The daemon (pid ${daemon.pid}) took the request and is still there after ${GONE_MS / 1000} s.`,
        `End it with \`kill ${daemon.pid}\`: sessions are on disk and lose nothing.`,
      );
    }
    await delay(POLL_MS);
  }
  if (output.json)
    return output.data({
      stopped: true,
      pid: daemon.pid,
      agents: fate.agents,
      running: fate.running,
      tasks: fate.tasks,
    });
  output.print(fateLine(fate));
}

/** Whether the daemon has not ended. Its process id alone proves nothing: another process may have got it since. */
async function isStopping(home: string, pid: number): Promise<boolean> {
  const holder = await findLockHolder(home);
  if (holder) return holder.pid === undefined ? isAlive(pid) : holder.pid === pid;
  // It has released the folder and is about to exit.
  for (let tries = 0; tries < EXIT_POLLS && isAlive(pid); tries++) await delay(POLL_MS);
  return false;
}
