/**
 * Splits a tool call's name into MCP server and tool. Agents write `mcp__<server>__<tool>`, `<server>___<tool>`,
 * `<tool> (<server> MCP Server)`, or put one of the configured `servers` in front in another format.
 */
export function mcpTool(name: string, servers: readonly string[] = []): { server: string; tool: string } | undefined {
  if (name.includes("__")) {
    const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? /^(.+?)___(.+)$/.exec(name) ?? [];
    if (server && tool) return { server, tool };
  }
  const [, tool, server] = name.endsWith(" MCP Server)") ? (/^(\S+) \((.+) MCP Server\)$/.exec(name) ?? []) : [];
  if (server && tool) return { server, tool };
  if (servers.length === 0) return undefined;
  const rest = name.replace(/^mcp[_-]+/, "");
  for (const known of servers) {
    const [, own] = rest.startsWith(known) ? (/^[_:./-]+(.+)$/.exec(rest.slice(known.length)) ?? []) : [];
    if (own) return { server: known, tool: own };
  }
  return undefined;
}
