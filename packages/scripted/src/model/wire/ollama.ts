import { asObject, asObjects, asText, type Json, parseObject } from "../../json.ts";
import type { Entry, ModelRequest } from "../conversation.ts";
import type { Failure } from "../failures.ts";
import type { Stop } from "../script.ts";
import { contentText, type ReplyOutput, type ReplyWriter, TOKENS, type WireFormat } from "./format.ts";

/** Ollama's chat API: JSON lines, complete calls, arguments as an object. */
export const ollama: WireFormat = {
  name: "ollama",
  owns: (path) => path.endsWith("/api/chat"),
  read,
  errorBody: (failure) => ({ error: failure.openai.message }),
  writer: (request, out) => new OllamaWriter(request, out),
};

function read(body: Json): ModelRequest {
  const entries: Entry[] = [];
  let system = "";
  for (const message of asObjects(body.messages)) {
    if (message.role === "assistant") entries.push({ from: "model" });
    else if (message.role === "tool") entries.push({ from: "tools" });
    else if (message.role === "user") entries.push({ from: "human", text: contentText(message.content) });
    else system += `${contentText(message.content)}\n`;
  }
  const tools = asObjects(body.tools)
    .map((tool) => asObject(tool.function))
    .map((tool) => ({ name: asText(tool.name), schema: asObject(tool.parameters) }));
  return { model: asText(body.model), stream: body.stream !== false, system, entries, tools };
}

class OllamaWriter implements ReplyWriter {
  readonly #request: ModelRequest;
  readonly #out: ReplyOutput;
  readonly #calls: Json[] = [];
  #text = "";
  #thinking = "";

  constructor(request: ModelRequest, out: ReplyOutput) {
    this.#request = request;
    this.#out = out;
  }

  start(): void {}

  text(piece: string): void {
    this.#text += piece;
    this.#line({ content: piece });
  }

  think(piece: string): void {
    this.#thinking += piece;
    this.#line({ content: "", thinking: piece });
  }

  /** Arguments that are not an object are sent as text, like from weak models. */
  tool(name: string, argumentsText: string): void {
    const call = {
      id: this.#out.id("call"),
      function: { name, arguments: parseObject(argumentsText) ?? argumentsText },
    };
    this.#calls.push(call);
    this.#line({ content: "", tool_calls: [call] });
  }

  freeform(name: string, text: string): void {
    this.tool(name, JSON.stringify({ input: text }));
  }

  finish(stop: Stop): void {
    const last = {
      ...this.#base(),
      done: true,
      done_reason: stop === "max_tokens" ? "length" : "stop",
      total_duration: 1,
      prompt_eval_count: TOKENS.input,
      eval_count: TOKENS.output,
    };
    if (this.#request.stream) this.#out.line({ ...last, message: { role: "assistant", content: "" } });
    else {
      const message = { role: "assistant", content: this.#text, thinking: this.#thinking, tool_calls: this.#calls };
      this.#out.body({ ...last, message });
    }
  }

  fail(failure: Failure): void {
    this.#out.line({ error: failure.openai.message });
  }

  #base(): Json {
    return { model: this.#request.model, created_at: "2025-01-01T00:00:00Z" };
  }

  #line(message: Json): void {
    if (this.#request.stream) {
      this.#out.line({ ...this.#base(), message: { role: "assistant", ...message }, done: false });
    }
  }
}
