import type { Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../../contract.ts";
import { text } from "../../fields.ts";
import { printChannel } from "../../json-lines/print-channel.ts";
import { folderArguments, mergeLaunch } from "../../kit/launch-parts.ts";
import { serversPart } from "../servers.ts";
import { type CopilotState, line } from "./decode.ts";

/** `copilot --output-format json` with the prompt on stdin: one process per turn. Everything not allowed is denied. */
export const json = printChannel<CopilotState>({
  name: "json",
  takes: { servers: ["stdio", "http", "sse"], folders: true },
  launch: (options) =>
    mergeLaunch(
      { args: argumentsFor(options), env: { COPILOT_AUTO_UPDATE: "false" } },
      serversPart(options.kit, options.dir),
      folderArguments("--add-dir", options),
    ),
  initial: () => ({}),
  line,
  isOurs: (found) => /^(session|user|assistant|model|tool)\.[a-z_*]+$/.test(text(found.type) ?? "") && "data" in found,
});

const permissions: Record<Mode, string[]> = {
  plan: [],
  ask: [],
  "auto-edit": ["--allow-tool", "write"],
  "full-auto": ["--allow-all-tools"],
  inherit: [],
};

function argumentsFor({ model, mode, resume }: LaunchOptions): string[] {
  return [
    ...["--output-format", "json"],
    ...permissions[mode],
    ...(model ? ["--model", model] : []),
    ...(resume ? [`--resume=${resume}`] : []),
  ];
}
