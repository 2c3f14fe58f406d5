import type { Kit, McpServer } from "@gantry/protocol";
import type { Channel, ServerKind } from "../../agents/contract.ts";
import type { Startable } from "./start-process.ts";

/** The kit without the servers that the channel cannot hand over. */
export function supportedKit({ takes }: Channel<never>, kit: Kit): Kit {
  return { ...kit, servers: kit.servers.filter((server) => takes?.servers?.includes(kindOf(server))) };
}

/** What an agent is not given of what it should have been, in words for its user. */
export function withheld({ agent, channel, kit, problems }: Startable): string[] {
  const given = supportedKit(channel, kit).servers;
  const missing = kit.servers.filter((server) => !given.includes(server));
  const unusable = problems.map(({ message }) => message);
  if (missing.length === 0) return unusable;
  const names = missing.map(({ name }) => name).join(", ");
  const are = missing.length === 1 ? "is" : "are";
  const kinds = [...new Set(missing.map(kindOf))].join(" or ");
  const what = channel.takes?.servers?.length ? `MCP servers over ${kinds}` : "MCP servers";
  return [...unusable, `${agent.name} takes no ${what}: ${names} ${are} not offered to it.`];
}

function kindOf(server: McpServer): ServerKind {
  return "command" in server ? "stdio" : server.transport;
}
