import type { McpServer } from "@gantry/protocol";
import type { LaunchOptions } from "../../../contract.ts";
import type { Fields } from "../../../fields.ts";

/** The servers and instructions for opening a session, new or resumed. */
export function kitParams({ kit }: LaunchOptions): Fields {
  const { servers = [], instructions } = kit ?? {};
  return {
    ...(servers.length > 0 ? { mcpServers: servers.map(entryOf) } : {}),
    ...(instructions ? { systemPrompt: { type: "preset", preset: "droid", append: instructions } } : {}),
  };
}

function entryOf(server: McpServer): Fields {
  if ("command" in server) {
    const [command, ...args] = server.command;
    return { name: server.name, command, args, env: server.env ?? {} };
  }
  const headers = Object.entries(server.headers ?? {}).map(([name, value]) => ({ name, value }));
  return { type: server.transport, name: server.name, url: server.url, headers };
}
