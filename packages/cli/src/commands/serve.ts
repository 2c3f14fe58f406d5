import type { Context } from "../context.ts";
import { plural } from "../render/figures.ts";

export type ServeFlags = { port?: number; host?: string; onStop: "keep" | "release" };

type Fate = { agents: "keep" | "release"; running: number };

/** The daemon in the foreground, until a signal or `gantry stop`. */
export default async function serve(this: Context, flags: ServeFlags): Promise<void> {
  const { output } = this;
  const { startDaemon } = await import("@gantry/runtime");
  const { home, env, version } = this;
  const daemon = await startDaemon({ home, env, version, port: flags.port, host: flags.host });
  if (output.json) {
    output.data({ ready: true, url: daemon.url, port: daemon.port, pid: daemon.pid, token: daemon.token });
  } else {
    output.print(`gantry ready ${new URL("/", daemon.url)}#ticket=${daemon.ticket()}`);
  }
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(130);
    stopping = true;
    void daemon.stop(flags.onStop);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  await daemon.stopped;
  output.note(fateLine(await daemon.stop(flags.onStop)));
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
