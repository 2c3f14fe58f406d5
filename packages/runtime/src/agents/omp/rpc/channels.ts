import type { LaunchOptions } from "../../contract.ts";
import { jsonChannel, rpcChannel } from "../../json-lines/pi-rpc/channel.ts";

/** `omp --mode rpc`: one process a session, steering, subagents. */
export const rpc = rpcChannel({
  launch: (options) => ({ args: ["--mode", "rpc", ...argumentsFor(options)] }),
  gate: true,
  subagents: true,
});

/** `omp -p --mode json` with the prompt on stdin: one process a turn. */
export const json = jsonChannel({
  launch: (options) => ({ args: ["-p", "--mode", "json", ...argumentsFor(options)] }),
  gate: true,
});

/** Its own approvals cannot be changed while it runs and take no reason: the gate asks in their place. */
function argumentsFor({ model, effort, mode, resume, fork }: LaunchOptions): string[] {
  return [
    "--no-title",
    ...(model ? ["--model", model] : []),
    ...(effort ? ["--thinking", effort] : []),
    ...(mode === "inherit" ? [] : ["--approval-mode", "yolo"]),
    ...(resume ? [fork ? "--fork" : "--resume", resume] : []),
  ];
}
