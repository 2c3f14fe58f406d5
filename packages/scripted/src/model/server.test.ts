import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failures } from "./failures.ts";
import { scenarios, scriptOf } from "./scenarios.ts";
import { type ScriptedModel, startScriptedModel } from "./server.ts";
import { askModel, type WireName } from "./testing-client.ts";

const WIRES: WireName[] = ["anthropic", "responses", "chat", "gemini"];
let model: ScriptedModel;

beforeAll(async () => {
  model = await startScriptedModel({ defaults: { pace: 0, slowPace: 1 } });
});
afterAll(() => model.close());

describe.each(WIRES)("%s", (wire) => {
  const ask = (prompt: string, more: Partial<Parameters<typeof askModel>[2]> = {}) =>
    askModel(model.url, wire, { prompt, stream: true, ...more });

  test.each([true, false])("sends text and reasoning, streaming %s", async (stream) => {
    const plain = await ask("[[text]] hello", { stream });
    expect(plain.text).toBe("Hello from the scripted model. The answer is 42.");
    expect(plain.stop).toMatch(/^(end_turn|completed|stop|STOP)$/);
    const thoughtful = await ask("[[think]] hello", { stream });
    expect(thoughtful.reasoning).toBe("Let me think about this step by step. First A, then B.");
    expect(thoughtful.text).toBe("After thinking: the answer is 42.");
  });

  test.each([true, false])("sends a tool call, then the final reply, streaming %s", async (stream) => {
    const prompt = "[[write]] [[cwd:/work/here]] go";
    const first = await ask(prompt, { stream });
    expect(first.calls.map(({ name, input }) => ({ name, input }))).toEqual([
      { name: "Write", input: { file_path: "/work/here/hello.txt", content: "hello world\n" } },
    ]);
    const second = await ask(prompt, { stream, rounds: [first.calls] });
    expect(second.calls).toEqual([]);
    expect(second.text).toBe("Done: hello.txt written.");
  });

  test("sends three calls in one reply", async () => {
    const { calls } = await ask("[[parallel]]");
    expect(calls.map((call) => call.input.command)).toEqual(["echo first", "echo second", "echo third"]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
  });

  test("reads arguments from the marker", async () => {
    expect((await ask("[[long:40000]]")).text.length).toBe(40_000);
    expect((await ask("[[slow:7:1]]")).text.trim().split(" ")).toHaveLength(7);
  });

  test("preserves special characters", async () => {
    const block = scriptOf({ name: "unicode", args: [] }).replies[0]?.[0];
    const { text } = await ask("[[unicode]]");
    expect(block).toMatchObject({ type: "text", text });
    expect(text).toContain("\u2028");
    expect(text).toContain("\u0000");
  });

  test("reports the token limit and a refusal", async () => {
    expect((await ask("[[maxtok]]")).stop).toMatch(/^(max_tokens|incomplete|length|MAX_TOKENS)$/);
    expect((await ask("[[refuse]]")).text).toBe("I cannot");
  });

  test.each(Object.entries(failures))("%s", async (name, failure) => {
    const received = await ask(`[[${name}]]`);
    expect(received.status).toBe(failure.status);
    const expected = {
      anthropic: failure.anthropic.type,
      gemini: failure.gemini.status,
      chat: failure.openai.code,
      responses: failure.openai.code,
    };
    expect(JSON.stringify(received.error)).toContain(expected[wire]);
  });

  test("fails once, then succeeds", async () => {
    const prompt = `[[err500once]] ${wire}`;
    expect((await ask(prompt)).status).toBe(500);
    expect((await ask(prompt)).text).toBe("Recovered from err500.");
    expect((await ask(`${prompt} elsewhere`)).status).toBe(500);
  });

  test.each(["overflowsse", "overloadsse", "ratesse", "quotasse", "miderr"])(
    "%s: an error inside the stream",
    async (name) => {
      const received = await ask(`[[${name}]]`);
      expect(received.status).toBe(200);
      expect(received.error).not.toBeNull();
    },
  );

  test("closes the socket for drop", async () => {
    await expect(ask("[[drop]]")).rejects.toThrow();
  });

  test("treats a call without tools as a side call, unless the URL names the scenario", async () => {
    if (wire !== "responses") expect((await ask("[[think]]", { tools: false })).text).toBe("Scripted title");
    const named = await ask("hello", { tools: false, prefix: "/s/think" });
    expect(named.text).toBe("After thinking: the answer is 42.");
  });
});

test("never answers for hang, and stalls after two chunks for hangmid", async () => {
  const post = (scenario: string, signal: AbortSignal) =>
    fetch(`${model.url}/s/${scenario}/v1/messages`, {
      method: "POST",
      body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hi" }] }),
      signal,
    });
  await expect(post("hang", AbortSignal.timeout(150))).rejects.toThrow();
  const response = await post("hangmid", AbortSignal.timeout(500));
  let received = "";
  await expect(async () => {
    for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString();
  }).rejects.toThrow();
  expect(received.match(/text_delta/g)).toHaveLength(2);
});

test("wraps request and reply for Code Assist", async () => {
  const response = await fetch(`${model.url}/v1internal:generateContent`, {
    method: "POST",
    body: JSON.stringify({ model: "m", request: { contents: [{ role: "user", parts: [{ text: "[[text]]" }] }] } }),
  });
  expect(await response.json()).toMatchObject({ response: { candidates: [{ finishReason: "STOP" }] } });
});

test("makes up JSON for a schema", async () => {
  const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
  const response = await fetch(`${model.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      messages: [{ role: "user", content: "[[write]]" }],
      response_format: { type: "json_schema", json_schema: { schema } },
    }),
  });
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  expect(JSON.parse(body.choices[0]?.message.content ?? "")).toEqual({ title: "Scripted title" });
});

test("answers model lists and token counts, and rejects unknown routes and WebSockets", async () => {
  const models = (await (await fetch(`${model.url}/v1/models`)).json()) as { data: { id: string }[] };
  expect(models.data.map((row) => row.id)).toContain("scripted-model");
  const count = await fetch(`${model.url}/v1/messages/count_tokens?beta=true`, { method: "POST", body: "{}" });
  expect(await count.json()).toEqual({ input_tokens: 1234 });
  expect((await fetch(`${model.url}/nowhere`)).status).toBe(404);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    httpRequest(`${model.url}/v1/responses`, { headers }, (response) => resolve(response.statusCode))
      .on("error", reject)
      .end();
  });
  expect(status).toBe(426);
});

test("records requests with their parsed content", async () => {
  await askModel(model.url, "chat", { prompt: "[[bash]] remember me", stream: false });
  const seen = model.requests().findLast((request) => JSON.stringify(request.body).includes("remember me"));
  expect(seen).toMatchObject({
    wire: "chat",
    scenario: "bash",
    step: 0,
    side: false,
    tools: ["Write", "Bash"],
    auth: "x-api-key",
  });
});

test.each([
  [undefined, "none", 401],
  ["Bearer", "none", 401],
  ["Bearer ", "none", 401],
  ["Bearer sk-1", "authorization", 200],
])("with keys required, answers %o as %s", async (authorization, auth, status) => {
  const keyed = await startScriptedModel({ keyed: true, defaults: { pace: 0 } });
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "[[text]] hi" }] });
  const headers = { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) };
  const response = await fetch(`${keyed.url}/v1/chat/completions`, { method: "POST", headers, body });
  await response.text();
  expect({ status: response.status, auth: keyed.requests().at(-1)?.auth }).toEqual({ status, auth });
  await keyed.close();
});

test("makes a script for every scenario", () => {
  for (const name of Object.keys(scenarios)) expect(scriptOf({ name, args: [] }).replies).toBeInstanceOf(Array);
});
