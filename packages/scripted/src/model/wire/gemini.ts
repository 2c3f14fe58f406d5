import { asObject, asObjects, asText, type Json, parseObject } from "../../json.ts";
import type { Entry, ModelRequest } from "../conversation.ts";
import type { Failure } from "../failures.ts";
import type { Stop } from "../script.ts";
import { contentText, type ReplyOutput, type ReplyWriter, TOKENS, type WireFormat } from "./format.ts";

const ROUTE = /(?:models\/([^/:]+)|v1internal):(streamGenerateContent|generateContent)$/;
const USAGE = {
  promptTokenCount: TOKENS.input + TOKENS.cached,
  candidatesTokenCount: TOKENS.output,
  totalTokenCount: TOKENS.input + TOKENS.cached + TOKENS.output + TOKENS.reasoning,
  cachedContentTokenCount: TOKENS.cached,
  thoughtsTokenCount: TOKENS.reasoning,
};

/**
 * Gemini's generateContent. The Code Assist form (`/v1internal:…`) wraps the same request in `request` and the same
 * reply in `response`.
 */
export const gemini: WireFormat = {
  name: "gemini",
  owns: (path) => ROUTE.test(path),
  read,
  errorBody: (failure) => ({ error: { code: failure.status, ...failure.gemini } }),
  writer: (request, out) => new GeminiWriter(request, out),
};

/** A request in Code Assist's wrapper. */
const wrapped = new WeakSet<ModelRequest>();

function read(body: Json, path: string): ModelRequest {
  const route = ROUTE.exec(path);
  const codeAssist = route?.[1] === undefined;
  const inner = codeAssist ? asObject(body.request) : body;
  const config = asObject(inner.generationConfig);
  const schema = config.responseJsonSchema ?? config.responseSchema;
  const request: ModelRequest = {
    model: codeAssist ? asText(body.model) : decodeURIComponent(route[1] as string),
    stream: route?.[2] === "streamGenerateContent",
    system: contentText(asObject(inner.systemInstruction).parts),
    entries: asObjects(inner.contents).flatMap(entriesOf),
    tools: asObjects(inner.tools)
      .flatMap((tool) => asObjects(tool.functionDeclarations))
      .map((tool) => ({ name: asText(tool.name), schema: asObject(tool.parametersJsonSchema ?? tool.parameters) })),
    wantsJson: schema ? asObject(schema) : config.responseMimeType === "application/json" ? {} : undefined,
  };
  if (codeAssist) wrapped.add(request);
  return request;
}

function entriesOf(content: Json): Entry[] {
  if (content.role === "model") return [{ from: "model" }];
  const parts = asObjects(content.parts);
  const entries: Entry[] = [];
  if (parts.some((part) => part.functionResponse)) entries.push({ from: "tools" });
  const text = parts.flatMap((part) => (part.thought ? [] : [asText(part.text)])).join("\n");
  if (text.trim()) entries.push({ from: "human", text });
  return entries;
}

class GeminiWriter implements ReplyWriter {
  readonly #request: ModelRequest;
  readonly #out: ReplyOutput;
  readonly #id: string;
  readonly #parts: Json[] = [];
  #thought = "";

  constructor(request: ModelRequest, out: ReplyOutput) {
    this.#request = request;
    this.#out = out;
    this.#id = out.id("resp");
  }

  start(): void {}

  text(piece: string): void {
    this.#part({ text: piece });
  }

  /** Google sends reasoning in one piece. */
  think(piece: string): void {
    this.#thought += piece;
  }

  tool(name: string, argumentsText: string): void {
    const functionCall = { id: this.#out.id("call"), name, args: parseObject(argumentsText) ?? {} };
    this.#part({ functionCall, thoughtSignature: "c2NyaXB0ZWQ=" });
  }

  freeform(name: string, text: string): void {
    this.tool(name, JSON.stringify({ input: text }));
  }

  finish(stop: Stop): void {
    const reason = FINISH[stop];
    this.#tellThought();
    if (this.#request.stream) this.#frame(this.#response([{ text: "" }], reason));
    else this.#out.body(this.#wrap(this.#response(this.#parts, reason)));
  }

  fail(failure: Failure): void {
    this.#out.frame({ error: { code: failure.status, ...failure.gemini } });
  }

  #part(part: Json): void {
    this.#tellThought();
    if (this.#request.stream) this.#frame(this.#response([part]));
    else this.#parts.push(part);
  }

  #tellThought(): void {
    const text = this.#thought;
    this.#thought = "";
    if (text) this.#part({ text, thought: true });
  }

  /** Google escapes characters that some readers treat as line ends. */
  #frame(response: Json): void {
    const text = JSON.stringify(this.#wrap(response));
    this.#out.frame(text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029"));
  }

  #response(parts: Json[], finishReason?: string): Json {
    const usageMetadata = finishReason ? USAGE : { promptTokenCount: USAGE.promptTokenCount };
    const candidates = [{ content: { role: "model", parts }, index: 0, ...(finishReason ? { finishReason } : {}) }];
    return { candidates, usageMetadata, modelVersion: this.#request.model, responseId: this.#id };
  }

  #wrap(response: Json): Json {
    return wrapped.has(this.#request) ? { response } : response;
  }
}

const FINISH: Record<Stop, string> = { end: "STOP", max_tokens: "MAX_TOKENS", refusal: "SAFETY" };
