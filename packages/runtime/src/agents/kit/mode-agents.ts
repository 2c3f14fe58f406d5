import { join } from "node:path";
import { type Kit, ladder, type Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../contract.ts";
import { instructionsFile, type LaunchPart, skillsFolder } from "./launch-parts.ts";

type Rule = "ask" | "allow" | "deny";
type Permissions = Record<string, Rule | Record<string, Rule>>;
type ModeAgent = { mode: "primary" | "subagent"; description: string; permission: Permissions; hidden?: true };

/**
 * For programs that implement modes as configurable agents, each with its permissions, and that accept further agents
 * at start.
 */
export type ModeAgents = {
  /** The agent name for a mode in the process with this id; `undefined` keeps the user's default agent. */
  agentOf(mode: Mode, uuid: string): string | undefined;
  /** Launch parts for one process: the configuration in its environment, and the files that it refers to. */
  kitParts(options: LaunchOptions): (LaunchPart | undefined)[];
};

/**
 * Defines one agent per mode, so that the mode can be switched in a running conversation. The configuration is passed
 * in the environment `variable`, on top of the user's and the project's. An agent's rules come after the general rules of
 * the configuration, and the last matching rule wins. No other configuration can name an agent of this process,
 * because the names contain the process's random id: so none can add rules after these. `denied` lists tools that the
 * channel does not report and that would block forever.
 */
export function modeAgents({ variable, denied = [] }: { variable: string; denied?: readonly string[] }): ModeAgents {
  return {
    agentOf: (mode, uuid) => (mode === "inherit" ? undefined : agentName(mode, uuid)),
    kitParts: ({ kit, dir, uuid, folders }) => [
      { env: { [variable]: JSON.stringify(configuration(kit, dir, uuid, denied, folders)) } },
      instructionsFile(kit, dir, () => ({})),
      skillsFolder(kit, dir, () => ({})),
    ],
  };
}

/** The instruction that such a program adds to each prompt of its built-in plan agent. */
export const PLAN_NOTE =
  "Plan mode is active: read and plan only. Tools that edit files or run commands are not available. End with the plan.";

/**
 * For probes: every start installs a package into the program's folder, and a command that ends meanwhile leaves its lock,
 * for which the next process with plugins waits a minute. A probe has no registry to install from, and stores locks in its
 * own scratch folder: a relative path is resolved against the working folder.
 */
export const WITHOUT_INSTALLATION = {
  XDG_STATE_HOME: "state",
  npm_config_registry: "http://127.0.0.1:9/",
  npm_config_fetch_retries: "0",
} as const;

/** The files that such a program writes into its folder of a project when it installs the packages that plugins need. */
export function packageFiles(folder: string): string[] {
  return [".gitignore", "package.json", "package-lock.json", "bun.lock"].map((name) => `${folder}/${name}`);
}

/** The name of a mode's agent without the part that differs between processes. */
export function modeAgentPrefix(mode: Exclude<Mode, "inherit">): string {
  return `gantry-${mode}`;
}

function agentName(mode: Exclude<Mode, "inherit">, uuid: string): string {
  return `${modeAgentPrefix(mode)}-${uuid.slice(0, 8)}`;
}

/** Rules by mode for edits, commands, and everything that is neither reading nor one of these. */
const rungs: Record<Exclude<Mode, "inherit">, { description: string; edit: Rule; bash: Rule; other: Rule }> = {
  plan: { description: "Reads and plans, changes nothing", edit: "deny", bash: "deny", other: "deny" },
  ask: { description: "Asks before every edit and command", edit: "ask", bash: "ask", other: "ask" },
  "auto-edit": { description: "Edits freely, asks before commands", edit: "allow", bash: "ask", other: "ask" },
  "full-auto": { description: "Never asks", edit: "allow", bash: "allow", other: "allow" },
};

const reading = ["read", "grep", "glob", "list", "lsp", "todoread", "todowrite", "skill"];
const secrets: Record<string, Rule> = { "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" };

/** The rules of a mode. `helper` is its subagent: those of the user have the user's permissions, so they follow `other`. */
function permissionsOf(
  mode: Exclude<Mode, "inherit">,
  helper: string | undefined,
  denied: readonly string[],
  folders: readonly string[],
): Permissions {
  const { edit, bash, other } = rungs[mode];
  const network: Rule = mode === "full-auto" ? "allow" : "ask";
  const read: Permissions = mode === "full-auto" ? {} : { read: { "*": "allow", ...secrets } };
  return {
    // The first rule is the default: the last matching one wins.
    "*": other,
    ...Object.fromEntries(reading.map((tool) => [tool, "allow" as const])),
    ...read,
    edit,
    bash,
    webfetch: network,
    websearch: network,
    external_directory: folders.length > 0 ? { "*": network, ...folderRules(folders) } : network,
    doom_loop: network,
    task: helper ? { "*": other, [helper]: "allow" } : "deny",
    ...Object.fromEntries(["question", "plan_enter", "plan_exit", ...denied].map((tool) => [tool, "deny" as const])),
  };
}

/** Access to the session's further folders needs no approval. Edits in them follow the rule for edits. */
function folderRules(folders: readonly string[]): Record<string, Rule> {
  return Object.fromEntries(
    folders.flatMap((folder) => [[folder, "allow"] as const, [`${folder}/*`, "allow"] as const]),
  );
}

/** The tools of the kit's servers follow the rule for operations that are neither edits nor commands. */
function configuration(
  kit: Kit | undefined,
  dir: string,
  uuid: string,
  denied: readonly string[],
  folders: readonly string[] = [],
): Record<string, unknown> {
  const agents = ladder.flatMap((mode): [string, ModeAgent][] => {
    const { description } = rungs[mode];
    const name = agentName(mode, uuid);
    const helper = `${name}-helper`;
    const task = "Researches questions and carries out parts of a task";
    return [
      [name, { mode: "primary", description, permission: permissionsOf(mode, helper, denied, folders) }],
      [helper, { mode: "subagent", description: task, permission: permissionsOf(mode, undefined, denied, folders) }],
    ];
  });
  return {
    agent: Object.fromEntries(agents),
    ...(denied.length > 0 ? { permission: Object.fromEntries(denied.map((tool) => [tool, "deny"])) } : {}),
    ...(kit?.instructions ? { instructions: [join(dir, "instructions.md")] } : {}),
    ...(kit?.skills.length ? { skills: { paths: [join(dir, "skills")] } } : {}),
  };
}
