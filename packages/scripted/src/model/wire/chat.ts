import { asObject, asObjects, asText, type Json } from "../../json.ts";
import { pieces } from "../../pieces.ts";
import type { Entry, ModelRequest } from "../conversation.ts";
import type { Failure } from "../failures.ts";
import type { Stop } from "../script.ts";
import { contentText, type ReplyOutput, type ReplyWriter, TOKENS, type WireFormat } from "./format.ts";

const USAGE = {
  prompt_tokens: TOKENS.input + TOKENS.cached,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.cached + TOKENS.output,
  prompt_tokens_details: { cached_tokens: TOKENS.cached },
  completion_tokens_details: { reasoning_tokens: TOKENS.reasoning },
};

/** OpenAI's Chat Completions. */
export const chat: WireFormat = {
  name: "chat",
  owns: (path) => path.endsWith("/chat/completions"),
  read,
  errorBody: (failure) => ({ error: failure.openai }),
  writer: (request, out) => new ChatWriter(request, out),
};

function read(body: Json): ModelRequest {
  const entries: Entry[] = [];
  let system = "";
  for (const message of asObjects(body.messages)) {
    if (message.role === "assistant") entries.push({ from: "model" });
    else if (message.role === "tool") entries.push({ from: "tools", text: contentText(message.content) });
    else if (message.role === "user") entries.push({ from: "human", text: contentText(message.content) });
    else system += `${contentText(message.content)}\n`;
  }
  const tools = asObjects(body.tools)
    .map((tool) => asObject(tool.function))
    .map((tool) => ({ name: asText(tool.name), schema: asObject(tool.parameters) }));
  const format = asObject(body.response_format);
  const schema = asObject(format.json_schema).schema;
  return {
    model: asText(body.model),
    stream: body.stream === true,
    system,
    entries,
    tools,
    wantsJson: schema ? asObject(schema) : format.type === "json_object" ? {} : undefined,
  };
}

class ChatWriter implements ReplyWriter {
  readonly #request: ModelRequest;
  readonly #out: ReplyOutput;
  readonly #base: Json;
  readonly #calls: Json[] = [];
  #text = "";
  #reasoning = "";

  constructor(request: ModelRequest, out: ReplyOutput) {
    this.#request = request;
    this.#out = out;
    this.#base = { id: out.id("chatcmpl"), created: 1_700_000_000, model: request.model };
  }

  start(): void {
    this.#chunk({ role: "assistant", content: "" });
  }

  text(piece: string): void {
    this.#text += piece;
    this.#chunk({ content: piece });
  }

  think(piece: string): void {
    this.#reasoning += piece;
    this.#chunk({ reasoning_content: piece });
  }

  tool(name: string, argumentsText: string): void {
    const index = this.#calls.length;
    const id = this.#out.id("call");
    this.#calls.push({ id, type: "function", function: { name, arguments: argumentsText } });
    this.#chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (const piece of pieces(argumentsText, 20)) {
      this.#chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }

  freeform(name: string, text: string): void {
    this.tool(name, JSON.stringify({ input: text }));
  }

  finish(stop: Stop): void {
    const reason = this.#calls.length > 0 ? "tool_calls" : FINISH[stop];
    if (!this.#request.stream) {
      this.#out.body(this.#completion(reason));
      return;
    }
    this.#chunk({}, reason);
    this.#out.frame({ ...this.#base, object: "chat.completion.chunk", choices: [], usage: USAGE });
    this.#out.frame("[DONE]");
  }

  fail(failure: Failure): void {
    if (this.#request.stream) this.#out.frame({ error: failure.openai });
  }

  #completion(reason: string): Json {
    const message = {
      role: "assistant",
      content: this.#text || null,
      ...(this.#reasoning ? { reasoning_content: this.#reasoning } : {}),
      ...(this.#calls.length > 0 ? { tool_calls: this.#calls } : {}),
    };
    const choices = [{ index: 0, message, finish_reason: reason }];
    return { ...this.#base, object: "chat.completion", choices, usage: USAGE };
  }

  #chunk(delta: Json, reason: string | null = null): void {
    if (!this.#request.stream) return;
    const choices = [{ index: 0, delta, finish_reason: reason }];
    this.#out.frame({ ...this.#base, object: "chat.completion.chunk", choices });
  }
}

const FINISH: Record<Stop, string> = { end: "stop", max_tokens: "length", refusal: "content_filter" };
