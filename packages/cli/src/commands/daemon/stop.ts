import { connectIfRunning } from "../../daemon/connect.ts";
import { stopDaemon } from "../../daemon/stop.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { fateLine } from "./fate-line.ts";

export type StopFlags = { keep: boolean; release: boolean };

/** Stops the daemon and waits until it is gone. */
export default async function stop(this: Context, flags: StopFlags): Promise<void> {
  const { output } = this;
  if (flags.keep && flags.release) throw usageError("Give --keep or --release, not both.");
  const found = await connectIfRunning(this);
  if (!found)
    return output.json ? output.data({ stopped: false, running: false }) : output.print("no daemon is running");
  const fate = await stopDaemon(this.home, found, flags.release ? "release" : "keep");
  if (output.json) {
    const { agents, running, tasks } = fate;
    return output.data({ stopped: true, pid: found.daemon.pid, agents, running, tasks });
  }
  output.print(fateLine(fate));
}
