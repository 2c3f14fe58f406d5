import type { CallToolResult, Client, Tool as McpTool } from "@modelcontextprotocol/client";
import type { McpServer } from "./config.ts";

export type { McpTool };

const CONNECT_MS = 30_000;

export type ConnectionOptions = {
  cwd: string;
  env: Record<string, string>;
  version?: string;
  /** The server says that its tools are others now. */
  onToolsChanged?(): void;
};

/**
 * One server. The client is loaded and the server started at the first need, and started again when it went away and is
 * needed again. Methods reject in words for people.
 */
export class McpConnection {
  readonly server: McpServer;
  readonly #options: ConnectionOptions;
  #client: Promise<Client> | undefined;
  #closed = false;

  constructor(server: McpServer, options: ConnectionOptions) {
    this.server = server;
    this.#options = options;
  }

  async tools(signal?: AbortSignal): Promise<McpTool[]> {
    const client = await this.#connected(signal);
    if (!client.getServerCapabilities()?.tools) return [];
    const { tools } = await client.listTools(undefined, { timeout: CONNECT_MS, ...(signal && { signal }) });
    return tools;
  }

  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    const client = await this.#connected(signal);
    const timeout = this.server.timeoutMs;
    return await client.callTool({ name, arguments: args }, { signal, timeout, resetTimeoutOnProgress: true });
  }

  async resources(signal: AbortSignal): Promise<{ uri: string; name: string; description?: string }[]> {
    const client = await this.#connected(signal);
    if (!client.getServerCapabilities()?.resources) return [];
    return (await client.listResources(undefined, { signal, timeout: this.server.timeoutMs })).resources;
  }

  async read(uri: string, signal: AbortSignal): Promise<{ text: string; mimeType?: string }> {
    const client = await this.#connected(signal);
    const { contents } = await client.readResource({ uri }, { signal, timeout: this.server.timeoutMs });
    const texts = contents.map((part) =>
      "text" in part ? part.text : `[${part.mimeType ?? "binary"}, ${part.blob.length} characters of base64]`,
    );
    const mimeType = contents[0]?.mimeType;
    return { text: texts.join("\n"), ...(mimeType && { mimeType }) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  async #connected(signal?: AbortSignal): Promise<Client> {
    if (this.#closed) throw new Error(`The MCP server ${this.server.name} was closed.`);
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw new Error(
        `The MCP server ${this.server.name} cannot be reached: ${error instanceof Error ? error.message : error}`,
      );
    });
    const client = this.#client;
    if (!signal) return client;
    return await Promise.race([client, aborted(signal)]);
  }

  async #connect(): Promise<Client> {
    const { Client } = await import("@modelcontextprotocol/client");
    const client = new Client({ name: "gantry", version: this.#options.version ?? "0.1.0" }, { capabilities: {} });
    client.onclose = () => {
      this.#client = undefined;
    };
    client.setNotificationHandler("notifications/tools/list_changed", () => this.#options.onToolsChanged?.());
    await client.connect(await this.#transport(), { timeout: CONNECT_MS });
    return client;
  }

  async #transport() {
    const { server } = this;
    const { cwd, env } = this.#options;
    if (server.transport === "stdio") {
      const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
      const { command, args } = server;
      return new StdioClientTransport({
        command,
        args,
        env: { ...env, ...server.env },
        cwd: server.cwd ?? cwd,
        stderr: "ignore",
      });
    }
    const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const requestInit = { headers: server.headers };
    const url = new URL(server.url);
    return server.transport === "sse"
      ? new SSEClientTransport(url, { requestInit })
      : new StreamableHTTPClientTransport(url, { requestInit });
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(new Error("Aborted."));
    signal.addEventListener("abort", () => reject(new Error("Aborted.")), { once: true });
  });
}
