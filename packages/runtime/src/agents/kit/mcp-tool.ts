/**
 * The server and the tool that a call's name is made of. Agents write `mcp__<server>__<tool>` or `<server>___<tool>`, or
 * put the name of a server before that of its tool in a way of their own; `servers` are those that it was given.
 */
export function mcpTool(name: string, servers: readonly string[] = []): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? /^(.+?)___(.+)$/.exec(name) ?? [];
  if (server && tool) return { server, tool };
  const rest = name.replace(/^mcp[_-]+/, "");
  for (const known of servers) {
    const [, own] = rest.startsWith(known) ? (/^[_:./-]+(.+)$/.exec(rest.slice(known.length)) ?? []) : [];
    if (own) return { server: known, tool: own };
  }
  return undefined;
}
