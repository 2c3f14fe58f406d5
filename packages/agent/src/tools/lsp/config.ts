import { existsSync, globSync } from "node:fs";
import { basename, delimiter, extname, isAbsolute, join } from "node:path";
import { once } from "@gantry/models";
import { readRegularFile } from "@gantry/trust";
import { z } from "zod";
import { isInside, isProgram } from "../../permissions/paths.ts";
import { realPath } from "../../trust/project-paths.ts";
import type { ConfigCommands, ProjectTrust } from "../../trust/project-trust.ts";
import { BUILT_IN, READS_ONLY, type ServerConfig } from "./servers.ts";

/** `confined`: it may load the project's own code, so until the folder is trusted it does not run without a sandbox. */
export type FoundServer = ServerConfig & { name: string; resolvedCommand: string; confined: boolean };
/** A server that runs only after the user has trusted the project. `why` names the program or command. */
export type UntrustedServer = { name: string; fileTypes: string[]; why: string };
export type LspConfig = {
  servers: FoundServer[];
  untrusted: UntrustedServer[];
  idleTimeoutMs?: number;
  problems: string[];
};
export type LspPlaces = { home: string; agentDir: string; cwd: string; path: string; trust: ProjectTrust };
/** `byUser`: the user's own file names the program. */
type Entry = Partial<ServerConfig> & { byUser?: boolean };

const partial = once(() =>
  z
    .object({
      command: z.string(),
      args: z.array(z.string()),
      fileTypes: z.array(z.string()),
      rootMarkers: z.array(z.string()),
      initOptions: z.record(z.string(), z.unknown()),
      settings: z.record(z.string(), z.unknown()),
      disabled: z.boolean(),
      isLinter: z.boolean(),
      warmupTimeoutMs: z.number(),
      capabilities: z.record(z.string(), z.boolean()),
    })
    .partial(),
);

const NAMES = ["lsp.json", ".lsp.json", "lsp.yaml", ".lsp.yaml", "lsp.yml", ".lsp.yml"];
const LONGEST_LINE = 200;
const MOST_BYTES = 1024 * 1024;
const LOCAL_BINS = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin", "bin"];

/**
 * The servers of a project: the built-in ones, changed by the user's files and then by the project's. A server counts if
 * the project has one of its markers and its program exists. A file of the project counts only if its whole content is
 * trusted, because arguments, options and settings can run code as well as a command can. Never rejects: mistakes in
 * files are reported in `problems`.
 */
export async function readLspConfig(places: LspPlaces): Promise<LspConfig> {
  const config: LspConfig = { servers: [], untrusted: [], problems: [] };
  const servers: Record<string, Entry> = { ...BUILT_IN };
  for (const { file, ofProject } of files(places)) {
    const { idle, entries, isTrusted } = await readFile(file, config.problems, places.trust);
    if (ofProject && !isTrusted) {
      config.untrusted.push(...Object.entries(entries).flatMap(([name, entry]) => refuse(file, name, entry, servers)));
      continue;
    }
    if (idle !== undefined) config.idleTimeoutMs = idle;
    for (const [name, entry] of Object.entries(entries)) {
      const byUser = !ofProject && entry.command !== undefined;
      servers[name] = { ...servers[name], ...entry, ...(byUser && { byUser }) };
    }
  }
  for (const [name, entry] of Object.entries(servers)) addUsable(config, name, entry, places);
  return config;
}

/** The files of the project that could name language servers, with their command lines. Never rejects. */
export async function projectLspCommands(places: LspPlaces): Promise<ConfigCommands[]> {
  const ofProject = files(places).filter((each) => each.ofProject);
  const read = ofProject.map(async ({ file }) => ({ file, ...(await readFile(file, [], places.trust)) }));
  return (await Promise.all(read)).map(({ file, entries }) => {
    const commands = commandsOf(entries);
    return { file, commands, texts: commands.map(({ line }) => line) };
  });
}

function commandsOf(entries: Record<string, Entry>): ConfigCommands["commands"] {
  return Object.entries(entries).map(([name, { command = BUILT_IN[name]?.command ?? "", args = [] }]) => ({
    name,
    line: [command, ...args].join(" "),
  }));
}

/** Whether the server handles this file. */
export function handlesFile(server: { fileTypes: string[] }, path: string): boolean {
  const [type, name] = [extname(path), basename(path)];
  return server.fileTypes.some((wanted) => wanted === type || wanted === name || wanted === type.slice(1));
}

