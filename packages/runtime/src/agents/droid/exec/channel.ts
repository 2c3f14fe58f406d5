import type { Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../../contract.ts";
import { text } from "../../fields.ts";
import { printChannel } from "../../json-lines/print-channel.ts";
import { instructionsFile, mergeLaunch } from "../../kit/launch-parts.ts";
import { chosenLevel } from "../controls.ts";
import { document, type ExecState, endProcess, line } from "./decode.ts";

/** `droid exec --output-format stream-json`: one process per turn, complete messages, no requests. */
export const exec = printChannel<ExecState>({
  name: "exec",
  takes: { instructions: true, folders: "named" },
  launch: (options) =>
    mergeLaunch(
      { args: argumentsFor(options) },
      instructionsFile(options.kit, options.dir, (path) => ({ args: ["--append-system-prompt-file", path] })),
    ),
  initial: ({ model }) => ({ named: model !== undefined }),
  line,
  document,
  ended: endProcess,
  isOurs: (found) =>
    ("session_id" in found && kinds.includes(text(found.type) ?? "") && !("uuid" in found)) ||
    (found.type === "error" && "source" in found),
});

const kinds = ["message", "reasoning", "tool_call", "tool_result", "completion"];

/** Without `--auto` Droid is read-only; each level allows the operations of its risk class. */
export const autonomy: Record<Mode, string[]> = {
  plan: [],
  ask: [],
  "auto-edit": ["--auto", "low"],
  "full-auto": ["--auto", "high"],
  inherit: [],
};

function argumentsFor({ model, effort, mode, resume, fork, controls }: LaunchOptions): string[] {
  const level = chosenLevel(mode, controls);
  const chosen = level === "off" ? [] : ["--auto", level ?? ""];
  return [
    ...["exec", "--output-format", "stream-json"],
    ...(level ? chosen : autonomy[mode]),
    ...(model ? ["-m", model] : []),
    ...(effort ? ["-r", effort] : []),
    ...(resume ? [fork ? "--fork" : "-s", resume] : []),
  ];
}
