import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

type Part = { role: string; content?: string | { text?: string }[]; tool_calls?: unknown[] };
type ChatRequest = { messages: Part[]; tools?: unknown[] };

/**
 * A model on loopback with the chat completions API, for agents with a built-in loop. The prompt names the
 * scenario as in `acp-fake.ts`: `[[burst:N]]`, `[[slow:N:MS]]`, `[[bulk:BYTES]]`. Every chunk contains its number and
 * its creation time.
 */
export async function startStampedModel(): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.on("error", () => undefined);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Partial<ChatRequest>;
    response.writeHead(200, { "content-type": "text/event-stream" });
    await answer(body, response);
    response.end("data: [DONE]\n\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

async function answer({ messages = [], tools = [] }: Partial<ChatRequest>, response: ServerResponse): Promise<void> {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const [, name, first = "1", second = "0"] = /\[\[(\w+)(?::(\d+))?(?::(\d+))?\]\]/.exec(textOf(messages[last])) ?? [];
  // A request without tools is for a title; after a tool result, only a final message is needed.
  if (name === undefined || tools.length === 0) return piece(response, { content: "A title" }, "stop");
  if (messages.slice(last).some(({ role }) => role === "tool")) return piece(response, { content: "Done." }, "stop");
  if (name === "bulk") return bulk(response, Number(first));
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  for (let n = 0; n < Number(first) && !response.destroyed; n++) {
    piece(response, { content: `${n} ${Date.now()} message\n` });
    if (name === "slow") await sleep(Number(second));
    else if (response.writableNeedDrain) await once(response, "drain", gone).catch(() => undefined);
  }
  piece(response, {}, "stop");
}

function bulk(response: ServerResponse, bytes: number): void {
  const command = `head -c ${bytes} /dev/zero | tr '\\0' 'x' | fold -w 99`;
  const call = { name: "bash", arguments: JSON.stringify({ command, description: "Print a lot" }) };
  piece(response, { tool_calls: [{ index: 0, id: `call_${Date.now()}`, type: "function", function: call }] });
  piece(response, {}, "tool_calls");
}

function piece(response: ServerResponse, delta: object, finish: string | null = null): void {
  const choices = [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: finish }];
  const chunk = { id: "c", object: "chat.completion.chunk", created: 0, model: "stamped", choices };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function textOf(message: Part | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}
