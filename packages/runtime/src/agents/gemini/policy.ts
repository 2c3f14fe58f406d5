import { join } from "node:path";
import type { LaunchOptions } from "../contract.ts";
import type { LaunchPart } from "../kit/launch-parts.ts";

type PolicyRule = {
  tools: readonly string[];
  decision: "deny" | "ask_user" | "allow";
  modes: readonly ("plan" | "default" | "autoEdit")[];
  priority: number;
  mcp?: true;
  args?: string;
  message?: string;
};

const edits = ["write_file", "replace"];
const commands = ["run_shell_command"];
/** Tools that a project's or user's own command supplies. */
const discovered = ["discovered_tool_*"];
const READ_ONLY = "Plan mode is read-only.";

/** A plan in Gemini's own folder, by its absolute path: a relative one could be a file of the project. */
const planFile = (depth: string) => `\\x00"file_path":"/[^"]+/\\.gemini/tmp/${depth}plans/[\\w-]+\\.md"\\x00`;

/**
 * The rules that hold against the user's and the project's policies and settings. They name what needs a decision; what
 * only reads is left to Gemini. Rules that ask or deny in the modes that work freely stay the user's.
 */
const rules: readonly PolicyRule[] = [
  {
    tools: [...edits, ...commands, ...discovered],
    decision: "deny",
    modes: ["plan"],
    priority: 900,
    message: READ_ONLY,
  },
  { tools: ["*"], mcp: true, decision: "deny", modes: ["plan"], priority: 900, message: READ_ONLY },
  ...["[\\w-]+/", "[\\w-]+/[\\w-]+/"].map(
    (depth): PolicyRule => ({ tools: edits, decision: "allow", modes: ["plan"], priority: 950, args: planFile(depth) }),
  ),
  { tools: ["activate_skill", "web_fetch"], decision: "ask_user", modes: ["plan", "default"], priority: 900 },
  { tools: edits, decision: "ask_user", modes: ["default"], priority: 900 },
  { tools: [...commands, ...discovered], decision: "ask_user", modes: ["default", "autoEdit"], priority: 900 },
  { tools: ["*"], mcp: true, decision: "ask_user", modes: ["default", "autoEdit"], priority: 900 },
];

/**
 * Pins the modes for one process, with a policy of the highest tier. Trusting the folder is part of it: otherwise Gemini
 * refuses the modes that work freely, and connects to no server. `inherit` leaves all of it to the user. A project with
 * code that the user has not trusted is not trusted in any mode.
 */
export function modePolicy({ mode, dir, project }: LaunchOptions): LaunchPart | undefined {
  const untrusted = project === "untrusted";
  if (mode === "inherit") return untrusted ? { env: { [TRUST]: "false" } } : undefined;
  return {
    args: ["--admin-policy", join(dir, FILE)],
    env: { [TRUST]: untrusted ? "false" : "true" },
    files: { [FILE]: rules.map(toToml).join("\n") },
  };
}

const FILE = "policy.toml";
const TRUST = "GEMINI_CLI_TRUST_WORKSPACE";

/** JSON strings and arrays of strings are valid TOML. */
function toToml({ tools, decision, modes, priority, mcp, args, message }: PolicyRule): string {
  const lines = [
    "[[rule]]",
    `toolName = ${JSON.stringify(tools.length === 1 ? tools[0] : tools)}`,
    ...(mcp ? ['mcpName = "*"'] : []),
    ...(args ? [`argsPattern = ${JSON.stringify(args)}`] : []),
    `decision = "${decision}"`,
    `priority = ${priority}`,
    `modes = ${JSON.stringify(modes)}`,
    ...(message ? [`denyMessage = ${JSON.stringify(message)}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
