import { asObject, asObjects, asText, type Json, parseObject } from "../../json.ts";
import { pieces } from "../../pieces.ts";
import type { Entry, ModelRequest } from "../conversation.ts";
import type { Failure } from "../failures.ts";
import type { Stop } from "../script.ts";
import { contentText, type ReplyOutput, type ReplyWriter, TOKENS, type WireFormat } from "./format.ts";

const SIGNATURE = "c2NyaXB0ZWQ=";
const USAGE = {
  input_tokens: TOKENS.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: TOKENS.cached,
  output_tokens: TOKENS.output,
  service_tier: "standard",
};

/** Anthropic's Messages API. */
export const anthropic: WireFormat = {
  name: "anthropic",
  owns: (path) => path.endsWith("/messages"),
  read,
  errorBody: (failure) => ({ type: "error", error: failure.anthropic, request_id: "req_scripted" }),
  writer: (request, out) => new AnthropicWriter(request, out),
};

function read(body: Json): ModelRequest {
  const entries: Entry[] = [];
  let system = contentText(body.system);
  for (const message of asObjects(body.messages)) {
    if (message.role === "system") system += `\n${contentText(message.content)}`;
    else entries.push(...entriesOf(message));
  }
  const tools = asObjects(body.tools).map((tool) => ({ name: asText(tool.name), schema: asObject(tool.input_schema) }));
  const format = asObject(asObject(body.output_config).format ?? body.output_format);
  return {
    model: asText(body.model),
    stream: body.stream === true,
    system,
    entries,
    tools,
    wantsJson: format.schema ? asObject(format.schema) : undefined,
  };
}

function entriesOf(message: Json): Entry[] {
  if (message.role === "assistant") return [{ from: "model" }];
  const parts =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : asObjects(message.content);
  const entries: Entry[] = [];
  if (parts.some((part) => part.type === "tool_result")) entries.push({ from: "tools" });
  const text = parts.flatMap((part) => (part.type === "text" ? [asText(part.text)] : [])).join("\n");
  if (text) entries.push({ from: "human", text });
  return entries;
}

class AnthropicWriter implements ReplyWriter {
  readonly #request: ModelRequest;
  readonly #out: ReplyOutput;
  readonly #id: string;
  readonly #content: Json[] = [];
  #open: Json | null = null;

  constructor(request: ModelRequest, out: ReplyOutput) {
    this.#request = request;
    this.#out = out;
    this.#id = out.id("msg");
  }

  start(): void {
    this.#send("message_start", { message: this.#message([], null, { ...USAGE, output_tokens: 1 }) });
    this.#send("ping", {});
  }

  text(piece: string): void {
    const block = this.#block("text", () => ({ type: "text", text: "" }));
    block.text = asText(block.text) + piece;
    this.#delta({ type: "text_delta", text: piece });
  }

  think(piece: string): void {
    const block = this.#block("thinking", () => ({ type: "thinking", thinking: "", signature: "" }));
    block.thinking = asText(block.thinking) + piece;
    this.#delta({ type: "thinking_delta", thinking: piece });
  }

  tool(name: string, argumentsText: string): void {
    this.#close();
    const block = this.#block("tool_use", () => ({ type: "tool_use", id: this.#out.id("toolu"), name, input: {} }));
    for (const piece of pieces(argumentsText, 20)) this.#delta({ type: "input_json_delta", partial_json: piece });
    block.input = parseObject(argumentsText) ?? {};
    this.#close();
  }

  freeform(name: string, text: string): void {
    this.tool(name, JSON.stringify({ input: text }));
  }

  finish(stop: Stop): void {
    this.#close();
    const calls = this.#content.some((block) => block.type === "tool_use");
    const reason = calls ? "tool_use" : stop === "end" ? "end_turn" : stop;
    if (!this.#request.stream) {
      this.#out.body(this.#message(this.#content, reason, USAGE));
      return;
    }
    this.#send("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage: USAGE });
    this.#send("message_stop", {});
  }

  fail(failure: Failure): void {
    this.#send("error", { error: failure.anthropic });
  }

  #message(content: Json[], stop: string | null, usage: Json): Json {
    return {
      id: this.#id,
      type: "message",
      role: "assistant",
      model: this.#request.model,
      content,
      stop_reason: stop,
      stop_sequence: null,
      usage,
    };
  }

  #block(type: string, make: () => Json): Json {
    if (this.#open?.type === type && type !== "tool_use") return this.#open;
    this.#close();
    const block = make();
    this.#open = block;
    this.#content.push(block);
    this.#send("content_block_start", { index: this.#content.length - 1, content_block: { ...block } });
    return block;
  }

  #delta(delta: Json): void {
    this.#send("content_block_delta", { index: this.#content.length - 1, delta });
  }

  #close(): void {
    if (!this.#open) return;
    if (this.#open.type === "thinking") {
      this.#open.signature = SIGNATURE;
      this.#delta({ type: "signature_delta", signature: SIGNATURE });
    }
    this.#open = null;
    this.#send("content_block_stop", { index: this.#content.length - 1 });
  }

  #send(type: string, data: Json): void {
    if (this.#request.stream) this.#out.frame({ type, ...data }, type);
  }
}
