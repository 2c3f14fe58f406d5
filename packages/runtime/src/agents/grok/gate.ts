import { join } from "node:path";
import type { LaunchOptions } from "../contract.ts";
import type { LaunchPart } from "../kit/launch-parts.ts";

/** Tools that only read, or that ask the user themselves. */
const reading = [
  ...["read_file", "list_dir", "grep", "web_search", "search_tool", "todo_write"],
  ...["get_command_or_subagent_output", "wait_commands_or_subagents", "kill_command_or_subagent", "scheduler_list"],
  ...["enter_plan_mode", "exit_plan_mode", "ask_user_question"],
];
/** In its plan mode Grok itself refuses edits, except of its plan file. */
const editing = ["write", "search_replace"];

const PROFILE = "grok-agent.md";
const SCRIPT = "grok-gate.sh";

/**
 * Pins the modes for one process. Grok's own settings can allow tools or everything, and only a hook's decision wins over
 * them, in subagents too. The hook belongs to an agent profile that is passed at start; a profile of the user's settings
 * does not replace it. In auto-edit Grok approves everything that the hook does not ask about. Full-auto needs no hook,
 * and `inherit` leaves the user's settings alone.
 */
export function modeGate({ mode, dir }: LaunchOptions): LaunchPart | undefined {
  if (mode === "inherit" || mode === "full-auto") return undefined;
  const free = mode === "auto-edit" ? [...reading, ...editing] : reading;
  return {
    args: ["--agent-profile", join(dir, PROFILE)],
    files: { [PROFILE]: profile(join(dir, SCRIPT)), [SCRIPT]: script(free) },
  };
}

/** Grok waits this long for the hook and then runs the tool; the hook takes milliseconds. */
const HOOK_SECONDS = 120;

function profile(script: string): string {
  const command = `sh '${script.replaceAll("'", `'\\''`)}'`;
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", command, timeout: HOOK_SECONDS }] }] };
  // JSON is valid YAML.
  return `---\nname: gantry\ndescription: Grok with the mode of a Gantry session\nhooks: ${JSON.stringify(hooks)}\n---\n`;
}

/**
 * Decides by an allow list. It looks only at the part of the event before the tool's input, which the model writes; an
 * event in another format is asked about.
 */
function script(free: readonly string[]): string {
  return `event=$(cat)
head=\${event%%'"toolInput"'*}
case $head in
${patterns(free)}) exit 0 ;;
esac
case $head in
*'"permissionMode":"plan"'*)
  case $head in
  ${patterns(editing)}) exit 0 ;;
  esac
  echo '{"decision":"deny","reason":"This session is in plan mode: only reading is allowed."}' ;;
*) echo '{"decision":"ask","reason":"The mode of this session"}' ;;
esac
`;
}

function patterns(tools: readonly string[]): string {
  return tools.map((tool) => `*'"toolName":"${tool}"'*`).join("|");
}
