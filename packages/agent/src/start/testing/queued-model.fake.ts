import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer: text, or tool calls with any name and arguments. */
export type QueuedReply = { text?: string; calls?: { name: string; args: Record<string, unknown> }[] };

/** The request body, as far as tests check it. */
export type AskedBody = {
  model: string;
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string; description: string } }[];
};

/**
 * A model server on loopback that returns the answers queued by the test, in the chat completions format. It can call
 * any tool with any arguments, which the scripted model of the testkit cannot.
 */
export async function startQueuedModel() {
  const replies: (QueuedReply | ((body: AskedBody) => QueuedReply))[] = [];
  const asked: AskedBody[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as AskedBody;
    asked.push(body);
    keys.push(request.headers.authorization);
    const next = replies.shift() ?? { text: "Done." };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const line of linesOf(typeof next === "function" ? next(body) : next)) response.write(`data: ${line}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    /** The header with the key of each request. */
    keys,
    queue: (...more: typeof replies) => void replies.push(...more),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

export type QueuedModel = Awaited<ReturnType<typeof startQueuedModel>>;

/** The text of the last result of a tool, as the model got it. */
export function lastResult({ messages }: AskedBody): string {
  const content = messages.findLast(({ role }) => role === "tool")?.content;
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

function linesOf({ text, calls = [] }: QueuedReply): string[] {
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  const ids = calls.map(() => `call_${Math.random().toString(36).slice(2)}`);
  return [
    ...(text === undefined ? [] : [chunk({ role: "assistant", content: text })]),
    ...calls.map(({ name, args }, index) =>
      chunk({
        tool_calls: [{ index, id: ids[index], type: "function", function: { name, arguments: JSON.stringify(args) } }],
      }),
    ),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
  ];
}
