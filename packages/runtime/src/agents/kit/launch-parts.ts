import { join } from "node:path";
import type { Kit, McpServer } from "@gantry/protocol";
import type { Launch, LaunchOptions } from "../contract.ts";

/** A partial launch. `mergeLaunch` combines several. */
export type LaunchPart = Partial<Launch>;

/** Merges partial launches; later values win. */
export function mergeLaunch(...parts: readonly (LaunchPart | undefined)[]): Launch {
  const all = parts.flatMap((part) => part ?? []);
  return {
    args: all.flatMap(({ args }) => args ?? []),
    ...mergeRecords("env", all),
    ...mergeRecords("files", all),
    ...mergeRecords("links", all),
    ...mergeRecords("overlays", all),
  };
}

/** Passes further folders with one option for each. */
export function folderArguments(option: string, { folders = [] }: Pick<LaunchOptions, "folders">): LaunchPart {
  return { args: folders.flatMap((folder) => [option, folder]) };
}

/**
 * Writes the kit's instructions to a file and adds the launch part that `use` derives from its path. `undefined`
 * without instructions.
 */
export function instructionsFile(
  kit: Kit | undefined,
  dir: string,
  use: (path: string) => LaunchPart,
): LaunchPart | undefined {
  if (!kit?.instructions) return undefined;
  const name = "instructions.md";
  const part = use(join(dir, name));
  return { ...part, files: { ...part.files, [name]: kit.instructions } };
}

/** Links the kit's skills into a folder below `dir` and adds the launch part that `use` derives from its path. */
export function skillsFolder(
  kit: Kit | undefined,
  dir: string,
  use: (path: string) => LaunchPart,
  name = "skills",
): LaunchPart | undefined {
  if (!kit || kit.skills.length === 0) return undefined;
  const part = use(join(dir, name));
  const links = kit.skills.map((skill) => [`${name}/${skill.name}`, skill.path] as const);
  return { ...part, links: { ...part.links, ...Object.fromEntries(links) } };
}

/**
 * Writes the kit's MCP servers to a JSON file in the common format and adds the launch part that `use` derives from its
 * path.
 */
export function serversFile(
  kit: Kit | undefined,
  dir: string,
  use: (path: string) => LaunchPart,
  entry: (server: McpServer) => Record<string, unknown> = serverEntry,
): LaunchPart | undefined {
  if (!kit || kit.servers.length === 0) return undefined;
  const name = "mcp.json";
  const part = use(join(dir, name));
  return { ...part, files: { ...part.files, [name]: serversJson(kit, entry) } };
}

/** `{"mcpServers": {"<name>": …}}`. */
export function serversJson(kit: Kit, entry: (server: McpServer) => Record<string, unknown> = serverEntry): string {
  const mcpServers = Object.fromEntries(kit.servers.map((server) => [server.name, entry(server)]));
  return JSON.stringify({ mcpServers }, null, 2);
}

/** `type`, and `command`, `args` and `env`, or `url` and `headers`. */
export function serverEntry(server: McpServer): Record<string, unknown> {
  if ("command" in server) {
    const [command, ...args] = server.command;
    return { type: "stdio", command, args, env: server.env ?? {} };
  }
  return { type: server.transport, url: server.url, headers: server.headers ?? {} };
}

function mergeRecords(key: "env" | "files" | "links" | "overlays", parts: readonly LaunchPart[]): LaunchPart {
  const whole: Record<string, unknown> = Object.assign({}, ...parts.map((part) => part[key]));
  return Object.keys(whole).length > 0 ? { [key]: whole } : {};
}
