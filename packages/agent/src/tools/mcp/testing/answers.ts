/** The answers of a small fake MCP server, over stdio (run as a program) and HTTP. It covers cases that the testkit's server lacks. */
import { createInterface } from "node:readline";

type Request = { id?: number; method: string; params?: Record<string, unknown> };

const TOOLS = [
  { name: "look", description: "Looks.", annotations: { readOnlyHint: true }, inputSchema: { type: "object" } },
  {
    name: "change it",
    description: "Changes.",
    inputSchema: { type: "object", properties: { by: { type: "string" } } },
  },
  { name: "hang", inputSchema: { type: "object" } },
  { name: "die", inputSchema: { type: "object" } },
  { name: "long", inputSchema: { type: "object" } },
];

export function answer({ method, params }: Request): Record<string, unknown> | undefined {
  if (method === "initialize") {
    const capabilities = { tools: { listChanged: true }, resources: {} };
    return { protocolVersion: params?.protocolVersion, capabilities, serverInfo: { name: "fake", version: "1" } };
  }
  if (method === "tools/list") return { tools: TOOLS };
  if (method === "resources/list") return { resources: [{ uri: "note://one", name: "One" }] };
  if (method === "resources/read")
    return { contents: [{ uri: "note://one", text: `read ${params?.uri}`, mimeType: "text/markdown" }] };
  if (method === "ping") return {};
  if (method === "tools/call") return call(String(params?.name), params?.arguments);
  return undefined;
}

function call(name: string, args: unknown): Record<string, unknown> | undefined {
  if (name === "die") process.exit(3);
  if (name === "hang") return undefined;
  if (name === "long") return { content: [{ type: "text", text: "x".repeat(200_000) }] };
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  return { content: [{ type: "text", text: `${name} ${JSON.stringify(args)} ${process.env.FAKE_KEY ?? ""}` }, image] };
}

if (process.argv[1] === import.meta.filename) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const request = JSON.parse(line) as Request;
    const result = request.id === undefined ? undefined : answer(request);
    if (result) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, result })}\n`);
  });
}
