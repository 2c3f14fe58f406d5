import type { Message } from "../../messages.ts";
import type { Api, Model } from "../../model.ts";
import type { ModelRequest, StreamEvent, ToolSpec } from "../../stream.ts";
import { streamModel } from "../stream-model.ts";

/** A key that must not appear in any message. */
export const KEY = "test-key-0123456789abcdef";

/** The base path of each wire format on the scripted server. */
const BASES: Record<Api, string> = {
  "openai-completions": "/v1",
  "openai-responses": "/v1",
  "openai-codex-responses": "/backend-api",
  "azure-openai-responses": "/openai/v1",
  "anthropic-messages": "",
  "bedrock-converse-stream": "",
  "google-generative-ai": "/v1beta",
  "google-vertex": "",
  "google-gemini-cli": "",
  "ollama-chat": "",
};

export const WRITE: ToolSpec = {
  name: "write",
  description: "Writes a file",
  parameters: {
    type: "object",
    properties: { file_path: { type: "string" }, content: { type: "string" }, mode: { type: "number" } },
    required: ["file_path", "content"],
  },
};

export function modelOf(api: Api, url: string, more: Partial<Model> = {}): Model {
  return {
    id: "scripted-model",
    name: "Scripted",
    api,
    provider: "scripted",
    baseUrl: url + BASES[api],
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 },
    contextWindow: 200_000,
    maxTokens: 8000,
    ...more,
  };
}

export function user(content: Extract<Message, { role: "user" }>["content"]): Message {
  return { role: "user", content, timestamp: 1 };
}

export function requestOf(prompt: string | Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: ["Be brief."],
    messages: typeof prompt === "string" ? [user(prompt)] : prompt,
    tools: [WRITE],
    thinking: "off",
    credential: { kind: "key", key: KEY },
    signal: new AbortController().signal,
    env: { GOOGLE_CLOUD_PROJECT: "project", GOOGLE_CLOUD_LOCATION: "here" },
    ...more,
  };
}

/** All events of a request, and the message of the last. */
export async function askModel(model: Model, request: ModelRequest) {
  const events: StreamEvent[] = [];
  for await (const event of streamModel(model, request)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "done" && last?.type !== "error") throw new Error("the last event is neither done nor error");
  const { message } = last;
  const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const thinking = message.content.map((block) => (block.type === "thinking" ? block.thinking : "")).join("");
  const calls = message.content.filter((block) => block.type === "toolCall");
  return { events, last, message, text, thinking, calls, failure: message.failure };
}

/** Checks the contract of the event order. Returns the violations as text. */
export function contractViolations(events: StreamEvent[]): string[] {
  const problems: string[] = [];
  const open = new Map<number, { kind: string; text: string }>();
  const seen = new Set<number>();
  if (events[0]?.type !== "start") problems.push("does not start with start");
  for (const [at, event] of events.entries()) {
    const final = event.type === "done" || event.type === "error";
    if (final !== (at === events.length - 1)) problems.push(`${event.type} at ${at} of ${events.length}`);
    if (final || event.type === "start") continue;
    const [kind = "", step] = event.type.split("_");
    const block = open.get(event.index);
    if (step === "start") {
      if (seen.has(event.index)) problems.push(`${kind} ${event.index} starts again`);
      seen.add(event.index);
      open.set(event.index, { kind, text: "" });
    } else if (block?.kind !== kind) problems.push(`${event.type} of ${event.index}, which is ${block?.kind}`);
    else if ("delta" in event) block.text += event.delta;
    else {
      open.delete(event.index);
      const whole =
        event.type === "text_end" ? event.text : event.type === "thinking_end" ? event.thinking : block.text;
      if (whole !== block.text) problems.push(`${event.index} ends with text that differs from its deltas`);
    }
  }
  if (open.size > 0) problems.push("a block is still open");
  return problems;
}
