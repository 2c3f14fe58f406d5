import { join } from "node:path";
import type { AvailableAgent } from "@gantry/protocol";
import type { Agent } from "../contract.ts";
import type { PackagedProgram } from "../finding/locate.ts";
import { type ListedAgent, listedAgents } from "./listed-agents.ts";

/** Characters that a shell takes literally. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** The command that starts the agent: the registry's, with the exact version. */
export function listedCommand({ npm, uv, program, version, args = [] }: ListedAgent): string[] {
  if (npm) return ["npx", "-y", `${npm}@${version}`, ...args];
  return uv ? ["uvx", `${uv}==${version}`, ...args] : [program ?? "", ...args];
}

/** The text of a local profile for the agent. JSON values are valid YAML. */
export function listedProfile(listed: ListedAgent): string {
  const lines = [
    `# ${listed.description}. ${listed.website}`,
    `id: ${listed.id}`,
    `name: ${JSON.stringify(listed.name)}`,
    "extends: acp",
    `command: ${JSON.stringify(listedCommand(listed))}`,
    ...(listed.env ? [`env: ${JSON.stringify(listed.env)}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * The package behind a listed agent's profile, and the command that installs it; `undefined` for other profiles and for
 * one whose command a person changed. `home` is `GANTRY_HOME`.
 */
export function packageOf(
  home: string,
  profile: { id: string; command?: readonly string[] },
): { program: PackagedProgram; args: string[]; install: Agent["install"] } | undefined {
  const listed = listedAgents.find(({ id }) => id === profile.id);
  const [npx, yes, spec = "", ...args] = profile.command ?? [];
  const [, name = "", version] = /^(@?[^@]+)@(\d[\w.+-]*)$/.exec(spec) ?? [];
  if (!listed?.npm || npx !== "npx" || yes !== "-y" || name !== listed.npm || !version) return undefined;
  const folder = programFolder(home, listed.id);
  const command = `npm install --prefix ${quote(folder)} --no-audit --no-fund ${spec}`;
  return { program: { folder, name }, args, install: { npm: name, command } };
}

/** The folder with the installed package of a profile. */
export function programFolder(home: string, id: string): string {
  return join(home, "programs", id);
}

/** The listed agents as clients show them. `hasProfile`: whether one was added. */
export function availableAgents(home: string, hasProfile: (id: string) => boolean): AvailableAgent[] {
  return listedAgents.map((listed) => {
    const { id, name, version, description, license, website, builtIn, npm, uv } = listed;
    const from = npm ? "npm" : uv ? "uv" : "website";
    const packaged = packageOf(home, { id, command: listedCommand(listed) });
    const install = packaged?.install.command ?? (uv ? `uvx ${uv}==${version} --help` : undefined);
    return {
      ...{ id, name, version, description, license, website, from, added: hasProfile(id) },
      ...(install ? { install } : {}),
      ...(builtIn ? { builtIn } : {}),
      profile: listedProfile(listed),
    };
  });
}

function quote(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
