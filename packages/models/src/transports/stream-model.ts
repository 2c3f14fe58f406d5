import type { Api, Model } from "../model.ts";
import type { ModelRequest, StreamEvent, StreamModel } from "../stream.ts";
import { Assembly } from "./assembly.ts";
import { hasConnections, readResponse, send } from "./exchange.ts";
import { failureOfException } from "./failure/exception.ts";
import { secretsOf } from "./failure/redact.ts";
import type { Transport } from "./transport.ts";

/** Each transport is loaded by the first request that needs it. */
const TRANSPORTS: Record<Api, () => Promise<Transport>> = {
  "openai-completions": async () => (await import("./completions/transport.ts")).openaiCompletions,
  "openai-responses": async () => (await import("./responses/transport.ts")).openaiResponses,
  "openai-codex-responses": async () => (await import("./responses/codex.ts")).openaiCodexResponses,
  "azure-openai-responses": async () => (await import("./responses/azure.ts")).azureOpenaiResponses,
  "anthropic-messages": async () => (await import("./anthropic/transport.ts")).anthropicMessages,
  "bedrock-converse-stream": async () => (await import("./bedrock/transport.ts")).bedrockConverseStream,
  "google-generative-ai": async () => (await import("./google/generative-ai.ts")).googleGenerativeAi,
  "google-vertex": async () => (await import("./google/vertex.ts")).googleVertex,
  "google-gemini-cli": async () => (await import("./google/gemini-cli.ts")).googleGeminiCli,
  "ollama-chat": async () => (await import("./ollama/transport.ts")).ollamaChat,
};

/** Closes the connections that the requests of a session left open for the next one. Never rejects. */
export async function closeConnections(sessionId: string): Promise<void> {
  if (!hasConnections()) return;
  const { closeIdle } = await import("./responses/socket/pool.ts");
  closeIdle(sessionId);
}

/** Sends one request to a model, with the transport of its wire format. */
export const streamModel: StreamModel = (model, request) => stream(model, request);

async function* stream(model: Model, request: ModelRequest): AsyncGenerator<StreamEvent, void, undefined> {
  const assembly = new Assembly(model, request.thinking, request.tools);
  const inner = new AbortController();
  const stop = () => inner.abort();
  request.signal.addEventListener("abort", stop, { once: true });
  if (request.signal.aborted) stop();
  yield { type: "start" };
  try {
    const load = TRANSPORTS[model.api];
    if (!load) throw new Error(`There is no transport for the wire format "${model.api}".`);
    const transport = await load();
    const answer = await send(transport, model, request, assembly, inner);
    if (answer) {
      for await (const events of readResponse(transport, answer, model, request, assembly, inner)) yield* events;
    }
  } catch (error) {
    assembly.fail(failureOfException(error, secretsOf(request.credential, model.headers)));
  } finally {
    request.signal.removeEventListener("abort", stop);
    inner.abort();
  }
  yield* assembly.finish();
}
