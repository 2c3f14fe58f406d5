import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json } from "../../json.ts";
import { lastMarker, markedFolder } from "../../marker.ts";
import { answerCloud, type BackendHost, type CloudAgents } from "./cloud.ts";
import { allBytes, bytesAt, decodeMessage, encodeText, textAt } from "./proto.ts";
import { endStream, Inbox, Run } from "./run.ts";

/** Valid until 2100, for the user `u`. */
const TOKEN = `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({ sub: "u", exp: 4_102_444_800 })).toString("base64url")}.x`;
const MODELS = [
  { id: "scripted-model", displayName: "Scripted model" },
  { id: "scripted-other", displayName: "Scripted other" },
];

/**
 * The part of Cursor's service that its SDK needs: the exchange of keys, models, runs of local agents over Connect, and
 * agents in the cloud. The scenario is the `[[name]]` of the prompt. Field numbers are those of the SDK's own descriptors.
 */
export class CursorBackend {
  readonly #host: BackendHost;
  readonly #inboxes = new Map<string, Inbox>();
  readonly #cloud: CloudAgents = new Map();
  #ids = 0;

  constructor(host: BackendHost) {
    this.#host = host;
  }

  owns({ url = "", headers }: IncomingMessage): boolean {
    return (
      /^\/(auth\/exchange_user_api_key|agent\.v1\.|aiserver\.v1\.)/.test(url) ||
      headers["x-cursor-client-type"] === "sdk"
    );
  }

  async answer(http: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const path = (http.url ?? "").split("?")[0] ?? "";
    if (path.endsWith("/BidiAppend")) return this.#receive(body, response);
    if (path.endsWith("/RunSSE")) return this.#run(http, body, response);
    if (path.startsWith("/v1/agents"))
      return answerCloud({ http, path, body, response, agents: this.#cloud, ...this.#host });
    this.#host.note(http, { body: {} });
    const refusal = this.#host.refusal();
    if (refusal && !path.includes("v1."))
      return sendJson(response, { error: { message: refusal.openai.message } }, refusal.status);
    if (path === "/auth/exchange_user_api_key") return sendJson(response, { accessToken: TOKEN, refreshToken: TOKEN });
    if (path === "/v1/models") return sendJson(response, { items: MODELS });
    if (path === "/v1/me") return sendJson(response, { apiKeyName: "scripted", createdAt: "2026-01-01T00:00:00Z" });
    if (!http.headers["content-type"]?.includes("proto")) return sendJson(response, {});
    response.writeHead(200, { "content-type": "application/proto", "content-length": 0 });
    response.end();
  }

  /** A message of the client to a run: bytes, or text in hexadecimal digits. */
  #receive(body: Buffer, response: ServerResponse): void {
    const inbox = this.#inbox(textAt(body, 2, 1));
    const message = bytesAt(body, 4) ?? Buffer.from(textAt(body, 1), "hex");
    for (const [field, value] of decodeMessage(message)) if (Buffer.isBuffer(value)) inbox.add(field, value);
    response.writeHead(200, { "content-type": "application/proto", "content-length": 0 });
    response.end();
  }

  async #run(http: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const id = textAt(body.subarray(5), 1);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    response.writeHead(200, { "content-type": "application/connect+proto" });
    response.flushHeaders();
    const inbox = this.#inbox(id);
    const request = await inbox.take((field) => field === 1, gone.signal);
    const host = this.#host;
    const run = new Run({ response, inbox, signal: gone.signal, pace: host.pace, nextId: () => ++this.#ids });
    const context = await run.context();
    const read = readRun(request, context);
    const { text, model, cwd, body: noted } = read;
    const seen = host.note(http, { body: noted, model, scenario: lastMarker(text)?.name, cwd });
    response.on("close", () => {
      if (!response.writableFinished) seen.aborted = true;
    });
    const refusal = host.refusal();
    if (refusal) return endStream(response, refusal);
    const script = host.script(lastMarker(text), `${read.conversation} ${text}`);
    await run.play(script, read, checkpointOf([...read.earlier, text]));
    this.#inboxes.delete(id);
  }

  #inbox(id: string): Inbox {
    const inbox = this.#inboxes.get(id) ?? new Inbox();
    this.#inboxes.set(id, inbox);
    return inbox;
  }
}

/** The client stores this state and sends it with the next message. Its list of paths holds the earlier prompts here. */
function checkpointOf(prompts: readonly string[]): Buffer {
  return Buffer.concat(prompts.map((prompt) => encodeText(18, prompt)));
}

type RunRequest = {
  text: string;
  model: string;
  cwd: string;
  conversation: string;
  earlier: string[];
  served: Buffer[];
  body: Json;
};

function readRun(request: Buffer, context: Buffer | undefined): RunRequest {
  const message = bytesAt(request, 2, 1, 1);
  const text = textAt(message, 1);
  const images = allBytes(bytesAt(message, 3), 1).map((image) => ({ type: "image", mimeType: textAt(image, 7) }));
  const model = textAt(request, 9, 1);
  const earlier = allBytes(bytesAt(request, 1), 18).map(String);
  const served = [...allBytes(bytesAt(request, 4), 1), ...allBytes(context, 7)];
  const tools = served.map((definition) => ({ name: textAt(definition, 1), server: textAt(definition, 4) }));
  const cwd = markedFolder(text) ?? textAt(context, 4, 2);
  const rules = context?.toString("utf8").replace(/[^\P{C}\n]+/gu, " ");
  const plan = decodeMessage(message ?? Buffer.alloc(0)).find(([field]) => field === 4)?.[1];
  return {
    ...{ text, model, cwd, earlier, served },
    conversation: textAt(request, 5),
    body: { earlier, text, images, model, mode: plan, tools, rules },
  };
}

function sendJson(response: ServerResponse, body: Json, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
