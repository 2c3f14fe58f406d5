import type { CallToolResult, Client, Tool as McpTool } from "@modelcontextprotocol/client";
import type { McpServer } from "./config.ts";
import { loginProvider, type McpLogins } from "./logins.ts";

export type { McpTool };

const CONNECT_MS = 30_000;

export type ConnectionOptions = {
  cwd: string;
  env: Record<string, string>;
  version?: string;
  /** The stored logins of servers that require one. */
  logins?: McpLogins;
  /** The server reported that its tools changed. */
  onToolsChanged?(): void;
};

/**
 * A connection to one server. The client is loaded and the server started on demand, and again after the server ended.
 * Methods reject with messages for people.
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
    const client = await this.#requireClient(signal);
    if (!client.getServerCapabilities()?.tools) return [];
    const { tools } = await client.listTools(undefined, { timeout: CONNECT_MS, ...(signal && { signal }) });
    return tools;
  }

  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    const timeout = this.server.timeoutMs;
    const how = { signal, timeout, resetTimeoutOnProgress: true };
    const client = await this.#requireClient(signal);
    try {
      return await client.callTool({ name, arguments: args }, how);
    } catch (error) {
      const lost = lostBy(error);
      if (!lost || signal.aborted) throw error;
      this.#client = undefined;
      await client.close().catch(() => {});
      // The call may have been executed, so it is retried only when it certainly was not.
      if (lost !== "undone") throw new Error(`The MCP server ${this.server.name} did not answer: ${lost}`);
      return await (await this.#requireClient(signal)).callTool({ name, arguments: args }, how);
    }
  }

  async resources(signal: AbortSignal): Promise<{ uri: string; name: string; description?: string }[]> {
    const client = await this.#requireClient(signal);
    if (!client.getServerCapabilities()?.resources) return [];
    return (await client.listResources(undefined, { signal, timeout: this.server.timeoutMs })).resources;
  }

  async read(uri: string, signal: AbortSignal): Promise<{ text: string; mimeType?: string }> {
    const client = await this.#requireClient(signal);
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

  async #requireClient(signal?: AbortSignal): Promise<Client> {
    if (this.#closed) throw new Error(`The MCP server ${this.server.name} was closed.`);
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw new Error(`The MCP server ${this.server.name} ${whyNot(error, this.server.name)}`);
    });
    const client = this.#client;
    if (!signal) return client;
    return await Promise.race([client, rejectOnAbort(signal)]);
  }

  async #connect(): Promise<Client> {
    const { Client } = await import("@modelcontextprotocol/client");
    const onChanged = () => this.#options.onToolsChanged?.();
    const client = new Client(
      { name: "gantry", version: this.#options.version ?? "0.1.0" },
      { capabilities: {}, listChanged: { tools: { autoRefresh: false, onChanged } } },
    );
    client.onclose = () => {
      this.#client = undefined;
    };
    await client.connect(await this.#transport(), { timeout: CONNECT_MS });
    return client;
  }

  /** Uses a login only if there is one: otherwise every start would register a client at the server. */
  async #login(server: { name: string; url: string }) {
    const { logins } = this.#options;
    const login = await logins?.read(server.name, server.url);
    return logins && login?.tokens ? { authProvider: loginProvider({ server, logins }) } : {};
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
    const url = new URL(server.url);
    const how = { requestInit: { headers: server.headers }, ...(await this.#login(server)) };
    return server.transport === "sse" ? new SSEClientTransport(url, how) : new StreamableHTTPClientTransport(url, how);
  }
}

/** Why the connection is unusable; `undone`: the server did not receive the call, or does not know the session. */
function lostBy(error: unknown): string | undefined {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  if (cause?.code === "ECONNREFUSED" || statusOf(error) === 404) return "undone";
  return error instanceof TypeError ? (cause?.message ?? error.message) : undefined;
}

function whyNot(error: unknown, name: string): string {
  const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
  if (kind === "UnauthorizedError" || statusOf(error) === 401) return `requires a login: gantry auth mcp ${name}`;
  const { cause } = error as { cause?: Error };
  return `cannot be reached: ${cause?.message || message}`;
}

function statusOf(error: unknown): number | undefined {
  const { status, code } = error as { status?: unknown; code?: unknown };
  return [status, code].find((one) => typeof one === "number");
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(new Error("Aborted."));
    signal.addEventListener("abort", () => reject(new Error("Aborted.")), { once: true });
  });
}
