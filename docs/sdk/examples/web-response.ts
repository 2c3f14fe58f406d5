// Streams an answer to a browser as server-sent events. One session for each request; a closed tab stops the run.
import { createServer } from "node:http";
import { createAgentSession } from "@gantry/agent";

const server = createServer(async (request, response) => {
  const question = new URL(request.url ?? "/", "http://localhost").searchParams.get("q") ?? "Hello.";
  const { session } = await createAgentSession({ mode: "plan", store: "memory", mcp: false });
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.on("close", () => void session.abort());
  const send = (event: string, data: unknown) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

  session.on("message_update", ({ assistantMessageEvent: piece }) => {
    if (piece.type === "text_delta") send("text", piece.delta);
  });
  session.on("tool_execution_start", ({ toolName }) => send("tool", toolName));
  try {
    const { reason, errorMessage } = await session.prompt(question);
    send("end", { reason, errorMessage });
  } catch (error) {
    send("end", { reason: "error", errorMessage: (error as Error).message });
  } finally {
    await session.dispose();
    response.end();
  }
});

server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) console.log(`http://127.0.0.1:${address.port}/?q=Hello`);
});
