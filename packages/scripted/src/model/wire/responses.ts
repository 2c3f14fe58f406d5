import { asObject, asObjects, asText, type Json } from "../../json.ts";
import { pieces } from "../../pieces.ts";
import type { Entry, ModelRequest, OfferedTool } from "../conversation.ts";
import type { Failure } from "../failures.ts";
import type { Stop } from "../script.ts";
import { contentText, type ReplyOutput, type ReplyWriter, TOKENS, type WireFormat } from "./format.ts";

const USAGE = {
  input_tokens: TOKENS.input + TOKENS.cached,
  input_tokens_details: { cached_tokens: TOKENS.cached },
  output_tokens: TOKENS.output,
  output_tokens_details: { reasoning_tokens: TOKENS.reasoning },
  total_tokens: TOKENS.input + TOKENS.cached + TOKENS.output,
};

/** OpenAI's Responses API. */
export const responses: WireFormat = {
  name: "responses",
  owns: (path) => path.endsWith("/responses"),
  read,
  errorBody: (failure) => ({ error: failure.openai }),
  writer: (request, out) => new ResponsesWriter(request, out),
};

function read(body: Json): ModelRequest {
  const input = typeof body.input === "string" ? [{ role: "user", content: body.input }] : asObjects(body.input);
  const entries: Entry[] = [];
  let system = asText(body.instructions);
  for (const item of input) {
    const type = asText(item.type, "message");
    if (type.endsWith("_call")) entries.push({ from: "model" });
    else if (type.endsWith("_output")) entries.push({ from: "tools" });
    else if (type === "message" && item.role === "assistant") entries.push({ from: "model" });
    else if (type === "message" && item.role === "user")
      entries.push({ from: "human", text: contentText(item.content) });
    else if (type === "message") system += `\n${contentText(item.content)}`;
  }
  const format = asObject(asObject(body.text).format);
  return {
    model: asText(body.model),
    stream: body.stream === true,
    system,
    entries,
    tools: toolsOf(body, input),
    wantsJson: format.schema ? asObject(format.schema) : undefined,
  };
}

/** Codex sends the tools of newer models inside the input. */
function toolsOf(body: Json, input: Json[]): OfferedTool[] {
  const extra = input.filter((item) => item.type === "additional_tools").flatMap((item) => asObjects(item.tools));
  return [...asObjects(body.tools), ...extra]
    .flatMap((tool) => (tool.type === "namespace" ? inNamespace(tool) : [tool]))
    .map((tool) => ({
      ...(tool.namespace ? { namespace: asText(tool.namespace) } : {}),
      name: asText(tool.name, asText(tool.type)),
      schema: asObject(tool.parameters),
      freeform: tool.type === "custom",
    }));
}

function inNamespace(group: Json): Json[] {
  return asObjects(group.tools).map((tool) => ({ ...tool, namespace: group.name }));
}

class ResponsesWriter implements ReplyWriter {
  readonly #request: ModelRequest;
  readonly #out: ReplyOutput;
  readonly #id: string;
  readonly #output: Json[] = [];
  #open: { item: Json; text: string } | null = null;
  #sequence = 0;

  constructor(request: ModelRequest, out: ReplyOutput) {
    this.#request = request;
    this.#out = out;
    this.#id = out.id("resp");
  }

  start(): void {
    this.#send("response.created", { response: this.#response("in_progress") });
    this.#send("response.in_progress", { response: this.#response("in_progress") });
  }

