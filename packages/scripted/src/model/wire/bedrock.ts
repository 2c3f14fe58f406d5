import { crc32 } from "node:zlib";
import { asArray, asObject, asObjects, asText, type Json } from "../../json.ts";
import { pieces } from "../../pieces.ts";
import type { Entry, ModelRequest } from "../conversation.ts";
import type { Failure } from "../failures.ts";
import type { Stop } from "../script.ts";
import { type ReplyOutput, type ReplyWriter, TOKENS, type WireFormat } from "./format.ts";

const ROUTE = /\/model\/([^/]+)\/converse-stream$/;
const SIGNATURE = "c2NyaXB0ZWQ=";

/** Amazon Bedrock's ConverseStream API with AWS's binary framing. */
export const bedrock: WireFormat = {
  name: "bedrock",
  owns: (path) => ROUTE.test(path),
  read,
  errorBody: (failure) => ({ message: failure.anthropic.message }),
  writer: (_request, out) => new BedrockWriter(out),
};

/** One message of the binary framing: prelude, headers, payload, each part with its checksum. */
export function eventMessage(headers: Record<string, string>, payload: string): Buffer {
  const fields = Object.entries(headers).map(([name, value]) => {
    const [key, text] = [Buffer.from(name), Buffer.from(value)];
    const size = Buffer.alloc(2);
    size.writeUInt16BE(text.length);
    return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([7]), size, text]);
  });
  const head = Buffer.concat(fields);
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(12 + head.length + body.length + 4, 0);
  prelude.writeUInt32BE(head.length, 4);
  const message = Buffer.concat([prelude, checksum(prelude), head, body]);
  return Buffer.concat([message, checksum(message)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

function read(body: Json, path: string): ModelRequest {
  return {
    model: decodeURIComponent(ROUTE.exec(path)?.[1] ?? ""),
    stream: true,
    system: texts(body.system),
    entries: asObjects(body.messages).flatMap(entriesOf),
    tools: asObjects(asObject(body.toolConfig).tools)
      .map((tool) => asObject(tool.toolSpec))
      .filter((tool) => tool.name !== undefined)
      .map((tool) => ({ name: asText(tool.name), schema: asObject(asObject(tool.inputSchema).json) })),
  };
}

function texts(blocks: unknown): string {
  return asArray(blocks)
    .map((block) => asText(asObject(block).text))
    .join("\n");
}

function entriesOf(message: Json): Entry[] {
  if (message.role === "assistant") return [{ from: "model" }];
  const entries: Entry[] = [];
  if (asObjects(message.content).some((block) => block.toolResult)) entries.push({ from: "tools" });
  const text = texts(message.content);
  if (text.trim()) entries.push({ from: "human", text });
  return entries;
}

class BedrockWriter implements ReplyWriter {
  readonly #out: ReplyOutput;
  #index = -1;
  #open: "text" | "thinking" | null = null;
  #called = false;

  constructor(out: ReplyOutput) {
    this.#out = out;
  }

  start(): void {
    this.#send("messageStart", { role: "assistant" });
  }

  text(piece: string): void {
    this.#begin("text");
    this.#delta({ text: piece });
  }

  think(piece: string): void {
    this.#begin("thinking");
    this.#delta({ reasoningContent: { text: piece } });
  }

  tool(name: string, argumentsText: string): void {
    this.#close();
    this.#called = true;
    this.#index++;
    const toolUse = { toolUseId: this.#out.id("tooluse"), name };
    this.#send("contentBlockStart", { contentBlockIndex: this.#index, start: { toolUse } });
    for (const input of pieces(argumentsText, 20)) this.#delta({ toolUse: { input } });
    this.#send("contentBlockStop", { contentBlockIndex: this.#index });
  }

  freeform(name: string, text: string): void {
    this.tool(name, JSON.stringify({ input: text }));
  }

  finish(stop: Stop): void {
    this.#close();
    const reason = { end: "end_turn", max_tokens: "max_tokens", refusal: "guardrail_intervened" }[stop];
    this.#send("messageStop", { stopReason: this.#called ? "tool_use" : reason });
    this.#send("metadata", {
      usage: {
        inputTokens: TOKENS.input,
        outputTokens: TOKENS.output,
        cacheReadInputTokens: TOKENS.cached,
        totalTokens: TOKENS.input + TOKENS.cached + TOKENS.output,
      },
    });
  }

  fail(failure: Failure): void {
    const headers = { ":message-type": "exception", ":exception-type": exceptionOf(failure.status) };
    this.#out.bytes(eventMessage(headers, JSON.stringify({ message: failure.anthropic.message })));
  }

  /** A text block starts with its first delta. */
  #begin(kind: "text" | "thinking"): void {
    if (this.#open === kind) return;
    this.#close();
    this.#open = kind;
    this.#index++;
  }

  #close(): void {
    if (!this.#open) return;
    if (this.#open === "thinking") this.#delta({ reasoningContent: { signature: SIGNATURE } });
    this.#open = null;
    this.#send("contentBlockStop", { contentBlockIndex: this.#index });
  }

  #delta(delta: Json): void {
    this.#send("contentBlockDelta", { contentBlockIndex: this.#index, delta });
  }

  #send(type: string, data: Json): void {
    const headers = { ":event-type": type, ":content-type": "application/json", ":message-type": "event" };
    this.#out.bytes(eventMessage(headers, JSON.stringify({ ...data, p: "abcdef" })));
  }
}

function exceptionOf(status: number): string {
  if (status === 429) return "throttlingException";
  if (status === 400) return "validationException";
  return status === 503 || status === 529 ? "serviceUnavailableException" : "internalServerException";
}
