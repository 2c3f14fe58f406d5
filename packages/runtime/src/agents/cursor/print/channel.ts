import { type Mode, permitControls } from "@gantry/protocol";
import type { LaunchOptions } from "../../contract.ts";
import { type Fields, text } from "../../fields.ts";
import { printChannel } from "../../json-lines/print-channel.ts";
import { cursorControls } from "../controls.ts";
import type { CursorState } from "../state.ts";
import { line } from "./decode.ts";

/** `cursor-agent --print --output-format stream-json` with the prompt on stdin: one process per turn, no requests. */
export const print = printChannel<CursorState>({
  name: "print",
  launch: (options) => ({ args: argumentsFor(options) }),
  initial: () => ({}),
  line,
  isOurs: isFromCli,
});

function isFromCli(found: Fields): boolean {
  const type = text(found.type) ?? "";
  return (
    "session_id" in found && (/^(thinking|tool_call)$/.test(type) || (type === "system" && "apiKeySource" in found))
  );
}

/** Print mode writes and runs only what `--force` or Cursor's configuration allows. */
const permissions: Record<Mode, string[]> = {
  plan: ["--mode", "plan"],
  ask: [],
  "auto-edit": [],
  "full-auto": ["--force"],
  inherit: [],
};

/** Print mode cannot ask about the workspace. Gantry starts it only where the project's code is trusted or absent. */
function trustWorkspace({ cwd, project }: LaunchOptions): string[] {
  return project === "untrusted" ? [] : ["--trust", "--workspace", cwd];
}

function argumentsFor(options: LaunchOptions): string[] {
  const { model, mode, resume, controls = {} } = options;
  const chosen = permitControls(cursorControls, mode, controls).values["cursor-mode"];
  const native = chosen === "plan" || chosen === "ask" ? ["--mode", chosen] : undefined;
  return [
    ...["--print", "--output-format", "stream-json", "--stream-partial-output"],
    ...trustWorkspace(options),
    ...(native ?? permissions[mode]),
    ...(model ? ["--model", model] : []),
    ...(resume ? ["--resume", resume] : []),
  ];
}
