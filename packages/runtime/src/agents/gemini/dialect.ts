import type { Dialect } from "../acp/dialect.ts";
import { type Fields, text } from "../fields.ts";
import { folderArguments } from "../kit/launch-parts.ts";
import { modePolicy } from "./policy.ts";

const MINUTE = 60_000;

/** Gemini CLI: dedicated requests for modes and models, tool names only in ids, HTTP status as error code. */
export const dialect: Dialect = {
  agent: "gemini",
  version: 1,
  // Only debug mode includes command output.
  args: ["--acp", "--debug"],
  // Otherwise the program re-executes itself, and the parent swallows signals.
  env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  takes: { servers: ["stdio", "http", "sse"], folders: true },
  foldersAtStart: true,
  given: (options) => [modePolicy(options), folderArguments("--include-directories", options)],
  // It refuses the other modes in a folder that it does not trust.
  ignoresProject: { modes: ["plan", "ask"], since: "0.61.0" },
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "auto-edit": { mode: "autoEdit" },
    "full-auto": { mode: "yolo" },
  },
  toolName: { in: "id", pattern: /^([a-z][a-z_]*?)(?:__|-)/ },
  commandInTitle: true,
  printed:
    /^Output: (?:\(empty\)|(?<output>[\s\S]*?))(?:\nError: [\s\S]*?)?(?:\nExit Code: (?<exit>\d+))?(?:\nSignal: .*)?(?:\nBackground PIDs: .*)?(?:\nProcess Group PGID: \d+)?$/,
  background: /^Command moved to background \(PID: (?<pid>\d{1,9})\)/,
  wholeThoughts: true,
  subagentTool: "invoke_agent",
  offersPlan: "exit_plan_mode",
  tellsMode: true,
  call: withSubagent,
  asides: [{ pattern: /^\[MODE_UPDATE\] (\S+)\s*$/, as: "mode" }],
  // It names a conversation's file by minute; a load in the same minute overwrites it.
  resumableFrom: (opened) => (Math.floor(opened / MINUTE) + 1) * MINUTE,
  login: "gemini",
};

/** It sends no tool inputs; the subagent's name is in the title. */
function withSubagent(call: Fields): Fields {
  const name = /^Delegating to agent '(.+)'$/.exec(text(call.title) ?? "")?.[1];
  return name ? { ...call, rawInput: { subagent_type: name, description: call.title } } : call;
}
