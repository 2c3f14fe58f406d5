import type { CallToolResult } from "@modelcontextprotocol/client";
import type { UrlHandler } from "../../contract/tool.ts";
import { type Tool, type ToolContext, ToolError, type ToolOutput } from "../../contract/tool.ts";
import { messageOf } from "../define.ts";
import { type McpFiles, readMcpServers } from "./config.ts";
import { type ConnectionOptions, McpConnection, type McpTool } from "./connection.ts";
import type { McpLogins } from "./logins.ts";

export type McpOptions = McpFiles & {
  /** The environment of servers on this machine. */
  childEnv: Record<string, string>;
  /** The stored logins of servers that require one. */
  logins?: McpLogins;
  /** Called with all tools whenever the set of tools changes. */
  onTools(tools: Tool[]): void;
  /** Called once for each server that cannot be used and for each mistake in a file. */
  onProblem(text: string): void;
};

/**
 * The tools of the servers that the files name. `ready` resolves when each server has answered or failed; it never
 * rejects. A server that fails is reported once and not retried. `url` reads the servers' resources as `mcp://server/uri`.
 */
export type Mcp = { ready: Promise<void>; url: UrlHandler; tools(): Tool[]; dispose(): Promise<void> };

const LONGEST_TEXT = 50 * 1024;

export function connectMcp(options: McpOptions): Mcp {
  const connections = new Map<string, McpConnection>();
  const offered = new Map<string, Tool[]>();
  const tools = () => [...offered.values()].flat();
  let disposed = false;

  async function refresh(connection: McpConnection): Promise<void> {
    const { name } = connection.server;
    try {
      const found = await connection.tools();
      if (disposed) return;
      offered.set(
        name,
        found.map((tool) => mcpTool(connection, tool)),
      );
      options.onTools(tools());
    } catch (error) {
      if (disposed) return;
      connections.delete(name);
      offered.delete(name);
      options.onProblem(messageOf(error));
      await connection.close();
    }
  }

  async function start(): Promise<void> {
    const { servers, problems } = await readMcpServers(options);
    for (const problem of problems) options.onProblem(problem);
    await Promise.all(
      servers.map((server) => {
        const how: ConnectionOptions = {
          cwd: options.cwd,
          env: options.childEnv,
          ...(options.logins && { logins: options.logins }),
          onToolsChanged: () => void refresh(connection),
        };
        const connection = new McpConnection(server, how);
        connections.set(server.name, connection);
        return refresh(connection);
      }),
    );
  }

  return {
    ready: start(),
    tools,
    url: resourceUrls(connections),
    async dispose() {
      disposed = true;
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

/** The tool's name for models, which accept letters, digits, `_` and `-`, at most 64 characters. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}

function mcpTool(connection: McpConnection, tool: McpTool): Tool {
  const server = connection.server.name;
  const name = mcpToolName(server, tool.name);
  const readonly = tool.annotations?.readOnlyHint === true && tool.annotations.destructiveHint !== true;
  return {
    name,
    label: tool.title ?? tool.annotations?.title ?? `${server}: ${tool.name}`,
    spec: { name, description: tool.description ?? tool.name, parameters: { ...tool.inputSchema }, strict: false },
    prepare(args) {
      if (args === null || typeof args !== "object" || Array.isArray(args))
        return { invalid: `${name} needs an object as its arguments.` };
      return {
        title: `${server}: ${tool.name}`,
        actions: [{ kind: "mcp.call", server, tool: tool.name, readonly }],
        run: (context) => run(connection, tool.name, args as Record<string, unknown>, context),
      };
    },
  };
}

async function run(
  connection: McpConnection,
  tool: string,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolOutput> {
  try {
    const result = await connection.call(tool, args, context.signal);
    return await toOutput(result, context, tool);
  } catch (error) {
    throw new ToolError(context.signal.aborted ? "Aborted." : messageOf(error), { cause: error });
  }
}

async function toOutput(result: CallToolResult, context: ToolContext, tool: string): Promise<ToolOutput> {
  const content: ToolOutput["content"] = [];
  for (const block of result.content ?? []) {
    if (block.type === "image") content.push({ type: "image", data: block.data, mimeType: block.mimeType });
    else content.push({ type: "text", text: await boundText(blockText(block), context, tool) });
  }
  if (content.length === 0) {
    const text =
      result.structuredContent === undefined ? "(no output)" : JSON.stringify(result.structuredContent, null, 2);
    content.push({ type: "text", text: await boundText(text, context, tool) });
  }
  const { structuredContent } = result;
  return {
    content,
    ...(structuredContent !== undefined && { details: structuredContent }),
    ...(result.isError && { isError: true }),
  };
}

function blockText(block: Exclude<CallToolResult["content"][number], { type: "image" }>): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[${block.resource.uri}: binary]`;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    case "audio":
      return `[audio, ${block.mimeType}]`;
    default:
      return JSON.stringify(block);
  }
}

async function boundText(text: string, context: ToolContext, tool: string): Promise<string> {
  if (text.length <= LONGEST_TEXT) return text;
  const half = Math.floor(LONGEST_TEXT / 2);
  const address = await context.keep(text, tool);
  return `${text.slice(0, half)}\n[… left out; whole text: ${address} …]\n${text.slice(-half)}`;
}

function resourceUrls(connections: ReadonlyMap<string, McpConnection>): UrlHandler {
  return {
    description: "The resources of MCP servers: mcp://server lists them, mcp://server/<uri> reads one.",
    async read(url, signal) {
      const [, server = "", rest = ""] = /^mcp:\/\/([^/]+)\/?(.*)$/s.exec(url) ?? [];
      const connection = connections.get(decodeURIComponent(server));
      if (!connection)
        throw new ToolError(
          `There is no MCP server ${server || url}. Known servers: ${[...connections.keys()].join(", ") || "none"}.`,
        );
      if (rest === "") {
        const lines = (await connection.resources(signal)).map(({ uri, name }) => `mcp://${server}/${uri} ${name}`);
        return { text: lines.join("\n") || "It has no resources." };
      }
      const { text, mimeType } = await connection.read(
        /^[\w+.-]+:/.test(rest) ? rest : decodeURIComponent(rest),
        signal,
      );
      return {
        text,
        contentType: mimeType === "application/json" || mimeType === "text/markdown" ? mimeType : "text/plain",
      };
    },
  };
}
