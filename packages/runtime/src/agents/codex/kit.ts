import { join } from "node:path";
import type { McpServer } from "@gantry/protocol";
import type { Launch, LaunchOptions } from "../contract.ts";
import type { Fields } from "../fields.ts";

/** The parameters of a thread besides its settings, and its additional skill folders. */
export type Opening = { params: Fields; skillRoots?: string[] };

/** The kit as thread parameters. Dotted keys keep the user's servers. */
export function openingOf({ kit, dir, folders = [] }: LaunchOptions): Opening | undefined {
  if (!kit) return undefined;
  const { instructions, servers, skills } = kit;
  const config = {
    ...Object.fromEntries(servers.map((server) => [`mcp_servers.${server.name}`, serverTable(server)])),
    ...(folders.length > 0 ? { "sandbox_workspace_write.writable_roots": folders } : {}),
  };
  const params = {
    ...(Object.keys(config).length > 0 ? { config } : {}),
    ...(instructions ? { developerInstructions: instructions } : {}),
  };
  if (Object.keys(params).length === 0 && skills.length === 0) return undefined;
  return { params, ...(skills.length > 0 ? { skillRoots: [join(dir, "skills")] } : {}) };
}

/** A server in the format of Codex's configuration. */
function serverTable(server: McpServer): Fields {
  if ("command" in server) {
    const [command, ...args] = server.command;
    return { command, args, ...(server.env ? { env: server.env } : {}) };
  }
  return { url: server.url, ...(server.headers ? { http_headers: server.headers } : {}) };
}

/**
 * The servers as configuration overrides on the command line, which other users can read. So variables go into a start
 * script, and headers into the environment.
 */
export function commandLineServers({
  kit,
  dir,
}: LaunchOptions): Pick<Launch, "env" | "files"> & { overrides: string[] } {
  const files: Record<string, string> = {};
  const env: Record<string, string> = {};
  const overrides = (kit?.servers ?? []).flatMap((server) => {
    const key = `mcp_servers.${server.name}`;
    if ("command" in server) {
      const name = `server-${server.name}.sh`;
      files[name] = startScript(server.command, server.env);
      return [`${key}.command="/bin/sh"`, `${key}.args=${JSON.stringify([join(dir, name)])}`];
    }
    const headers = Object.entries(server.headers ?? {}).map(([header, value], index) => {
      const variable = `MCP_HEADER_${server.name.toUpperCase().replaceAll("-", "_")}_${index}`;
      env[variable] = value;
      return `${JSON.stringify(header)}=${JSON.stringify(variable)}`;
    });
    const address = `${key}.url=${JSON.stringify(server.url)}`;
    return headers.length > 0 ? [address, `${key}.env_http_headers={${headers.join(",")}}`] : [address];
  });
  return { overrides, files, env };
}

/** The variables are exported rather than passed to `env`, whose command line would show them. */
function startScript(command: readonly string[], env: Record<string, string> = {}): string {
  const quoteArgument = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quoteArgument(value)}\n`);
  return `${variables.join("")}exec ${command.map(quoteArgument).join(" ")}\n`;
}
