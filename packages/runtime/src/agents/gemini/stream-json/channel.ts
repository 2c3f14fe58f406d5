import type { Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../../contract.ts";
import { text } from "../../fields.ts";
import type { DecoderState } from "../../json-lines/pass.ts";
import { printChannel } from "../../json-lines/print-channel.ts";
import { folderArguments, mergeLaunch } from "../../kit/launch-parts.ts";
import { modePolicy } from "../policy.ts";
import { document, error, line } from "./decode.ts";

/**
 * `gemini --output-format stream-json`: one process per turn. It never asks: tools that need an approval are not
 * offered to the model.
 */
export const streamJson = printChannel<DecoderState>({
  name: "stream-json",
  takes: { folders: true },
  launch: (options) =>
    mergeLaunch(
      { args: argumentsFor(options), env: { GEMINI_CLI_NO_RELAUNCH: "true" } },
      modePolicy(options),
      folderArguments("--include-directories", options),
    ),
  line,
  document,
  error,
  isOurs: (found) => kinds.includes(text(found.type) ?? "") && "timestamp" in found,
});

const kinds = ["init", "message", "tool_use", "tool_result", "error", "result"];

const approvals: Record<Mode, string[]> = {
  plan: ["--approval-mode", "plan"],
  ask: ["--approval-mode", "default"],
  "auto-edit": ["--approval-mode", "auto_edit"],
  "full-auto": ["--approval-mode", "yolo"],
  inherit: [],
};

function argumentsFor({ model, mode, resume }: LaunchOptions): string[] {
  return [
    ...["--output-format", "stream-json"],
    ...(model ? ["-m", model] : []),
    ...approvals[mode],
    ...(resume ? ["--resume", resume] : []),
  ];
}
