import { join } from "node:path";
import type { Kit, Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../contract.ts";
import { instructionsFile, type Part, skillsFolder } from "./parts.ts";

type Rule = "ask" | "allow";
type Permissions = Record<"edit" | "bash" | "webfetch" | "external_directory" | "doom_loop", Rule>;

/** Programs whose modes are agents of their own, each with what it may do, and that take more of them when they start. */
export type RungAgents = {
  /** The agent that is the rung; `undefined` leaves the user's own. */
  agentOf(mode: Mode): string | undefined;
  /** The agents and what a kit holds, for one process: configuration in its environment, and the files that it names. */
  kitParts(options: LaunchOptions): (Part | undefined)[];
};

/**
 * Such an agent can be changed in a running conversation. So each rung is one, given to the process in its environment,
 * on top of the user's own configuration. `variable` takes the configuration; `denied` are tools of which nothing is
 * heard over the channel, so that they would wait forever.
 */
export function rungAgents({ variable, denied = [] }: { variable: string; denied?: readonly string[] }): RungAgents {
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

/** The tools of the kit's servers are asked for like everything else that is neither an edit nor a command. */
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
