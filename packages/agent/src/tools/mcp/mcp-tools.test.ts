import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mcpServer } from "@gantry/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Tool, ToolOutput } from "../../contract/tool.ts";
import { type Exec, startExec } from "../testing/exec-context.ts";
import { readMcpServers } from "./config.ts";
import { connectMcp, type Mcp, type McpOptions } from "./mcp-tools.ts";
import { answer } from "./testing/answers.ts";

let root: string;
let exec: Exec;
let mcp: Mcp | undefined;
let problems: string[];
let offered: Tool[][];
const fake = { command: process.execPath, args: [join(import.meta.dirname, "testing/answers.ts")] };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gantry-mcp-"));
  mkdirSync(join(root, "agent"));
  mkdirSync(join(root, "project/.gantry"), { recursive: true });
  exec = startExec();
  [problems, offered, mcp] = [[], [], undefined];
});
afterEach(async () => {
  await mcp?.dispose();
  await exec.close();
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, servers: Record<string, unknown>): string {
  writeFileSync(join(root, path), JSON.stringify({ mcpServers: servers }));
  return join(root, path);
}
async function connect(options: Partial<McpOptions> = {}): Promise<Mcp> {
  mcp = connectMcp({
    agentDir: join(root, "agent"),
    cwd: join(root, "project"),
    trustProject: false,
    env: {},
    childEnv: { PATH: process.env.PATH ?? "" },
    onTools: (tools) => offered.push(tools),
    onProblem: (text) => problems.push(text),
    ...options,
  });
  await mcp.ready;
  return mcp;
}
function call(name: string, args: unknown = {}, signal?: AbortSignal): Promise<ToolOutput> {
  const tool = mcp?.tools().find((candidate) => candidate.name === name);
  const prepared = tool?.prepare(args, exec.context());
  if (!prepared || "invalid" in prepared) throw new Error(`${name} is missing or rejects the arguments`);
  return prepared.run(exec.context(signal));
}

describe("MCP servers", () => {
  it("start with their environment, and can be called", async () => {
    const [command = "", ...args] = mcpServer.command;
    const log = join(root, "log");
    write("agent/mcp.json", {
      lighthouse: { command, args, env: { LIGHTHOUSE_LOG: log, LIGHTHOUSE_KEY: "\u0024{KEY:-none}" } },
    });
    await connect({ env: { KEY: "from outside" } });
    expect(problems).toEqual([]);
    const { content } = await call("mcp__lighthouse__read_lamp", { place: "Cuxhaven" });
    expect(content).toEqual([{ type: "text", text: "The lamp of Cuxhaven is lit." }]);
    expect(mcpServer.calls(log)).toEqual([{ tool: "read_lamp", input: { place: "Cuxhaven" }, key: "from outside" }]);
  });

  it("report read-only tools; names are valid for models; images and long texts are passed on", async () => {
    await connect({ extra: write("extra.json", { fake }) });
    const actions = (name: string) => {
      const prepared = mcp
        ?.tools()
        .find((tool) => tool.name === name)
        ?.prepare({}, exec.context());
      return prepared && "actions" in prepared ? prepared.actions : [];
    };
    expect(actions("mcp__fake__look")).toEqual([{ kind: "mcp.call", server: "fake", tool: "look", readonly: true }]);
    expect(actions("mcp__fake__change_it")).toMatchObject([{ tool: "change it", readonly: false }]);
    const { content } = await call("mcp__fake__change_it", { by: "me" });
    expect(content).toMatchObject([{ text: 'change it {"by":"me"} ' }, { type: "image", mimeType: "image/png" }]);
    const long = (await call("mcp__fake__long")).content[0];
    expect(long).toMatchObject({ text: expect.stringContaining("artifact://0") });
    expect(exec.artifacts[0]?.length).toBe(200_000);
  });

  it("are restarted after they died; a call that hangs times out or is aborted", async () => {
    await connect({ extra: write("extra.json", { fake: { ...fake, timeout: 0.5 } }) });
    await expect(call("mcp__fake__die")).rejects.toThrow();
    expect((await call("mcp__fake__look")).content[0]).toMatchObject({ text: "look {} " });
    await expect(call("mcp__fake__hang")).rejects.toThrow(/timed out/i);
    const stop = new AbortController();
    const work = call("mcp__fake__hang", {}, stop.signal);
    stop.abort();
    await expect(work).rejects.toThrow("Aborted.");
  });

  it("are reported once if they fail, and the others work", async () => {
    const servers = {
      fake,
      missing: { command: "/no/such/program" },
      silent: { command: "false" },
      wrong: { args: 3 },
    };
    await connect({ extra: write("extra.json", servers) });
    expect(problems).toHaveLength(3);
    expect(problems.join("\n")).toMatch(
      /wrong: [\s\S]*missing cannot be reached|missing cannot be reached[\s\S]*wrong/,
    );
    expect(mcp?.tools().map(({ name }) => name)).toContain("mcp__fake__look");
    expect(offered).toHaveLength(1);
  });

  it("provide their resources under mcp://", async () => {
    await connect({ extra: write("extra.json", { fake }) });
    const { signal } = new AbortController();
    expect((await mcp!.url.read("mcp://fake", signal)).text).toBe("mcp://fake/note://one One");
    expect(await mcp!.url.read("mcp://fake/note://one", signal)).toEqual({
      text: "read note://one",
      contentType: "text/markdown",
    });
    await expect(mcp!.url.read("mcp://other/x", signal)).rejects.toThrow(
      "There is no MCP server other. Known servers: fake.",
    );
  });

  it("are called over HTTP with their headers", async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        seen.push(request.headers.authorization);
        if (request.method !== "POST") return response.writeHead(405).end();
        const asked = JSON.parse(body);
        if (asked.id === undefined) return response.writeHead(202).end();
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: answer(asked) }));
      });
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    await connect({
      extra: write("extra.json", { web: { type: "http", url, headers: { authorization: "Bearer \u0024{T}" } } }),
      env: { T: "abc" },
    });
    expect((await call("mcp__web__look")).content[0]).toMatchObject({ text: "look {} " });
    expect(new Set(seen)).toEqual(new Set(["Bearer abc"]));
    await mcp?.dispose();
    server.close();
  });
});

describe("MCP files", () => {
  it("are read from the user, a trusted project and this run; later ones take precedence", async () => {
    write("agent/mcp.json", { a: { command: "user" }, b: { command: "user" }, off: { command: "x", disabled: true } });
    writeFileSync(join(root, "project/.gantry/mcp.yml"), "mcpServers:\n  b: { command: project }\n");
    const extra = write("run.json", { c: { url: "http://localhost/x", type: "sse" } });
    const read = (trustProject: boolean) =>
      readMcpServers({ agentDir: join(root, "agent"), cwd: join(root, "project"), trustProject, extra, env: {} });
    const names = async (trust: boolean) =>
      (await read(trust)).servers.map(
        (server) => `${server.name} ${server.transport === "stdio" ? server.command : server.transport}`,
      );
    expect(await names(false)).toEqual(["a user", "b user", "c sse"]);
    expect(await names(true)).toEqual(["a user", "b project", "c sse"]);
  });

  it("are reported if they are invalid", async () => {
    writeFileSync(join(root, "agent/mcp.json"), "{ nonsense");
    const { servers, problems } = await readMcpServers({
      agentDir: join(root, "agent"),
      cwd: root,
      trustProject: true,
      extra: "/no/file",
      env: {},
    });
    expect(servers).toEqual([]);
    expect(problems).toEqual([expect.stringContaining("agent/mcp.json"), expect.stringContaining("/no/file")]);
  });
});
