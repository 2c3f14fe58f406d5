import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalStore } from "@gantry/models";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Exec, startExec } from "../testing/exec-context.ts";
import { loginToMcp } from "./login.ts";
import { type McpLogins, storedLogins } from "./logins.ts";
import { connectMcp, type Mcp } from "./mcp-tools.ts";
import { answer } from "./testing/answers.ts";
import { type RemoteServer, startRemoteServer } from "./testing/remote-server.ts";

let root: string;
let exec: Exec;
let logins: McpLogins;
let problems: string[];
const servers: RemoteServer[] = [];
const clients: Mcp[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gantry-remote-"));
  mkdirSync(join(root, "agent"));
  exec = startExec();
  problems = [];
  // Without a PATH the tests cannot reach the keychain of the person who runs them. prose-ignore: a person
  logins = storedLogins(() => openLocalStore({ PATH: "" }, join(root, "agent")));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
  for (const server of servers.splice(0)) await server.close();
  logins.close();
  await exec.close();
  rmSync(root, { recursive: true, force: true });
});

async function serve(options: { login?: boolean; port?: number } = {}): Promise<RemoteServer> {
  const server = await startRemoteServer(options);
  servers.push(server);
  return server;
}

async function connect(entry: Record<string, unknown>): Promise<Mcp> {
  writeFileSync(join(root, "mcp.json"), JSON.stringify({ mcpServers: { far: entry } }));
  const client = connectMcp({
    agentDir: join(root, "agent"),
    cwd: root,
    trustProject: false,
    extra: join(root, "mcp.json"),
    env: {},
    childEnv: {},
    logins,
    onTools: () => {},
    onProblem: (text) => problems.push(text),
  });
  clients.push(client);
  await client.ready;
  return client;
}

async function call(client: Mcp, name: string, args: unknown = {}): Promise<unknown> {
  const prepared = client
    .tools()
    .find((tool) => tool.name === `mcp__far__${name}`)
    ?.prepare(args, exec.context());
  if (!prepared || "invalid" in prepared) throw new Error(`${name} is missing`);
  const [block] = (await prepared.run(exec.context())).content;
  return block?.type === "text" ? block.text : block;
}

const namesOf = (client: Mcp) => client.tools().map(({ name }) => name);

describe("a remote server", () => {
  it("is asked for its tools again after they changed", async () => {
    const server = await serve();
    const client = await connect({ url: server.url });
    expect(problems).toEqual([]);
    expect(await call(client, "look", { at: "the sea" })).toBe("look the sea");
    server.addTool("listen");
    await vi.waitFor(() => expect(namesOf(client)).toEqual(["mcp__far__look", "mcp__far__listen"]), 10_000);
    expect(await call(client, "listen")).toBe("listen around");
  });

  it("is used again after it returned; while it is away its tools report that", async () => {
    const server = await serve();
    const client = await connect({ url: server.url });
    expect(await call(client, "look")).toBe("look around");
    await server.close();
    // A call in flight when the server ends may have been executed; a later call certainly was not.
    await expect(call(client, "look")).rejects.toThrow(/The MCP server far (did not answer|cannot be reached)/);
    await expect(call(client, "look")).rejects.toThrow("The MCP server far cannot be reached: connect ECONNREFUSED");
    await serve({ port: Number(new URL(server.url).port) });
    expect(await call(client, "look")).toBe("look around");
  });

  it("gets a new session after it lost the old one", async () => {
    const server = await serve();
    const client = await connect({ url: server.url });
    await call(client, "look");
    server.forget();
    expect(await call(client, "look")).toBe("look around");
  });

  it("of the older kind is read over its event stream", async () => {
    const streams = new Set<ServerResponse>();
    const http = createServer(async (request, response) => {
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("event: endpoint\ndata: /messages\n\n");
        return void streams.add(response);
      }
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(202).end();
      const asked = JSON.parse(body);
      const result = asked.id === undefined ? undefined : answer(asked);
      const line = JSON.stringify({ jsonrpc: "2.0", id: asked.id, result });
      if (result) for (const stream of streams) stream.write(`event: message\ndata: ${line}\n\n`);
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const client = await connect({
      type: "sse",
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`,
    });
    expect(problems).toEqual([]);
    expect(await call(client, "look")).toBe("look {} ");
    await client.dispose();
    http.closeAllConnections();
    http.close();
  });
});

describe("a server that requires a login", () => {
  const browser = async (url: string) => {
    const page = await fetch(url);
    expect(await page.text()).toContain("You are logged in");
  };

  it("reports how to log in; then it is used, also after the token expired", async () => {
    const server = await serve({ login: true });
    await connect({ url: server.url });
    expect(problems).toEqual(["The MCP server far requires a login: gantry auth mcp far"]);
    const where = { name: "far", url: server.url };
    await loginToMcp({ server: where, logins, openUrl: (url) => void browser(url), signal: AbortSignal.timeout(9000) });
    expect(server.given).toEqual({ authorization_code: 1, refresh_token: 0 });
    const client = await connect({ url: server.url });
    expect(await call(client, "look")).toBe("look around");
    server.tokens.clear();
    const later = await connect({ url: server.url });
    expect(await call(later, "look")).toBe("look around");
    expect(server.given).toEqual({ authorization_code: 1, refresh_token: 1 });
    expect(problems).toHaveLength(1);
  });

  it("does not receive the login of another address with the same name", async () => {
    const [first, second] = [await serve({ login: true }), await serve({ login: true })];
    const where = { name: "far", url: first.url };
    await loginToMcp({ server: where, logins, openUrl: (url) => void browser(url), signal: AbortSignal.timeout(9000) });
    for (const token of first.tokens) second.tokens.add(token);
    await connect({ url: second.url });
    expect(problems).toEqual(["The MCP server far requires a login: gantry auth mcp far"]);
  });

  it("stores nothing when the user cancels the login", async () => {
    const server = await serve({ login: true });
    const stop = new AbortController();
    const openUrl = () => stop.abort();
    const trying = loginToMcp({ server: { name: "far", url: server.url }, logins, openUrl, signal: stop.signal });
    await expect(trying).rejects.toThrow("cancelled");
    expect((await logins.read("far", server.url))?.tokens).toBeUndefined();
  });

  it("stores its tokens only in the credential store", async () => {
    const server = await serve({ login: true });
    const where = { name: "far", url: server.url };
    await loginToMcp({ server: where, logins, openUrl: (url) => void browser(url), signal: AbortSignal.timeout(9000) });
    const store = openLocalStore({ PATH: "" }, join(root, "agent"));
    expect(store.rows()).toMatchObject([{ provider: "mcp:far", type: "oauth", identity: "login" }]);
    store.close();
    expect(existsSync(join(root, "mcp.json"))).toBe(false);
    expect(readFileSync(join(root, "agent", "agent.db")).length).toBeGreaterThan(0);
  });
});
