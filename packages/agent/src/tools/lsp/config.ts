import { accessSync, constants, existsSync, globSync, readFileSync } from "node:fs";
import { basename, delimiter, extname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { BUILT_IN, type ServerConfig } from "./servers.ts";

/** A server that can be started here. */
export type FoundServer = ServerConfig & { name: string; resolvedCommand: string };
export type LspConfig = { servers: FoundServer[]; idleTimeoutMs?: number; problems: string[] };
export type LspPlaces = { home: string; agentDir: string; cwd: string; path: string };

const partial = z
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
  .partial();

const NAMES = ["lsp.json", ".lsp.json", "lsp.yaml", ".lsp.yaml", "lsp.yml", ".lsp.yml"];
const LOCAL_BINS = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin", "bin"];

/**
 * Which servers belong to a project: the built-in ones with what the files say on top, the later file winning, as far as
 * the project has one of their markers and their program is there. Never rejects; what is wrong is told.
 */
export async function readLspConfig(places: LspPlaces): Promise<LspConfig> {
  const problems: string[] = [];
  const servers: Record<string, Partial<ServerConfig>> = { ...BUILT_IN };
  let idleTimeoutMs: number | undefined;
  for (const file of files(places)) {
    const { idle, entries } = await readFile(file, problems);
    if (idle !== undefined) idleTimeoutMs = idle;
    for (const [name, entry] of Object.entries(entries)) servers[name] = { ...servers[name], ...entry };
  }
  const found = Object.entries(servers).flatMap(([name, config]) => usable(name, config, places, problems));
  return { servers: found, problems, ...(idleTimeoutMs !== undefined && { idleTimeoutMs }) };
}

/** Does the server look after this file? */
export function handles(server: { fileTypes: string[] }, path: string): boolean {
  const [type, name] = [extname(path), basename(path)];
  return server.fileTypes.some((wanted) => wanted === type || wanted === name || wanted === type.slice(1));
}

function files({ home, agentDir, cwd }: LspPlaces): string[] {
  const folders = [home, join(home, ".gemini"), agentDir, join(cwd, ".gemini"), join(cwd, ".gantry"), cwd];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).filter((file) => existsSync(file));
}

async function readFile(
  file: string,
  problems: string[],
): Promise<{ idle?: number; entries: Record<string, Partial<ServerConfig>> }> {
  const entries: Record<string, Partial<ServerConfig>> = {};
  try {
    const text = readFileSync(file, "utf8");
    const data: unknown = file.endsWith(".json") ? JSON.parse(text) : (await import("yaml")).parse(text);
    const whole = z.record(z.string(), z.unknown()).parse(data ?? {});
    const { idleTimeoutMs, servers, ...flat } = whole;
    for (const [name, value] of Object.entries({ ...flat, ...(servers as Record<string, unknown> | undefined) })) {
      const parsed = partial.safeParse(value);
      if (parsed.success) entries[name] = parsed.data;
      else problems.push(`${file}: ${name}: ${z.prettifyError(parsed.error)}`);
    }
    return { entries, ...(typeof idleTimeoutMs === "number" && { idle: idleTimeoutMs }) };
  } catch (error) {
    problems.push(`${file}: ${error instanceof Error ? error.message : error}`);
    return { entries };
  }
}

function usable(name: string, config: Partial<ServerConfig>, places: LspPlaces, problems: string[]): FoundServer[] {
  const { command, fileTypes, rootMarkers, disabled } = config;
  if (disabled) return [];
  if (command === undefined || fileTypes === undefined || rootMarkers === undefined) {
    problems.push(`${name}: a server of one's own needs command, fileTypes and rootMarkers.`);
    return [];
  }
  if (!rootMarkers.some((marker) => isThere(marker, places.cwd))) return [];
  const resolvedCommand = findProgram(command, places);
  return resolvedCommand ? [{ ...config, command, fileTypes, rootMarkers, name, resolvedCommand }] : [];
}

function isThere(marker: string, cwd: string): boolean {
  return /[*?[]/.test(marker) ? globSync(marker, { cwd }).length > 0 : existsSync(join(cwd, marker));
}

/** In the project's own folders first. */
function findProgram(command: string, { cwd, path }: LspPlaces): string | undefined {
  if (isAbsolute(command)) return isProgram(command) ? command : undefined;
  const folders = [...LOCAL_BINS.map((folder) => join(cwd, folder)), ...path.split(delimiter).filter(Boolean)];
  return folders.map((folder) => join(folder, command)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
