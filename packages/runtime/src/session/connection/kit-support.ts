import type { Kit, McpServer } from "@gantry/protocol";
import type { Channel, ServerKind } from "../../agents/contract.ts";
import type { Startable } from "./start-process.ts";

/** The kit without the MCP servers that the channel does not support. */
export function supportedKit({ takes }: Channel<never>, kit: Kit): Kit {
  return { ...kit, servers: kit.servers.filter((server) => takes?.servers?.includes(kindOf(server))) };
}

/** Notices about the parts of the kit that the agent does not get. */
export function unsupportedNotices({ agent, channel, kit, problems }: Startable): string[] {
  const supported = supportedKit(channel, kit).servers;
  const unsupported = kit.servers.filter((server) => !supported.includes(server));
  const broken = problems.map(({ message }) => message);
  if (unsupported.length === 0) return broken;
  const names = unsupported.map(({ name }) => name).join(", ");
  const are = unsupported.length === 1 ? "is" : "are";
  const kinds = [...new Set(unsupported.map(kindOf))].join(" or ");
  const what = channel.takes?.servers?.length ? `MCP servers over ${kinds}` : "MCP servers";
  return [...broken, `${agent.name} does not support ${what}: ${names} ${are} not available to it.`];
}

function kindOf(server: McpServer): ServerKind {
  return "command" in server ? "stdio" : server.transport;
}
