import type { McpServer } from "@gantry/protocol";
import type { Output, ServerKind } from "../../contract.ts";
import { type Fields, fields } from "../../fields.ts";
import { notice } from "../outputs.ts";
import type { State } from "../state.ts";

/** The MCP transports that the agent supports. Version 1 requires stdio. */
export function readServerKinds(result: Fields): ServerKind[] {
  const first = fields(fields(result.agentCapabilities).mcpCapabilities);
  const second = fields(fields(result.capabilities).session).mcp;
  const kinds = second === undefined ? { stdio: true, ...first } : fields(second);
  return (["stdio", "http", "sse"] as const).filter(
    (kind) => kinds[kind] !== undefined && kinds[kind] !== null && kinds[kind] !== false,
  );
}

/** The `mcpServers` parameter, and a notice for each server that the agent does not support. */
export function serverParams({ servers = [], version, can }: State): { mcpServers: Fields[]; outputs: Output[] } {
  const kinds = can.servers ?? [];
  const taken = servers.filter((server) => kinds.includes(kindOf(server)));
  const missing = servers.filter((server) => !taken.includes(server));
  return {
    mcpServers: taken.map((server) => entryOf(server, version)),
    outputs: missing.map((server) =>
      notice(
        "kit",
        "warning",
        `The agent does not support MCP servers over ${kindOf(server)}: ${server.name} is not available.`,
      ),
    ),
  };
}

function entryOf(server: McpServer, version: 1 | 2): Fields {
  if ("command" in server) {
    const [command, ...args] = server.command;
    return { ...(version === 2 ? { type: "stdio" } : {}), name: server.name, command, args, env: pairs(server.env) };
  }
  return { type: server.transport, name: server.name, url: server.url, headers: pairs(server.headers) };
}

function pairs(values: Record<string, string> = {}): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function kindOf(server: McpServer): ServerKind {
  return "command" in server ? "stdio" : server.transport;
}
