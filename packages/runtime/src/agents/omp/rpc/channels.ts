import type { Launch, LaunchOptions } from "../../contract.ts";
import { jsonChannel, rpcChannel } from "../../json-lines/pi-rpc/channel.ts";
import { instructionsFile, mergeLaunch } from "../../kit/launch-parts.ts";

/** Only ACP lets a host name servers; instructions have a flag. */
const takes = { instructions: true } as const;

/** `omp --mode rpc`: one process a session, steering, subagents. */
export const rpc = rpcChannel({
  launch: (options) => launchOf(["--mode", "rpc"], options),
  takes,
  gate: true,
  subagents: true,
});

/** `omp -p --mode json` with the prompt on stdin: one process a turn. */
export const json = jsonChannel({
  launch: (options) => launchOf(["-p", "--mode", "json"], options),
  takes,
  gate: true,
});

function launchOf(outputs: string[], options: LaunchOptions): Launch {
  return mergeLaunch(
    { args: [...outputs, ...argumentsFor(options)] },
    instructionsFile(options.kit, options.dir, (path) => ({ args: ["--append-system-prompt", path] })),
  );
}

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