  text(piece: string): void {
    if (this.#open?.item.type !== "message") {
      const item = { type: "message", id: this.#out.id("msg"), role: "assistant", status: "in_progress", content: [] };
      this.#openItem(item);
      this.#send("response.content_part.added", { ...this.#place(), content_index: 0, part: textPart("") });
    }
    this.#extend(piece);
    this.#send("response.output_text.delta", { ...this.#place(), content_index: 0, delta: piece });
  }

  think(piece: string): void {
    if (this.#open?.item.type !== "reasoning") {
      this.#openItem({ type: "reasoning", id: this.#out.id("rs"), summary: [], encrypted_content: "c2NyaXB0ZWQ=" });
      const part = { type: "summary_text", text: "" };
      this.#send("response.reasoning_summary_part.added", { ...this.#place(), summary_index: 0, part });
    }
    this.#extend(piece);
    this.#send("response.reasoning_summary_text.delta", { ...this.#place(), summary_index: 0, delta: piece });
  }

  tool(name: string, argumentsText: string): void {
    const namespace = this.#request.tools.find((tool) => tool.name === name)?.namespace;
    const item = { type: "function_call", id: this.#out.id("fc"), call_id: this.#out.id("call"), name, arguments: "" };
    this.#openItem({ ...item, ...(namespace ? { namespace } : {}), status: "in_progress" });
    for (const piece of pieces(argumentsText, 20)) {
      this.#extend(piece);
      this.#send("response.function_call_arguments.delta", { ...this.#place(), delta: piece });
    }
    this.#close();
  }

  freeform(name: string, text: string): void {
    const item = { type: "custom_tool_call", id: this.#out.id("ctc"), call_id: this.#out.id("call"), name, input: "" };
    this.#openItem({ ...item, status: "in_progress" });
    for (const piece of pieces(text, 20)) {
      this.#extend(piece);
      this.#send("response.custom_tool_call_input.delta", { ...this.#place(), delta: piece });
    }
    this.#close();
  }

  finish(stop: Stop): void {
    this.#close();
    const reason = { end: undefined, max_tokens: "max_output_tokens", refusal: "content_filter" }[stop];
    const status = reason ? "incomplete" : "completed";
    const details = reason ? { incomplete_details: { reason } } : {};
    const response = { ...this.#response(status), usage: USAGE, ...details };
    if (this.#request.stream) this.#send(`response.${status}`, { response });
    else this.#out.body(response);
  }

  fail(failure: Failure): void {
    const error = { code: failure.openai.code, message: failure.openai.message };
    this.#send("response.failed", { response: { ...this.#response("failed"), error } });
  }

  #openItem(item: Json): void {
    this.#close();
    this.#open = { item, text: "" };
    this.#output.push(item);
    this.#send("response.output_item.added", { output_index: this.#output.length - 1, item: { ...item } });
  }

  #extend(piece: string): void {
    if (this.#open) this.#open.text += piece;
  }

  #close(): void {
    if (!this.#open) return;
    const { item, text } = this.#open;
    const place = this.#place();
    this.#open = null;
    if (item.type === "message") {
      item.content = [textPart(text)];
      this.#send("response.output_text.done", { ...place, content_index: 0, text });
      this.#send("response.content_part.done", { ...place, content_index: 0, part: textPart(text) });
    } else if (item.type === "reasoning") {
      item.summary = [{ type: "summary_text", text }];
      this.#send("response.reasoning_summary_text.done", { ...place, summary_index: 0, text });
      this.#send("response.reasoning_summary_part.done", {
        ...place,
        summary_index: 0,
        part: { type: "summary_text", text },
      });
    } else if (item.type === "function_call") {
      item.arguments = text;
      this.#send("response.function_call_arguments.done", { ...place, arguments: text });
    } else {
      item.input = text;
    }
    if (item.status) item.status = "completed";
    this.#send("response.output_item.done", { output_index: place.output_index, item });
  }

  #place(): { item_id: unknown; output_index: number } {
    return { item_id: this.#open?.item.id, output_index: this.#output.length - 1 };
  }

  #response(status: string): Json {
    return {
      id: this.#id,
      object: "response",
      created_at: 1_700_000_000,
      status,
      model: this.#request.model,
      output: status === "in_progress" ? [] : this.#output,
      parallel_tool_calls: true,
      tool_choice: "auto",
      tools: [],
      usage: null,
    };
  }

  #send(type: string, data: Json): void {
    if (this.#request.stream) this.#out.frame({ type, sequence_number: this.#sequence++, ...data }, type);
  }
}

const textPart = (text: string) => ({ type: "output_text", text, annotations: [] });
