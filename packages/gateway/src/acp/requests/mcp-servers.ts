import { GantryError, type SessionServers } from "@gantry/protocol";

/** An MCP server of either protocol version. */
export type EditorServer = {
  type?: string;
  name?: string;
  command?: string;
  args?: readonly string[];
  url?: string;
  env?: readonly NamedValue[];
  headers?: readonly NamedValue[];
};

type NamedValue = { name: string; value: string };

/**
 * The servers that an editor passes on, for a session. Names are changed to the characters that every agent accepts. Throws
 * `invalid` for a transport that Gantry does not have.
 */
export function readServers(servers: readonly EditorServer[] | null | undefined): SessionServers {
  const found: SessionServers = {};
  for (const server of servers ?? []) found[freeName(server.name ?? "", found)] = readServer(server);
  return found;
}

function readServer({ type = "stdio", name, command, args = [], url, env, headers }: EditorServer) {
  if (type === "stdio" && command !== undefined) return { command: [command, ...args], env: toRecord(env) };
  if ((type === "http" || type === "sse") && url !== undefined)
    return { url, transport: type as "http" | "sse", headers: toRecord(headers) };
  throw new GantryError("invalid", `The MCP server ${name ?? ""} uses ${type}, which Gantry cannot pass on.`, {
    remedy: "Use a server over stdio, http or sse.",
  });
}

function freeName(name: string, taken: SessionServers): string {
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, "-")
      .replace(/^[^a-z0-9]+/, "")
      .slice(0, 50) || "server";
  for (let count = 1; ; count++) {
    const next = count === 1 ? plain : `${plain}-${count}`;
    if (!(next in taken)) return next;
  }
}

function toRecord(values: readonly NamedValue[] | undefined): Record<string, string> {
  return Object.fromEntries((values ?? []).map(({ name, value }) => [name, value]));
}
