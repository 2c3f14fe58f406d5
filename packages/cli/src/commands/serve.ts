import type { Context } from "../context.ts";
import { environmentError } from "../errors.ts";
import { plural } from "../render/figures.ts";

export type ServeFlags = { port?: number; host?: string; onStop: "keep" | "release" };

type Fate = { agents: "keep" | "release"; running: number };

/** The daemon in the foreground, until a signal or `gantry stop`. */
export default async function serve(this: Context, flags: ServeFlags): Promise<void> {
  const { output } = this;
  const daemon = await start(this, flags);
  if (output.json) {
    output.data({ ready: true, url: daemon.url, port: daemon.port, pid: daemon.pid, token: daemon.token });
  } else {
    output.print(`gantry ready ${new URL("/", daemon.url)}#ticket=${daemon.ticket()}`);
  }
  let stopping: Promise<Fate> | undefined;
  const onSignal = () => {
    if (stopping) process.exit(130);
    stopping = daemon.stop(flags.onStop);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  await daemon.stopped;
  output.note(stopping ? fateLine(await stopping) : "stopped on request");
  this.process.exitCode = 0;
}

/** What became of the agents, in words. */
export function fateLine({ agents, running }: Fate): string {
  if (running === 0) return "stopped; no agents were running";
  const fate =
    agents === "keep"
      ? "left running: the next start finds them again"
      : "released; their sessions resume with the next message";
  return `stopped; ${plural(running, "agent")} ${fate}`;
}

async function start(context: Context, flags: ServeFlags) {
  const { startDaemon } = await import("@gantry/runtime");
  const { home, env, version } = context;
  try {
    return await startDaemon({ home, env, version, port: flags.port, host: flags.host });
  } catch (error) {
    if ((error as Error).name !== "DaemonHeldError") throw error;
    throw environmentError("daemon_held", (error as Error).message, "Use that one, or stop it with `gantry stop`.");
  }
}
