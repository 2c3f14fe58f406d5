import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Problem } from "@gantry/protocol";
import type { Agent } from "../contract.ts";
import type { PackageProgram } from "../probing/probe-types.ts";
import { type Environment, pathWith } from "./environment.ts";
import { type BinarySearch, type Candidate, findBinary, findSpecified, isPath } from "./find-binary.ts";
import { findPackage } from "./find-package.ts";
import type { LoginShell } from "./login-shell.ts";

/** An agent as configured on this machine: built in, or with a local profile's command and environment. */
export type AgentEntry = {
  agent: Agent;
  /** Replaces the search for the program; `source` is the profile file. */
  own?: OwnCommand;
  env: Record<string, string>;
  /**
   * For local profiles: what distinguishes its account from that of the base. One object as long as the file is
   * unchanged.
   */
  profile?: { env: Readonly<Record<string, string>>; hasProgram: boolean };
};

/** A program from a package, installed into a folder of Gantry. */
export type PackagedProgram = { folder: string; name: string };

/** `program` is the installed package that runs instead of the program in `command`, with `args`. */
type OwnCommand = { command: string[]; source: string; program?: PackagedProgram; args?: string[] };

export type Installed = {
  state: "installed";
  command: string[];
  path: string;
  how: string;
  /** Extra environment of its processes. */
  env: Record<string, string>;
  /** Changes when the program is replaced or its command changes. */
  fingerprint: string;
};

export type NotInstalled = { state: "missing" | "broken"; path?: string; problem: Problem };

/** The descriptor that applies on this machine, and its location. */
export type Located = { entry: AgentEntry; location: Installed | NotInstalled };

/** Locates an agent's program, or that of its other descriptor, without running it. Never throws. */
export async function locateAgent(entry: AgentEntry, env: Environment, shell: LoginShell): Promise<Located> {
  const { agent, own } = entry;
  const { otherwise } = agent;
  if (!otherwise || own) return { entry, location: await locate(entry, env, shell) };
  const other = { ...entry, agent: otherwise };
  const isSet = ({ find }: Agent) => Boolean(env[find.env]);
  if (isSet(otherwise) && !isSet(agent)) return { entry: other, location: await locate(other, env, shell) };
  const location = await locate(entry, env, shell);
  if (location.state === "installed" || isSet(agent)) return { entry, location };
  const second = await locate(other, env, shell);
  return second.state === "installed" ? { entry: other, location: second } : { entry, location };
}

async function locate(entry: AgentEntry, env: Environment, shell: LoginShell): Promise<Installed | NotInstalled> {
  const { agent, own } = entry;
  if (agent.find.package) return locatePackage(entry, agent.find.package, env, shell);
  if (own?.program) return locateInstalled(entry, own.program, own.args ?? [], env);
  if (own) return locateCommand(entry, own, env, shell);
  if (agent.builtin && !env[agent.find.env]) {
    return describeInstalled(entry, agent.builtin.command, "built in", entry.env);
  }
  const finding = await findBinary(agent.find, env, shell);
  if (finding.found) return installedAt(entry, finding.found, [], env);
  return describeAbsent(agent, finding);
}

async function locatePackage(
  entry: AgentEntry,
  { name, command }: PackageProgram,
  env: Environment,
  shell: LoginShell,
): Promise<Installed | NotInstalled> {
  const { agent, own } = entry;
  const variable = agent.find.env;
  const { found, override } = await findPackage({ name, override: own?.command[0] ?? env[variable] }, env, shell);
  if (found) {
    const program = command(found.folder);
    return { ...(await describeInstalled(entry, program, found.how, entry.env)), path: found.folder };
  }
  if (override === undefined) return describeAbsent(agent, { considered: [] });
  const message = `${own ? `"command" in ${own.source}` : variable} names ${override}, which does not contain ${name}.`;
  const fix = own
    ? `Correct ${own.source}.`
    : `Set ${variable} to the folder of ${name} or unset it, then restart the daemon.`;
  return { state: "broken", path: override, problem: { code: "override_invalid", message, fix } };
}

