import type { LaunchOptions } from "../../contract.ts";
import { text } from "../../fields.ts";
import { printChannel } from "../../json-lines/print-channel.ts";
import { mergeLaunch } from "../../kit/launch-parts.ts";
import { agentOf, kitParts } from "../agents.ts";
import { endProcess, line, type RunState } from "./decode.ts";

/** `opencode run --format json` with the prompt on stdin: one process per turn. Requests for approval are denied. */
export const run = printChannel<RunState>({
  name: "run",
  takes: { instructions: true, skills: true, folders: true },
  launch: (options) => mergeLaunch({ args: argumentsFor(options) }, ...kitParts(options)),
  initial: () => ({ cost: 0 }),
  line,
  ended: endProcess,
  isOurs: (found) => "sessionID" in found && kinds.includes(text(found.type) ?? ""),
});

const kinds = ["step_start", "text", "reasoning", "tool_use", "step_finish", "error"];

function argumentsFor({ model, effort, mode, resume, fork, uuid }: LaunchOptions): string[] {
  const agent = agentOf(mode, uuid);
  return [
    ...["run", "--format", "json", "--thinking"],
    ...(agent ? ["--agent", agent] : []),
    ...(model ? ["-m", model] : []),
    ...(effort ? ["--variant", effort] : []),
    ...(resume ? ["-s", resume, ...(fork ? ["--fork"] : [])] : []),
  ];
}