/** In order of precedence, lowest first. A file of the user that lies in the project counts as the project's. */
function files({ home, agentDir, cwd, trust }: LspPlaces): { file: string; ofProject: boolean }[] {
  const findConfigs = (folder: string) => NAMES.map((name) => join(folder, name)).filter((file) => existsSync(file));
  const ofProject = [join(cwd, ".gemini"), join(cwd, ".gantry"), cwd].flatMap(findConfigs);
  const ofUser = [home, join(home, ".gemini"), agentDir]
    .flatMap(findConfigs)
    .filter((file) => !ofProject.includes(file));
  const ownFolder = realPath(agentDir);
  const isSupplied = (file: string) => trust.isProjectPath(file) && !isInside(realPath(file), [ownFolder]);
  return [
    ...ofUser.map((file) => ({ file, ofProject: isSupplied(file) })),
    ...ofProject.map((file) => ({ file, ofProject: true })),
  ];
}

function refuse(file: string, name: string, entry: Entry, known: Record<string, Entry>): UntrustedServer[] {
  if (entry.disabled) return [];
  const { command, args = [], fileTypes = [] } = { ...known[name], ...entry };
  const line = JSON.stringify([command ?? "", ...args].join(" ").slice(0, LONGEST_LINE));
  return [{ name, fileTypes, why: `${file} wants to run ${line}` }];
}

async function readFile(
  file: string,
  problems: string[],
  trust: ProjectTrust,
): Promise<{ idle?: number; entries: Record<string, Partial<ServerConfig>>; isTrusted: boolean }> {
  const entries: Record<string, Partial<ServerConfig>> = {};
  let isTrusted = false;
  try {
    const bytes = readRegularFile(file, MOST_BYTES);
    const text = bytes.toString("utf8");
    const data: unknown = file.endsWith(".json") ? JSON.parse(text) : (await import("yaml")).parse(text);
    const whole = z.record(z.string(), z.unknown()).parse(data ?? {});
    const { idleTimeoutMs, servers, ...flat } = whole;
    for (const [name, value] of Object.entries({ ...flat, ...(servers as Record<string, unknown> | undefined) })) {
      const parsed = partial().safeParse(value);
      if (parsed.success) entries[name] = parsed.data;
      else problems.push(`${file}: ${name}: ${z.prettifyError(parsed.error)}`);
    }
    isTrusted = trust.isContentTrusted(
      file,
      bytes,
      commandsOf(entries).map(({ line }) => line),
    );
    return { entries, isTrusted, ...(typeof idleTimeoutMs === "number" && { idle: idleTimeoutMs }) };
  } catch (error) {
    problems.push(`${file}: ${error instanceof Error ? error.message : error}`);
    return { entries, isTrusted };
  }
}

function addUsable(config: LspConfig, name: string, { byUser, ...entry }: Entry, places: LspPlaces): void {
  const { command, fileTypes, rootMarkers, disabled } = entry;
  if (disabled) return;
  if (command === undefined || fileTypes === undefined || rootMarkers === undefined) {
    config.problems.push(`${name}: a server that is not built in needs command, fileTypes and rootMarkers.`);
    return;
  }
  if (!rootMarkers.some((marker) => isThere(marker, places.cwd))) return;
  const { program, untrusted } = findProgram(command, places);
  if (program !== undefined) {
    const confined = !byUser && !READS_ONLY.has(name) && !places.trust.isFolderTrusted();
    config.servers.push({ ...entry, command, fileTypes, rootMarkers, name, resolvedCommand: program, confined });
  } else if (untrusted !== undefined) {
    config.untrusted.push({ name, fileTypes, why: `the project supplies the program ${untrusted}` });
  }
}

function isThere(marker: string, cwd: string): boolean {
  return /[*?[]/.test(marker) ? globSync(marker, { cwd }).length > 0 : existsSync(join(cwd, marker));
}

/** Searches the project's own folders first. A program of the project that is not trusted is skipped. */
function findProgram(command: string, { cwd, path, trust }: LspPlaces): { program?: string; untrusted?: string } {
  // Entries of PATH in the project are included here, so that a refused program can be named.
  const local = LOCAL_BINS.map((folder) => join(cwd, folder)).filter((folder) => trust.isProjectPath(folder));
  const folders = [...local, ...path.split(delimiter).filter((entry) => isAbsolute(entry))];
  const candidates = isAbsolute(command) ? [command] : folders.map((folder) => join(folder, command));
  const programs = candidates.filter(isProgram);
  const program = programs.find((each) => trust.isProgramTrusted(each));
  return program === undefined ? { untrusted: programs[0] } : { program };
}
