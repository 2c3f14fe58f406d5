import { appendFileSync } from "node:fs";
import { asObject, asText, type Json } from "@gantry/scripted/json";
import { readLines } from "@gantry/scripted/lines";

/**
 * A server of the Model Context Protocol on stdio with one tool, `read_lamp`. Logs every call as a JSON line to the file
 * `LIGHTHOUSE_LOG`, with the `LIGHTHOUSE_KEY` of its environment.
 */
const TOOL = {
  name: "read_lamp",
  description: "Reports whether the lamp of a lighthouse is lit.",
  inputSchema: {
    type: "object",
    properties: { place: { type: "string", description: "Where the lighthouse stands" } },
    required: ["place"],
  },
};

readLines(process.stdin, (line) => {
  if (line.trim() !== "") handleMessage(asObject(JSON.parse(line)));
});

function handleMessage({ id, method, params }: Json): void {
  if (id === undefined || typeof method !== "string") return;
  const answer = answerTo(method, asObject(params));
  const outcome = answer ? { result: answer } : { error: { code: -32601, message: `There is no method ${method}.` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
}

function answerTo(method: string, params: Json): Json | undefined {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "lighthouse", version: "1.0.0" },
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: [TOOL] };
    case "tools/call":
      return callTool(asText(params.name), asObject(params.arguments));
    default:
      return undefined;
  }
}

function callTool(tool: string, input: Json): Json {
  const file = process.env.LIGHTHOUSE_LOG;
  if (file) appendFileSync(file, `${JSON.stringify({ tool, input, key: process.env.LIGHTHOUSE_KEY ?? null })}\n`);
  return { content: [{ type: "text", text: `The lamp of ${asText(input.place)} is lit.` }] };
}
