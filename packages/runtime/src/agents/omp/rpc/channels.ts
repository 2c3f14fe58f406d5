import type { Launch, LaunchOptions } from "../../contract.ts";
import { jsonChannel, rpcChannel } from "../../json-lines/pi-rpc/channel.ts";
import { instructionsFile, mergeLaunch } from "../../kit/launch-parts.ts";

/** Servers can be passed only over ACP; instructions have a flag. */
const takes = { instructions: true, folders: "named" } as const;

/** `omp --mode rpc`: one process per session, steering, subagents. */
export const rpc = rpcChannel({
  launch: (options) => launchOf(["--mode", "rpc"], options),
  takes,
  gate: true,
  subagents: true,
});

/** `omp -p --mode json` with the prompt on stdin: one process per turn. */
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

/** Its approvals cannot be changed at run time and accept no reason, so the gate replaces them. */
function argumentsFor({ model, effort, mode, resume, fork }: LaunchOptions): string[] {
  return [
    "--no-title",
    ...(model ? ["--model", model] : []),
    ...(effort ? ["--thinking", effort] : []),
    ...(mode === "inherit" ? [] : ["--approval-mode", "yolo"]),
    ...(resume ? [fork ? "--fork" : "--resume", resume] : []),
  ];
}
