import type { Dialect } from "../acp/dialect.ts";
import { type Fields, text } from "../fields.ts";

const MINUTE = 60_000;

/** Gemini CLI: modes and models by requests of their own, no names of tools but in their ids, HTTP codes as errors. */
export const dialect: Dialect = {
  agent: "gemini",
  version: 1,
  // In its debug mode it tells what a command printed, which it otherwise keeps to itself.
  args: ["--acp", "--debug"],
  // Without it the program starts itself a second time, and the first swallows signals.
  env: { GEMINI_CLI_NO_RELAUNCH: "true" },
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
  wholeThoughts: true,
  subagentTool: "invoke_agent",
  offersPlan: "exit_plan_mode",
  tellsMode: true,
  call: withSubagent,
  asides: [{ pattern: /^\[MODE_UPDATE\] (\S+)\s*$/, as: "mode" }],
  // It names the file of a conversation after the minute, and a load in the same minute writes over it.
  resumableFrom: (opened) => (Math.floor(opened / MINUTE) + 1) * MINUTE,
  login: "gemini",
};

/** It tells no inputs; which subagent it calls is in the title. */
function withSubagent(call: Fields): Fields {
  const name = /^Delegating to agent '(.+)'$/.exec(text(call.title) ?? "")?.[1];
  return name ? { ...call, rawInput: { subagent_type: name, description: call.title } } : call;
}
