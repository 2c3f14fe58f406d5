import { join } from "node:path";
import type { Kit, Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../contract.ts";
import { instructionsFile, type LaunchPart, skillsFolder } from "./launch-parts.ts";

type Rule = "ask" | "allow";
type Permissions = Record<"edit" | "bash" | "webfetch" | "external_directory" | "doom_loop", Rule>;

/**
 * For programs that implement modes as configurable agents, each with its permissions, and that accept further agents
 * at start.
 */
export type ModeAgents = {
  /** The agent name for a mode; `undefined` keeps the user's default agent. */
  agentOf(mode: Mode): string | undefined;
  /** Launch parts for one process: the configuration in its environment, and the files that it refers to. */
  kitParts(options: LaunchOptions): (LaunchPart | undefined)[];
};

/**
 * Defines one agent per mode, so that the mode can be switched in a running conversation. The configuration is passed
 * in the environment `variable`, on top of the user's. `denied` lists tools that the channel does not report and that
 * would block forever.
 */
export function modeAgents({ variable, denied = [] }: { variable: string; denied?: readonly string[] }): ModeAgents {
  return {
    agentOf(mode) {
      if (mode === "plan") return "plan";
      return rungs[mode] ? `gantry-${mode}` : undefined;
    },
    kitParts: ({ kit, dir }) => [
      { env: { [variable]: JSON.stringify(configuration(kit, dir, denied)) } },
      instructionsFile(kit, dir, () => ({})),
      skillsFolder(kit, dir, () => ({})),
    ],
  };
}

const rungs: Partial<Record<Mode, { description: string; permission: Permissions }>> = {
  ask: { description: "Asks before every edit and command", permission: rules("ask", "ask", "ask") },
  "auto-edit": { description: "Edits freely, asks before commands", permission: rules("allow", "ask", "ask") },
  "full-auto": { description: "Never asks", permission: rules("allow", "allow", "allow") },
};

function rules(edit: Rule, bash: Rule, other: Rule): Permissions {
  return { edit, bash, webfetch: other, external_directory: other, doom_loop: other };
}

/** Tools of the kit's servers follow the rule for operations that are neither edits nor commands. */
function configuration(kit: Kit | undefined, dir: string, denied: readonly string[]): Record<string, unknown> {
  const servers = kit?.servers ?? [];
  const never = Object.fromEntries(denied.map((tool) => [tool, "deny"]));
  const named = Object.entries(rungs).map(([rung, { description, permission }]) => {
    const tools = Object.fromEntries(servers.map(({ name }) => [`${name}_*`, permission.webfetch]));
    return [`gantry-${rung}`, { mode: "primary", description, permission: { ...permission, ...tools, ...never } }];
  });
  return {
    agent: Object.fromEntries(named),
    ...(denied.length > 0 ? { permission: never } : {}),
    ...(kit?.instructions ? { instructions: [join(dir, "instructions.md")] } : {}),
    ...(kit?.skills.length ? { skills: { paths: [join(dir, "skills")] } } : {}),
  };
}
