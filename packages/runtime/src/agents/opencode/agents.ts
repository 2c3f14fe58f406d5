import { join } from "node:path";
import type { Kit, Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../contract.ts";
import { instructionsFile, type Part, skillsFolder } from "../kit/parts.ts";

type Rule = "ask" | "allow";
type Permissions = Record<"edit" | "bash" | "webfetch" | "external_directory" | "doom_loop", Rule>;

/**
 * What OpenCode may do is part of an agent of its own, and agents can be changed in a running conversation. So each
 * rung is one, given to the process in its environment, on top of the user's own configuration.
 */
const rungs: Partial<Record<Mode, { description: string; permission: Permissions }>> = {
  ask: { description: "Asks before every edit and command", permission: rules("ask", "ask", "ask") },
  "auto-edit": { description: "Edits freely, asks before commands", permission: rules("allow", "ask", "ask") },
  "full-auto": { description: "Never asks", permission: rules("allow", "allow", "allow") },
};

function rules(edit: Rule, bash: Rule, other: Rule): Permissions {
  return { edit, bash, webfetch: other, external_directory: other, doom_loop: other };
}

/** The agents and what a kit holds, for one process: configuration in its environment, and the files that it names. */
export function kitParts({ kit, dir }: LaunchOptions): (Part | undefined)[] {
  return [{ env: environment(kit, dir) }, instructionsFile(kit, dir, () => ({})), skillsFolder(kit, dir, () => ({}))];
}

/** The tools of the kit's servers are asked for like everything else that is neither an edit nor a command. */
function environment(kit: Kit | undefined, dir: string): Record<string, string> {
  const servers = kit?.servers ?? [];
  const named = Object.entries(rungs).map(([rung, { description, permission }]) => {
    const tools = Object.fromEntries(servers.map(({ name }) => [`${name}_*`, permission.webfetch]));
    return [`gantry-${rung}`, { mode: "primary", description, permission: { ...permission, ...tools } }];
  });
  const content = {
    agent: Object.fromEntries(named),
    ...(kit?.instructions ? { instructions: [join(dir, "instructions.md")] } : {}),
    ...(kit?.skills.length ? { skills: { paths: [join(dir, "skills")] } } : {}),
  };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) };
}

/** The agent that is the rung; `undefined` leaves the user's own. */
export function agentOf(mode: Mode): string | undefined {
  if (mode === "plan") return "plan";
  return rungs[mode] ? `gantry-${mode}` : undefined;
}
