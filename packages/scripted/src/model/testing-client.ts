import { asArray, asObject, asObjects, asText, type Json } from "../json.ts";

export type WireName = "anthropic" | "responses" | "chat" | "gemini";

/** The content of a reply, independent of the wire format. */
export interface ReceivedReply {
  status: number;
  text: string;
  reasoning: string;
  calls: { id: string; name: string; input: Json }[];
  stop: string;
  /** The error body or error frame. */
  error: Json | null;
}

/** One earlier round of the conversation: the model's calls, all with results. */
export type Round = ReceivedReply["calls"];

interface Ask {
  prompt: string;
  stream: boolean;
  tools?: boolean;
  rounds?: Round[];
  prefix?: string;
}

const WRITE_SCHEMA = {
  type: "object",
  properties: { file_path: { type: "string" }, content: { type: "string" } },
  required: ["file_path", "content"],
};
const BASH_SCHEMA = {
  type: "object",
  properties: { command: { type: "string" }, description: { type: "string" }, timeout: { type: "number" } },
  required: ["command"],
};
const TOOLS = [
  { name: "Write", schema: WRITE_SCHEMA },
  { name: "Bash", schema: BASH_SCHEMA },
];

/** Sends a conversation in one wire format and collects the reply. A minimal client for tests. */
export async function askModel(url: string, wire: WireName, ask: Ask): Promise<ReceivedReply> {
  const { path, body } = CLIENTS[wire].request({ tools: true, rounds: [], ...ask });
  const response = await fetch(`${url}${ask.prefix ?? ""}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "test" },
    body: JSON.stringify(body),
  });
  const reply: ReceivedReply = { status: response.status, text: "", reasoning: "", calls: [], stop: "", error: null };
  const raw = await response.text();
  if (response.status !== 200) return { ...reply, error: JSON.parse(raw) as Json };
  if (!ask.stream) {
    CLIENTS[wire].readWhole(JSON.parse(raw) as Json, reply);
    return reply;
  }
  const collect = CLIENTS[wire].collector(reply);
  for (const frame of raw.split("\n\n")) {
    const data = frame
      .split("\n")
      .find((line) => line.startsWith("data: "))
      ?.slice("data: ".length);
    if (data && data !== "[DONE]") collect(JSON.parse(data) as Json);
  }
  return reply;
}

interface Client {
  request(ask: Required<Omit<Ask, "prefix">>): { path: string; body: Json };
  readWhole(body: Json, reply: ReceivedReply): void;
  collector(reply: ReceivedReply): (frame: Json) => void;
}

const anthropic: Client = {
  request({ prompt, stream, tools, rounds }) {
    const history = rounds.flatMap((calls) => [
      { role: "assistant", content: calls.map((call) => ({ type: "tool_use", ...call })) },
      { role: "user", content: calls.map((call) => ({ type: "tool_result", tool_use_id: call.id, content: "ok" })) },
    ]);
    const messages = [{ role: "user", content: [{ type: "text", text: prompt }] }, ...history];
    const offered = TOOLS.map(({ name, schema }) => ({ name, input_schema: schema }));
    return { path: "/v1/messages", body: { model: "m", stream, messages, ...(tools ? { tools: offered } : {}) } };
  },
  readWhole(body, reply) {
    reply.stop = asText(body.stop_reason);
    for (const block of asObjects(body.content)) {
      reply.text += asText(block.text);
      reply.reasoning += asText(block.thinking);
      if (block.type === "tool_use")
        reply.calls.push({ id: asText(block.id), name: asText(block.name), input: asObject(block.input) });
    }
  },
  collector(reply) {
    let json = "";
    return (frame) => {
      const delta = asObject(frame.delta);
      const block = asObject(frame.content_block);
      if (block.type === "tool_use") reply.calls.push({ id: asText(block.id), name: asText(block.name), input: {} });
      if (frame.type === "content_block_start") json = "";
      reply.text += asText(delta.text);
      reply.reasoning += asText(delta.thinking);
      json += asText(delta.partial_json);
      const last = reply.calls.at(-1);
      if (frame.type === "content_block_stop" && json && last) last.input = JSON.parse(json) as Json;
      if (delta.stop_reason) reply.stop = asText(delta.stop_reason);
      if (frame.type === "error") reply.error = frame;
    };
  },
};

const chat: Client = {
  request({ prompt, stream, tools, rounds }) {
    const history = rounds.flatMap((calls) => [
      { role: "assistant", tool_calls: calls.map((call) => ({ id: call.id, function: { name: call.name } })) },
      ...calls.map((call) => ({ role: "tool", tool_call_id: call.id, content: "ok" })),
    ]);
    const messages = [{ role: "system", content: "be brief" }, { role: "user", content: prompt }, ...history];
    const offered = TOOLS.map(({ name, schema }) => ({ type: "function", function: { name, parameters: schema } }));
    return {
      path: "/v1/chat/completions",
      body: { model: "m", stream, messages, ...(tools ? { tools: offered } : {}) },
    };
  },
  readWhole(body, reply) {
    const choice = asObject(asArray(body.choices)[0]);
    const message = asObject(choice.message);
    reply.text = asText(message.content);
    reply.reasoning = asText(message.reasoning_content);
    reply.stop = asText(choice.finish_reason);
    reply.calls = asObjects(message.tool_calls).map((call) => ({
      id: asText(call.id),
      name: asText(asObject(call.function).name),
      input: JSON.parse(asText(asObject(call.function).arguments)) as Json,
    }));
  },
  collector(reply) {
    const texts: string[] = [];
    return (frame) => {
      if (frame.error) reply.error = frame;
      const choice = asObject(asArray(frame.choices)[0]);
      const delta = asObject(choice.delta);
      reply.text += asText(delta.content);
      reply.reasoning += asText(delta.reasoning_content);
      for (const call of asObjects(delta.tool_calls)) {
        const index = Number(call.index);
        const made = asObject(call.function);
        if (call.id) reply.calls[index] = { id: asText(call.id), name: asText(made.name), input: {} };
        texts[index] = (texts[index] ?? "") + asText(made.arguments);
      }
      if (choice.finish_reason) reply.stop = asText(choice.finish_reason);
      if (!choice.finish_reason) return;
      for (const [index, call] of reply.calls.entries()) call.input = JSON.parse(texts[index] ?? "{}") as Json;
    };
  },
};

const responses: Client = {
  request({ prompt, stream, tools, rounds }) {
    const history = rounds.flatMap((calls) => [
      ...calls.map((call) => ({ type: "function_call", call_id: call.id, name: call.name, arguments: "{}" })),
      ...calls.map((call) => ({ type: "function_call_output", call_id: call.id, output: "ok" })),
    ]);
    const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }, ...history];
    const offered = TOOLS.map(({ name, schema }) => ({ type: "function", name, parameters: schema }));
    return { path: "/v1/responses", body: { model: "m", stream, input, ...(tools ? { tools: offered } : {}) } };
  },
  readWhole(body, reply) {
    reply.stop = asText(body.status);
    for (const item of asObjects(body.output)) takeItem(item, reply);
  },
  collector(reply) {
    return (frame) => {
      if (frame.type === "response.output_text.delta") reply.text += asText(frame.delta);
      if (frame.type === "response.reasoning_summary_text.delta") reply.reasoning += asText(frame.delta);
      const item = asObject(frame.item);
      if (frame.type === "response.output_item.done" && item.type === "function_call") takeItem(item, reply);
      const response = asObject(frame.response);
      if (/^response\.(completed|incomplete|failed)$/.test(asText(frame.type))) reply.stop = asText(response.status);
      if (response.error) reply.error = response;
    };
  },
};

function takeItem(item: Json, reply: ReceivedReply): void {
  for (const part of asObjects(item.content)) reply.text += asText(part.text);
  for (const part of asObjects(item.summary)) reply.reasoning += asText(part.text);
  if (item.type !== "function_call") return;
  reply.calls.push({
    id: asText(item.call_id),
    name: asText(item.name),
    input: JSON.parse(asText(item.arguments)) as Json,
  });
}

const gemini: Client = {
  request({ prompt, stream, tools, rounds }) {
    const history = rounds.flatMap((calls) => [
      { role: "model", parts: calls.map((call) => ({ functionCall: { name: call.name, args: call.input } })) },
      { role: "user", parts: calls.map((call) => ({ functionResponse: { name: call.name, response: {} } })) },
    ]);
    const contents = [{ role: "user", parts: [{ text: prompt }] }, ...history];
    const functionDeclarations = TOOLS.map(({ name, schema }) => ({ name, parametersJsonSchema: schema }));
    const path = `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
    return { path, body: { contents, ...(tools ? { tools: [{ functionDeclarations }] } : {}) } };
  },
  readWhole: (body, reply) => takeCandidate(body, reply),
  collector: (reply) => (frame) => takeCandidate(frame, reply),
};

function takeCandidate(body: Json, reply: ReceivedReply): void {
  if (body.error) reply.error = body;
  const candidate = asObject(asArray(body.candidates)[0]);
  if (candidate.finishReason) reply.stop = asText(candidate.finishReason);
  for (const part of asObjects(asObject(candidate.content).parts)) {
    const call = asObject(part.functionCall);
    if (part.functionCall)
      reply.calls.push({ id: asText(call.id), name: asText(call.name), input: asObject(call.args) });
    else if (part.thought) reply.reasoning += asText(part.text);
    else reply.text += asText(part.text);
  }
}

const CLIENTS: Record<WireName, Client> = { anthropic, chat, responses, gemini };
