import type { Dialect } from "../acp/dialect.ts";
import type { LaunchOptions } from "../contract.ts";
import { type Fields, text } from "../fields.ts";
import { folderArguments, type LaunchPart } from "../kit/launch-parts.ts";
import { isAtLeast } from "../probing/fallback.ts";
import { modePolicy } from "./policy.ts";

const MINUTE = 60_000;
/** The tool that submits a finished plan. */
const PLAN_TOOL = "exit_plan_mode";
const SUBAGENT_TOOL = "invoke_agent";

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
  given: (options) => [modePolicy(options), planTools(options), folderArguments("--include-directories", options)],
  // It refuses the other modes in a folder that it does not trust.
  ignoresProject: { modes: ["plan", "ask"], since: "0.41.0" },
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
  subagentTool: SUBAGENT_TOOL,
  offersPlan: PLAN_TOOL,
  // Older versions, whose ids do not name the tool, do not report it.
  tellsMode: ({ toolCallId }) => text(toolCallId)?.startsWith(PLAN_TOOL) === true,
  call: withName,
  asides: [{ pattern: /^\[MODE_UPDATE\] (\S+)\s*$/, as: "mode" }],
  // It names a conversation's file by minute; a load in the same minute overwrites it.
  resumableFrom: (opened) => (Math.floor(opened / MINUTE) + 1) * MINUTE,
  login: "gemini",
};

/** Older versions choose the tools of a conversation at start: in plan mode, one that submits the plan. */
function planTools({ mode, version = "" }: LaunchOptions): LaunchPart | undefined {
  return mode === "plan" && !isAtLeast(version, "0.61") ? { args: ["--approval-mode", "plan"] } : undefined;
}

/**
 * It sends no tool inputs; the subagent's name is in the title. The ids of older versions do not name the tool, so a
 * subagent and a plan are recognised by the title.
 */
function withName(call: Fields): Fields {
  const title = text(call.title) ?? "";
  const name = /^Delegating to agent '(.+)'$/.exec(title)?.[1];
  if (name) return { ...call, name: SUBAGENT_TOOL, rawInput: { subagent_type: name, description: title } };
  return title.startsWith("Requesting plan approval for: ") ? { ...call, name: PLAN_TOOL } : call;
}
