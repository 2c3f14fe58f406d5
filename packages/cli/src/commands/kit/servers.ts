import type { McpServerRow, McpServerSettings } from "@gantry/protocol";
import { renderTable } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { problemLines } from "../doctor/render.ts";

export type AddServerFlags = {
  env?: readonly string[];
  agent?: readonly string[];
  url?: string;
  sse: boolean;
  header?: readonly string[];
};

type NoFlags = Record<never, never>;

/** MCP servers for all agents, and what is wrong with the others. */
export async function list(this: Context): Promise<void> {
  const { output } = this;
  const { paint } = output;
  const client = await connect(this);
  const { servers, problems } = await client.servers.list();
  if (output.json) return output.data({ servers, problems });
  if (servers.length === 0) output.print("No MCP servers. Add one: gantry servers add <name> -- <command>");
  else {
    const rows = servers.map((server) => [
      server.enabled ? paint.bold(server.name) : paint.dim(server.name),
      server.enabled ? (server.agents?.join(", ") ?? "all") : paint.dim("off"),
      serverAddress(server),
    ]);
    const columns = [{ title: "NAME" }, { title: "AGENTS" }, { title: "SERVER", shrink: true }];
    output.print(renderTable(columns, rows, { header: paint.dim, width: output.width?.() }));
  }
  for (const problem of problems) output.print(problemLines(problem, paint, output.width?.()));
}

/** Adds a server, or replaces the one of that name. */
export async function add(this: Context, flags: AddServerFlags, ...args: string[]): Promise<void> {
  const [name = "", ...command] = args;
  const body = settingsOf(flags, command);
  const client = await connect(this);
  const server = await client.servers.put(name, body);
  if (this.output.json) return this.output.data(server);
  this.output.print(`${server.name}: ${serverAddress(server)}`);
  this.output.print(this.output.paint.dim("Agents get it from their next start on."));
}

export async function remove(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  const done = await client.servers.delete(name);
  if (this.output.json) return this.output.data(done);
  this.output.print(`removed: ${name}`);
}

/** Throws a usage error for what is neither one kind of server nor the other. */
export function settingsOf(flags: AddServerFlags, command: string[]): McpServerSettings {
  const { url, env, header, sse } = flags;
  const common = { enabled: true, ...(flags.agent ? { agents: [...flags.agent] } : {}) };
  if ((url === undefined) === (command.length === 0))
    throw usageError("Give either a command after -- or --url.", "gantry servers add files -- npx -y server-files");
  if (url === undefined) {
    if (header || sse) throw usageError("--header and --sse are for servers with --url.");
    return { command, ...(env ? { env: pairs(env, "=", "--env") } : {}), ...common };
  }
  if (env) throw usageError("--env is for servers that are started by a command; use --header.");
  const headers = header ? { headers: pairs(header, ":", "--header") } : {};
  return { url, transport: sse ? "sse" : "http", ...headers, ...common };
}

function pairs(given: readonly string[], sign: string, flag: string): Record<string, string> {
  const entries = given.map((text) => {
    const at = text.indexOf(sign);
    if (at < 1) throw usageError(`${flag} ${text}: there is no name before a ${sign}`);
    const value = text.slice(at + 1);
    return [text.slice(0, at), sign === ":" ? value.trim() : value];
  });
  return Object.fromEntries(entries);
}

function serverAddress({ command, url }: McpServerRow): string {
  return url ?? (command ?? []).join(" ");
}
