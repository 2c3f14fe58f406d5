import type { Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../../contract.ts";
import { jsonChannel, rpcChannel } from "../../json-lines/pi-rpc/channel.ts";

/** `omp --mode rpc`: one process a session, steering, approvals as questions. */
export const rpc = rpcChannel({ launch: (options) => ({ args: ["--mode", "rpc", ...argumentsFor(options)] }) });

/** `omp -p --mode json` with the prompt on stdin: one process a turn. */
export const json = jsonChannel({
  launch: (options) => ({ args: ["-p", "--mode", "json", ...argumentsFor(options)] }),
});

/** `write` asks for commands and lets files be written. */
const approvals: Record<Mode, string[]> = {
  plan: ["--approval-mode", "always-ask"],
  ask: ["--approval-mode", "always-ask"],
  "auto-edit": ["--approval-mode", "write"],
  "full-auto": ["--approval-mode", "yolo"],
  inherit: [],
};

function argumentsFor({ model, effort, mode, resume }: LaunchOptions): string[] {
  return [
    "--no-title",
    ...(model ? ["--model", model] : []),
    ...(effort ? ["--thinking", effort] : []),
    ...approvals[mode],
    ...(resume ? ["--resume", resume] : []),
  ];
}
