import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer: text in pieces, or a tool call. `pauseMs`: between the pieces. */
export type Reply = { text?: readonly string[]; call?: { name: string; args: object }; pauseMs?: number };

type Block = { type: string; text?: string; image_url?: { url: string } };
export type SeenRequest = { messages: { role: string; content: string | Block[] }[] };

/** Replaces a provider: a chat completions server on loopback that sends one reply after the other. */
export async function startChatServer(replies: Reply[]) {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (!request.url?.endsWith("/chat/completions")) return response.writeHead(404).end();
    requests.push(JSON.parse(body) as SeenRequest);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: object, finish: string | null = null) =>
      response.write(`data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    const { text = [], call, pauseMs = 0 } = replies.shift() ?? { text: ["There is no further reply."] };
    for (const piece of text) {
      if (response.destroyed) return;
      send({ content: piece });
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    if (call) {
      const { name, args } = call;
      const id = `call_${requests.length}`;
      send({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: JSON.stringify(args) } }] });
    }
    send({}, call ? "tool_calls" : "stop");
    const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
    response.write(`data: ${JSON.stringify({ id: "x", choices: [], usage })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    replies,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
