/** A server of the SDK on loopback, with an optional login that approves every request. For tests. */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { z } from "zod";

export type RemoteServer = {
  url: string;
  /** Adds a tool while clients are connected. */
  addTool(name: string): void;
  /** Drops all sessions, as a restart does. */
  forget(): void;
  /** The valid access tokens. Ignored without a login. */
  tokens: Set<string>;
  /** How many tokens were issued, by grant type. */
  given: { authorization_code: number; refresh_token: number };
  close(): Promise<void>;
};

export async function startRemoteServer({ login = false, port = 0 } = {}): Promise<RemoteServer> {
  const sessions = new Map<string, { mcp: McpServer; transport: WebStandardStreamableHTTPServerTransport }>();
  const added = new Set(["look"]);
  const logins = fakeLogin();
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await toRequest(request, base);
    const answered = (login && (await logins.answer(asked, base))) || (await serve(asked));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.flushHeaders();
    for await (const chunk of answered.body ?? []) response.write(chunk);
    response.end();
  }

  async function serve(asked: Request): Promise<Response> {
    const id = asked.headers.get("mcp-session-id");
    if (id !== null) {
      const known = sessions.get(id);
      return known
        ? known.transport.handleRequest(asked)
        : Response.json({ error: "no such session" }, { status: 404 });
    }
    const mcp = new McpServer({ name: "remote", version: "1" }, { capabilities: { tools: { listChanged: true } } });
    for (const name of added) register(mcp, name);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => void sessions.set(made, { mcp, transport }),
    });
    await mcp.connect(transport);
    return transport.handleRequest(asked);
  }

  return {
    url: `${base}/mcp`,
    addTool(name) {
      added.add(name);
      for (const { mcp } of sessions.values()) register(mcp, name);
    },
    forget: () => sessions.clear(),
    tokens: logins.tokens,
    given: logins.given,
    close: () => end(http),
  };
}

function register(mcp: McpServer, name: string): void {
  const inputSchema = z.object({ at: z.string().optional() });
  mcp.registerTool(name, { description: `It does ${name}.`, inputSchema }, async ({ at }) => ({
    content: [{ type: "text", text: `${name} ${at ?? "around"}` }],
  }));
}

function end(http: Server): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve());
    http.closeAllConnections();
  });
}

async function toRequest(request: IncomingMessage, base: string): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const method = request.method ?? "GET";
  const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
  return new Request(new URL(request.url ?? "/", base), { method, headers, ...body });
}

/** An OAuth server that approves every login, with PKCE and rotating refresh tokens. */
function fakeLogin() {
  const issued = fakeTokens();
  const { tokens, given } = issued;
  return {
    tokens,
    given,
    async answer(asked: Request, base: string): Promise<Response | undefined> {
      const url = new URL(asked.url);
      if (url.pathname.startsWith("/.well-known/")) return metadata(url.pathname, base);
      if (url.pathname === "/register")
        return Response.json({ ...((await asked.json()) as object), client_id: randomUUID() }, { status: 201 });
      if (url.pathname === "/authorize") return issued.authorize(url);
      if (url.pathname === "/token") return issued.exchange(asked);
      if (url.pathname !== "/mcp") return new Response(null, { status: 404 });
      const bearer = (asked.headers.get("authorization") ?? "").replace("Bearer ", "");
      if (tokens.has(bearer)) return undefined;
      const resource = `${base}/.well-known/oauth-protected-resource/mcp`;
      const headers = { "www-authenticate": `Bearer resource_metadata="${resource}"` };
      return new Response(null, { status: 401, headers });
    },
  };
}

function metadata(path: string, base: string): Response {
  if (path.startsWith("/.well-known/oauth-protected-resource"))
    return Response.json({ resource: `${base}/mcp`, authorization_servers: [base] });
  if (!path.startsWith("/.well-known/oauth-authorization-server")) return new Response(null, { status: 404 });
  return Response.json({
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
  });
}

function fakeTokens() {
  const tokens = new Set<string>();
  const refreshing = new Set<string>();
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const given = { authorization_code: 0, refresh_token: 0 };
  const invalidGrant = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  const issue = (kind: keyof typeof given): Response => {
    given[kind]++;
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    tokens.add(access);
    refreshing.add(refresh);
    return Response.json({ access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: 3600 });
  };
  return {
    tokens,
    given,
    authorize({ searchParams }: URL): Response {
      const code = randomUUID();
      const redirect = searchParams.get("redirect_uri") ?? "";
      codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", redirect });
      const back = new URL(redirect);
      back.searchParams.set("code", code);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return new Response(null, { status: 302, headers: { location: back.href } });
    },
    async exchange(asked: Request): Promise<Response> {
      const form = new URLSearchParams(await asked.text());
      if (form.get("grant_type") === "refresh_token")
        return refreshing.delete(form.get("refresh_token") ?? "") ? issue("refresh_token") : invalidGrant();
      const code = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const verifier = form.get("code_verifier") ?? "";
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const valid = code?.challenge === challenge && code.redirect === form.get("redirect_uri");
      return valid ? issue("authorization_code") : invalidGrant();
    },
  };
}