/** Locates a profile's command: a path is used directly, a name is searched like an agent's program. */
async function locateCommand(
  entry: AgentEntry,
  { command, source }: OwnCommand,
  env: Environment,
  shell: LoginShell,
): Promise<Installed | NotInstalled> {
  const [program = "", ...args] = command;
  const finding = isPath(program)
    ? await findSpecified(program, env)
    : await findBinary({ bin: [program], env: "" }, env, shell);
  if (finding.found) return installedAt(entry, { ...finding.found, how: "profile" }, args, env);
  const verdict = finding.override?.verdict ?? "absent";
  return {
    state: isPath(program) ? "broken" : "missing",
    path: finding.override?.path,
    problem: {
      code: "command_not_found",
      message: `The profile's command ${program} cannot be started: it is ${verdict}.`,
      fix: `Correct "command" in ${source}, or install ${program}.`,
    },
  };
}

/** Locates the program of a package that was installed for a profile, by the `bin` of its `package.json`. */
async function locateInstalled(
  entry: AgentEntry,
  { folder, name }: PackagedProgram,
  args: string[],
  env: Environment,
): Promise<Installed | NotInstalled> {
  const at = join(folder, "node_modules", name);
  const bin = binOf(name, await readFile(join(at, "package.json"), "utf8").catch(() => ""));
  const finding = bin ? await findSpecified(join(at, bin), env) : undefined;
  if (finding?.found) return installedAt(entry, { ...finding.found, how: "profile" }, args, env);
  return describeAbsent(entry.agent, { considered: [] });
}

/** The program that `npx` would start: the only one, or the one with the name of the package. */
function binOf(name: string, text: string): string | undefined {
  try {
    const { bin } = JSON.parse(text) as { bin?: unknown };
    if (typeof bin === "string") return bin;
    const all = Object.entries(bin ?? {}) as [string, unknown][];
    const own = all.find(([key]) => key === basename(name)) ?? (all.length === 1 ? all[0] : undefined);
    return typeof own?.[1] === "string" ? own[1] : undefined;
  } catch {
    return undefined;
  }
}

function installedAt(
  entry: AgentEntry,
  found: { path: string; how: string },
  args: string[],
  env: Environment,
): Promise<Installed> {
  const path = entry.env.PATH ?? env.PATH;
  const reachable = pathWith(path, dirname(found.path));
  const more = reachable === path ? entry.env : { ...entry.env, PATH: reachable };
  return describeInstalled(entry, [found.path, ...args], found.how, more);
}

async function describeInstalled(
  entry: AgentEntry,
  command: string[],
  how: string,
  env: Record<string, string>,
): Promise<Installed> {
  const files = await Promise.all(command.filter((part) => isAbsolute(part)).map(stamp));
  const fingerprint = digest([command, files, entry.env]);
  return { state: "installed", command, path: command[0] ?? "", how, env: { ...entry.agent.env, ...env }, fingerprint };
}

/** Hashed, because the fingerprint is stored on disk and a profile's environment may contain keys. */
function digest(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

async function stamp(path: string): Promise<string> {
  const there = await stat(path).catch(() => undefined);
  return there ? `${there.mtimeMs}:${there.size}` : "absent";
}

function describeAbsent(agent: Agent, { override, considered }: BinarySearch): NotInstalled {
  if (override) return { state: "broken", path: override.path, problem: brokenOverride(agent, override) };
  const unusable = considered.find(({ verdict }) => verdict === "not executable" || verdict === "a link to nothing");
  if (unusable) return { state: "broken", path: unusable.path, problem: brokenProgram(agent, unusable) };
  const places = new Set(considered.map(({ how }) => how));
  const where = places.size > 0 ? ` Searched: ${[...places].join(", ")}.` : "";
  return {
    state: "missing",
    problem: {
      code: "not_installed",
      message: `${agent.name} is not installed.${where}`,
      fix: `Install it: ${agent.install.command}${agent.otherwise ? ` (or: ${agent.otherwise.install.command})` : ""}`,
    },
  };
}

function brokenOverride(agent: Agent, { path, verdict }: Candidate): Problem {
  const flaw = verdict === "absent" ? "which does not exist" : `which is ${verdict}`;
  return {
    code: "override_invalid",
    message: `${agent.find.env} names ${path}, ${flaw}.`,
    fix: `Set ${agent.find.env} to ${agent.name}'s program or unset it, then restart the daemon.`,
  };
}

function brokenProgram(agent: Agent, { path, verdict }: Candidate): Problem {
  const fix = verdict === "not executable" ? `chmod +x ${path}` : `Reinstall it: ${agent.install.command}`;
  return { code: "program_unusable", message: `${path} is ${verdict}.`, fix };
}
