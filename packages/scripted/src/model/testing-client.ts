import { asArray, asObject, asObjects, asText, type Json } from "../json.ts";

export type WireName = "anthropic" | "responses" | "chat" | "gemini";

/** What a reply holds, whichever wire it came over. */
export interface Heard {
  status: number;
  text: string;
  reasoning: string;
  calls: { id: string; name: string; input: Json }[];
  stop: string;
  /** The error body or error frame. */
  error: Json | null;
}

/** One earlier round of the conversation: the calls the model made, all answered. */
export type Round = Heard["calls"];

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

/** Sends a conversation over one wire and gathers the reply. The least of a client, for tests. */
export async function askModel(url: string, wire: WireName, ask: Ask): Promise<Heard> {
  const { path, body } = CLIENTS[wire].request({ tools: true, rounds: [], ...ask });
  const response = await fetch(`${url}${ask.prefix ?? ""}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "test" },
    body: JSON.stringify(body),
  });
  const heard: Heard = { status: response.status, text: "", reasoning: "", calls: [], stop: "", error: null };
  const raw = await response.text();
  if (response.status !== 200) return { ...heard, error: JSON.parse(raw) as Json };
  if (!ask.stream) {
    CLIENTS[wire].whole(JSON.parse(raw) as Json, heard);
    return heard;
  }
  const collect = CLIENTS[wire].collector(heard);
  for (const frame of raw.split("\n\n")) {
    const data = frame
      .split("\n")
      .find((line) => line.startsWith("data: "))
      ?.slice("data: ".length);
    if (data && data !== "[DONE]") collect(JSON.parse(data) as Json);
  }
  return heard;
}

interface Client {
  request(ask: Required<Omit<Ask, "prefix">>): { path: string; body: Json };
  whole(body: Json, heard: Heard): void;
  collector(heard: Heard): (frame: Json) => void;
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
  whole(body, heard) {
    heard.stop = asText(body.stop_reason);
    for (const block of asObjects(body.content)) {
      heard.text += asText(block.text);
      heard.reasoning += asText(block.thinking);
      if (block.type === "tool_use")
        heard.calls.push({ id: asText(block.id), name: asText(block.name), input: asObject(block.input) });
    }
  },
  collector(heard) {
    let json = "";
    return (frame) => {
      const delta = asObject(frame.delta);
      const block = asObject(frame.content_block);
      if (block.type === "tool_use") heard.calls.push({ id: asText(block.id), name: asText(block.name), input: {} });
      if (frame.type === "content_block_start") json = "";
      heard.text += asText(delta.text);
      heard.reasoning += asText(delta.thinking);
      json += asText(delta.partial_json);
      const last = heard.calls.at(-1);
      if (frame.type === "content_block_stop" && json && last) last.input = JSON.parse(json) as Json;
      if (delta.stop_reason) heard.stop = asText(delta.stop_reason);
      if (frame.type === "error") heard.error = frame;
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
  whole(body, heard) {
    const choice = asObject(asArray(body.choices)[0]);
    const message = asObject(choice.message);
    heard.text = asText(message.content);
    heard.reasoning = asText(message.reasoning_content);
    heard.stop = asText(choice.finish_reason);
    heard.calls = asObjects(message.tool_calls).map((call) => ({
      id: asText(call.id),
      name: asText(asObject(call.function).name),
      input: JSON.parse(asText(asObject(call.function).arguments)) as Json,
    }));
  },
  collector(heard) {
    const texts: string[] = [];
    return (frame) => {
      if (frame.error) heard.error = frame;
      const choice = asObject(asArray(frame.choices)[0]);
      const delta = asObject(choice.delta);
      heard.text += asText(delta.content);
      heard.reasoning += asText(delta.reasoning_content);
      for (const call of asObjects(delta.tool_calls)) {
        const index = Number(call.index);
        const made = asObject(call.function);
        if (call.id) heard.calls[index] = { id: asText(call.id), name: asText(made.name), input: {} };
        texts[index] = (texts[index] ?? "") + asText(made.arguments);
      }
      if (choice.finish_reason) heard.stop = asText(choice.finish_reason);
      if (!choice.finish_reason) return;
      for (const [index, call] of heard.calls.entries()) call.input = JSON.parse(texts[index] ?? "{}") as Json;
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
  whole(body, heard) {
    heard.stop = asText(body.status);
    for (const item of asObjects(body.output)) takeItem(item, heard);
  },
  collector(heard) {
    return (frame) => {
      if (frame.type === "response.output_text.delta") heard.text += asText(frame.delta);
      if (frame.type === "response.reasoning_summary_text.delta") heard.reasoning += asText(frame.delta);
      const item = asObject(frame.item);
      if (frame.type === "response.output_item.done" && item.type === "function_call") takeItem(item, heard);
      const response = asObject(frame.response);
      if (/^response\.(completed|incomplete|failed)$/.test(asText(frame.type))) heard.stop = asText(response.status);
      if (response.error) heard.error = response;
    };
  },
};

function takeItem(item: Json, heard: Heard): void {
  for (const part of asObjects(item.content)) heard.text += asText(part.text);
  for (const part of asObjects(item.summary)) heard.reasoning += asText(part.text);
  if (item.type !== "function_call") return;
  heard.calls.push({
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
  whole: (body, heard) => takeCandidate(body, heard),
  collector: (heard) => (frame) => takeCandidate(frame, heard),
};

function takeCandidate(body: Json, heard: Heard): void {
  if (body.error) heard.error = body;
  const candidate = asObject(asArray(body.candidates)[0]);
  if (candidate.finishReason) heard.stop = asText(candidate.finishReason);
  for (const part of asObjects(asObject(candidate.content).parts)) {
    const call = asObject(part.functionCall);
    if (part.functionCall)
      heard.calls.push({ id: asText(call.id), name: asText(call.name), input: asObject(call.args) });
    else if (part.thought) heard.reasoning += asText(part.text);
    else heard.text += asText(part.text);
  }
}

const CLIENTS: Record<WireName, Client> = { anthropic, chat, responses, gemini };
