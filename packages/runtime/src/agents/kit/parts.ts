import { join } from "node:path";
import type { Kit, McpServer } from "@gantry/protocol";
import type { Launch } from "../contract.ts";

/** One part of how a process is to be started. */
export type Part = Partial<Launch>;

/** The parts as one launch. */
export function together(...parts: readonly (Part | undefined)[]): Launch {
  const all = parts.flatMap((part) => part ?? []);
  return {
    args: all.flatMap(({ args }) => args ?? []),
    ...merged("env", all),
    ...merged("files", all),
    ...merged("links", all),
  };
}

/** The instructions in a file, and what `use` makes of its path. Nothing when there are none. */
export function instructionsFile(kit: Kit | undefined, dir: string, use: (path: string) => Part): Part | undefined {
  if (!kit?.instructions) return undefined;
  const name = "instructions.md";
  const part = use(join(dir, name));
  return { ...part, files: { ...part.files, [name]: kit.instructions } };
}

/** A folder below `dir` that holds the skills, each under its name, and what `use` makes of its path. */
export function skillsFolder(
  kit: Kit | undefined,
  dir: string,
  use: (path: string) => Part,
  name = "skills",
): Part | undefined {
  if (!kit || kit.skills.length === 0) return undefined;
  const part = use(join(dir, name));
  const links = kit.skills.map((skill) => [`${name}/${skill.name}`, skill.path] as const);
  return { ...part, links: { ...part.links, ...Object.fromEntries(links) } };
}

/** The servers in a file, as most agents write them in JSON, and what `use` makes of its path. */
export function serversFile(
  kit: Kit | undefined,
  dir: string,
  use: (path: string) => Part,
  entry: (server: McpServer) => Record<string, unknown> = commonEntry,
): Part | undefined {
  if (!kit || kit.servers.length === 0) return undefined;
  const name = "mcp.json";
  const part = use(join(dir, name));
  return { ...part, files: { ...part.files, [name]: serversJson(kit, entry) } };
}

/** `{"mcpServers": {"<name>": …}}`. */
export function serversJson(kit: Kit, entry: (server: McpServer) => Record<string, unknown> = commonEntry): string {
  const mcpServers = Object.fromEntries(kit.servers.map((server) => [server.name, entry(server)]));
  return JSON.stringify({ mcpServers }, null, 2);
}

/** `type`, and `command`, `args` and `env`, or `url` and `headers`. */
export function commonEntry(server: McpServer): Record<string, unknown> {
  if ("command" in server) {
    const [command, ...args] = server.command;
    return { type: "stdio", command, args, env: server.env ?? {} };
  }
  return { type: server.transport, url: server.url, headers: server.headers ?? {} };
}

function merged(key: "env" | "files" | "links", parts: readonly Part[]): Part {
  const whole: Record<string, string> = Object.assign({}, ...parts.map((part) => part[key]));
  return Object.keys(whole).length > 0 ? { [key]: whole } : {};
}
