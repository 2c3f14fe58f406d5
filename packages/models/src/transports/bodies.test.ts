import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../messages.ts";
import type { Api, Model, Thinking } from "../model.ts";
import type { ModelRequest } from "../stream.ts";
import { asObject, asObjects, type Json } from "./json.ts";
import { askModel, modelOf, requestOf, user, WRITE } from "./testing/ask-model.ts";

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0 } });
});
afterAll(() => server.close());

async function sendRequest(api: Api, request: Partial<ModelRequest> = {}, model: Partial<Model> = {}) {
  const { messages = [user("[[text]] hi")], ...more } = request;
  const response = await askModel(modelOf(api, server.url, model), requestOf([...messages] as Message[], more));
  const seen = server.requests().at(-1);
  return { body: seen?.body ?? {}, headers: seen?.headers ?? {}, path: seen?.path ?? "", response };
}
const thinks = (mode: Thinking["mode"], more: Partial<Thinking> = {}): Partial<Model> => ({
  thinking: { minLevel: "minimal", maxLevel: "max", mode, ...more },
});

describe("the body of an Anthropic request", () => {
  const api = "anthropic-messages";

  test("encodes thinking by mode", async () => {
    const high = { thinking: "high" } as const;
    const adaptive = await sendRequest(api, high, thinks("anthropic-adaptive"));
    expect(adaptive.body).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "high" } });
    const budget = await sendRequest(api, { ...high, maxTokens: 2000, temperature: 0.5 }, thinks("budget", {}));
    expect(budget.body.thinking).toEqual({ type: "enabled", budget_tokens: 6976 });
    expect(budget.body.max_tokens).toBe(8000);
    expect(budget.body).not.toHaveProperty("temperature");
    expect(budget.headers["anthropic-beta"]).toContain("interleaved-thinking");
    const both = await sendRequest(api, high, thinks("anthropic-budget-effort"));
    expect(both.body).toMatchObject({ thinking: { type: "enabled" }, output_config: { effort: "high" } });
    const off = await sendRequest(api, { temperature: 0.5 }, thinks("anthropic-adaptive"));
    expect(off.body).toMatchObject({ thinking: { type: "disabled" }, temperature: 0.5 });
    expect((await sendRequest(api, high, { reasoning: false })).body).not.toHaveProperty("thinking");
  });

  test("encodes every tool choice, and disables thinking for a forced tool", async () => {
    const forced = await sendRequest(api, { thinking: "high", toolChoice: { name: "write" } });
    expect(forced.body.tool_choice).toEqual({ type: "tool", name: "write" });
    expect(forced.body).not.toHaveProperty("thinking");
    for (const [wish, type] of [
      ["auto", "auto"],
      ["none", "none"],
      ["required", "any"],
    ] as const) {
      expect((await sendRequest(api, { toolChoice: wish })).body.tool_choice).toEqual({ type });
    }
  });

  test("disables thinking in a round of calls that started without it", async () => {
    const first = await askModel(modelOf(api, server.url), requestOf("[[write]] go"));
    const toolCallId = first.calls[0]?.id ?? "";
    const result: Message = {
      role: "toolResult",
      toolCallId,
      toolName: "write",
      content: [],
      isError: false,
      timestamp: 1,
    };
    const messages = [user("[[write]] go"), first.message, result];
    expect((await sendRequest(api, { messages, thinking: "high" })).body).not.toHaveProperty("thinking");
    const adaptive = await sendRequest(api, { messages, thinking: "high" }, thinks("anthropic-adaptive"));
    expect(adaptive.body.thinking).toMatchObject({ type: "adaptive" });
  });

  test("sets the cache retention from the request, the model or the environment", async () => {
    const marks = async (request: Partial<ModelRequest>, model: Partial<Model> = {}) => {
      const { body } = await sendRequest(api, request, model);
      const places = [
        asObjects(body.system).at(-1),
        asObjects(body.tools).at(-1),
        asObjects(asObjects(body.messages).at(-1)?.content).at(-1),
      ];
      return places.map((place) => place?.cache_control);
    };
    const short = { type: "ephemeral" };
    const long = { type: "ephemeral", ttl: "1h" };
    expect(await marks({})).toEqual([short, short, short]);
    expect(await marks({ env: { GANTRY_CACHE_RETENTION: "long" } })).toEqual([long, long, long]);
    expect(await marks({ env: { GANTRY_CACHE_RETENTION: "long" } }, { cacheRetention: "none" })).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await marks({ cacheRetention: "long" }, { cacheRetention: "none" })).toEqual([long, long, long]);
    expect(await marks({ env: { GANTRY_CACHE_RETENTION: "forever" } })).toEqual([short, short, short]);
  });

  test("sends strict tools unless the model or GANTRY_NO_STRICT disables them", async () => {
    const flag = async (request: Partial<ModelRequest>, model: Partial<Model> = {}) =>
      asObjects((await sendRequest(api, { tools: [WRITE], ...request }, model)).body.tools)[0];
    expect(await flag({})).toMatchObject({
      strict: true,
      input_schema: { additionalProperties: false, required: ["file_path", "content"] },
    });
    expect(await flag({}, { disableStrictTools: true })).not.toHaveProperty("strict");
    expect(await flag({ env: { GANTRY_NO_STRICT: "1" } })).not.toHaveProperty("strict");
    expect(await flag({ tools: [{ ...WRITE, strict: false }] })).not.toHaveProperty("strict");
  });

  test("limits strict tools to the provider's maximum", async () => {
    const strictOf = async (tools: ModelRequest["tools"]) =>
      asObjects((await sendRequest(api, { tools })).body.tools).filter(({ strict }) => strict === true).length;
    expect(await strictOf(Array.from({ length: 30 }, (_, at) => ({ ...WRITE, name: `w${at}` })))).toBe(20);
    const loose = { ...WRITE, parameters: { ...WRITE.parameters, required: [] } };
    expect(await strictOf(Array.from({ length: 20 }, (_, at) => ({ ...loose, name: `w${at}` })))).toBe(8);
  });

  test("retries without strict tools when the provider rejects them, and remembers that", async () => {
    const bodies: Json[] = [];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const body = JSON.parse(String(init?.body)) as Json;
      bodies.push(body);
      if (asObjects(body.tools).some(({ strict }) => strict)) {
        const error = { type: "invalid_request_error", message: "The compiled grammar is too large." };
        return new Response(JSON.stringify({ type: "error", error }), { status: 400 });
      }
      return new Response('data: {"type":"message_stop"}\n\n', { headers: { "content-type": "text/event-stream" } });
    };
    const model = { baseUrl: "http://127.0.0.1:9/refuses-strict" };
    for (let round = 0; round < 2; round++) await askModel(modelOf(api, "", model), requestOf("hi", { fetch }));
    expect(bodies.map(({ tools }) => asObjects(tools)[0]?.strict)).toEqual([true, undefined, undefined]);
  });

  test("sends a login as bearer token and a key as x-api-key", async () => {
    const login = await sendRequest(api, { credential: { kind: "oauth", token: "token-0123456789" } });
    expect(login.headers).toMatchObject({
      authorization: "Bearer token-0123456789",
      "anthropic-beta": "oauth-2025-04-20",
    });
    expect(login.headers["x-api-key"]).toBeUndefined();
    expect((await sendRequest(api)).headers["x-api-key"]).toBeDefined();
    expect((await sendRequest(api, { credential: { kind: "none" } })).headers["x-api-key"]).toBeUndefined();
  });

  test("merges consecutive messages of the same role", async () => {
    const developer: Message = { role: "developer", content: "mind", timestamp: 1 };
    const { body } = await sendRequest(api, { messages: [user("[[text]] a"), developer, user("b")] });
    expect(asObjects(body.messages).map(({ role }) => role)).toEqual(["user"]);
  });
});

describe("the body of a Responses request", () => {
  const api = "openai-responses";

  test("uses the session as cache key, also without long retention", async () => {
    const { body } = await sendRequest(api, { sessionId: "ses_1", cacheRetention: "none" });
    expect(body.prompt_cache_key).toBe("ses_1");
    expect(body).not.toHaveProperty("prompt_cache_retention");
    expect((await sendRequest(api, { cacheRetention: "long" })).body.prompt_cache_retention).toBe("24h");
  });

  test("sends the effort, requests encrypted reasoning and disables storage", async () => {
    const { body } = await sendRequest(api, { thinking: "medium" });
    expect(body).toMatchObject({
      reasoning: { effort: "medium", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      store: false,
    });
    expect((await sendRequest(api, {}, { id: "gpt-5.2" })).body.reasoning).toEqual({ effort: "none" });
    expect((await sendRequest(api, {}, { reasoning: false })).body).not.toHaveProperty("reasoning");
    expect((await sendRequest(api, { toolChoice: { name: "write" } })).body.tool_choice).toEqual({
      type: "function",
      name: "write",
    });
  });

  test("sends a call's item id back to the same model only", async () => {
    const first = await askModel(modelOf(api, server.url), requestOf("[[write]] go"));
    const [call] = first.calls;
    expect(call?.id).toMatch(/^call_.+\|fc_/);
    const result: Message = {
      role: "toolResult",
      toolCallId: call?.id ?? "",
      toolName: "write",
      content: [],
      isError: false,
      timestamp: 1,
    };
    const items = async (model: Partial<Model>) =>
      asObjects(
        (await sendRequest(api, { messages: [user("[[write]] go"), first.message, result] }, model)).body.input,
      ).filter((item) => String(item.type).startsWith("function_call"));
    const [own, output] = await items({});
    expect(own).toMatchObject({ id: call?.id.split("|")[1], call_id: call?.id.split("|")[0] });
    expect(output?.call_id).toBe(own?.call_id);
    const [foreign, answer] = await items({ id: "another" });
    expect(foreign).not.toHaveProperty("id");
    expect(answer?.call_id).toBe(foreign?.call_id);
  });

  test("rewrites oneOf as anyOf", async () => {
    const tool = {
      ...WRITE,
      parameters: { type: "object", properties: { a: { oneOf: [{ type: "string" }, { type: "number" }] } } },
    };
    const { body } = await sendRequest(api, { tools: [tool] });
    expect(JSON.stringify(body.tools)).not.toContain("oneOf");
    expect(JSON.stringify(body.tools)).toContain("anyOf");
  });

  test("uses Azure's deployment map and api-key header", async () => {
    const env = { AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "gpt-4.1=gpt-41-prod, o3=o3-prod" };
    const { body, headers, path } = await sendRequest("azure-openai-responses", { env }, { id: "o3" });
    expect(body.model).toBe("o3-prod");
    expect(headers["api-key"]).toBeDefined();
    expect(headers.authorization).toBeUndefined();
    expect(path).toBe("/openai/v1/responses?api-version=v1");
    expect((await sendRequest("azure-openai-responses", { env }, { id: "gpt-9" })).body.model).toBe("gpt-9");
  });

  test("sends instructions and account to Codex, and no token limit", async () => {
    const claims = Buffer.from(
      JSON.stringify({ "https://api.openai.com/auth": { chatgpt_account_id: "acc_1" } }),
    ).toString("base64url");
    const credential = { kind: "oauth", token: `head.${claims}.sign` } as const;
    const { body, headers, path } = await sendRequest("openai-codex-responses", {
      credential,
      maxTokens: 9,
      sessionId: "ses_1",
    });
    expect(path).toBe("/backend-api/codex/responses");
    expect(headers).toMatchObject({ "chatgpt-account-id": "acc_1", session_id: "ses_1" });
    expect(body).toMatchObject({ instructions: "Be brief.", store: false });
    expect(body).not.toHaveProperty("max_output_tokens");
    const named = await sendRequest("openai-codex-responses", { credential: { ...credential, accountId: "acc_2" } });
    expect(named.headers["chatgpt-account-id"]).toBe("acc_2");
  });
});

describe("the body of a Google request", () => {
  const config = (body: Json) => asObject(body.generationConfig).thinkingConfig;

  test("encodes thinking as level or budget", async () => {
    const level = thinks("google-level");
    const api = "google-generative-ai";
    expect(config((await sendRequest(api, { thinking: "xhigh" }, level)).body)).toEqual({
      includeThoughts: true,
      thinkingLevel: "HIGH",
    });
    expect(config((await sendRequest(api, {}, level)).body)).toEqual({ thinkingLevel: "MINIMAL" });
    expect(config((await sendRequest(api, { thinking: "low" }, thinks("budget"))).body)).toEqual({
      includeThoughts: true,
      thinkingBudget: 2048,
    });
    expect(config((await sendRequest(api, {}, thinks("budget"))).body)).toEqual({ thinkingBudget: 0 });
    expect(config((await sendRequest(api, {}, { ...thinks("budget"), id: "gemini-2.5-pro" })).body)).toEqual({
      thinkingBudget: 128,
    });
  });

  test("encodes the tool choice", async () => {
    const choice = async (toolChoice: ModelRequest["toolChoice"]) =>
      asObject((await sendRequest("google-generative-ai", { toolChoice })).body.toolConfig).functionCallingConfig;
    expect(await choice({ name: "write" })).toEqual({ mode: "ANY", allowedFunctionNames: ["write"] });
    expect(await choice("none")).toEqual({ mode: "NONE" });
    expect(await choice("required")).toEqual({ mode: "ANY" });
    expect(await choice(undefined)).toBeUndefined();
  });

  test("marks calls of other models for models that require a signature", async () => {
    const foreign = (await askModel(modelOf("anthropic-messages", server.url), requestOf("[[write]] go"))).message;
    const { body } = await sendRequest(
      "google-generative-ai",
      { messages: [user("[[write]] go"), foreign] },
      { id: "gemini-3-pro" },
    );
    expect(JSON.stringify(body.contents)).toContain("skip_thought_signature_validator");
    const older = await sendRequest(
      "google-generative-ai",
      { messages: [user("[[write]] go"), foreign] },
      { id: "gemini-2.5-pro" },
    );
    expect(JSON.stringify(older.body.contents)).not.toContain("thoughtSignature");
  });

  test("sends a project to Vertex with a token, and none with a key", async () => {
    const login = { kind: "oauth", token: "ya29.token-0123456789", projectId: "mine" } as const;
    const env = { GOOGLE_CLOUD_LOCATION: "europe-west4" };
    const { path, headers } = await sendRequest("google-vertex", { credential: login, env });
    expect(path).toBe(
      "/v1/projects/mine/locations/europe-west4/publishers/google/models/scripted-model:streamGenerateContent?alt=sse",
    );
    expect(headers.authorization).toBe("Bearer ya29.token-0123456789");
    expect((await sendRequest("google-vertex")).path).toBe(
      "/v1/publishers/google/models/scripted-model:streamGenerateContent?alt=sse",
    );
    const lost = await askModel(
      modelOf("google-vertex", server.url),
      requestOf("hi", { credential: { ...login, projectId: undefined }, env }),
    );
    expect(lost.failure?.message).toContain("GOOGLE_CLOUD_PROJECT");
  });
});

test("encodes thinking, options and tool choice for Ollama", async () => {
  const { body, path } = await sendRequest("ollama-chat", { thinking: "high", maxTokens: 7, temperature: 0.1 });
  expect(path).toBe("/api/chat");
  expect(body).toMatchObject({ think: true, options: { num_predict: 7, temperature: 0.1 } });
  expect((await sendRequest("ollama-chat", { thinking: "off" })).body.think).toBe(false);
  expect((await sendRequest("ollama-chat", { thinking: "max" }, { id: "gpt-oss:20b" })).body.think).toBe("high");
  expect((await sendRequest("ollama-chat", { toolChoice: "none" })).body).not.toHaveProperty("tools");
});

test("reads refusals in OpenAI's formats, and a stream without stop reason", async () => {
  const readFrames = (api: Api, frames: (Json | string)[]) => {
    const text = frames.map((each) => `data: ${typeof each === "string" ? each : JSON.stringify(each)}\n\n`).join("");
    return askModel(modelOf(api, server.url), requestOf("hi", { fetch: async () => new Response(text) }));
  };
  const refusal = { type: "message", content: [{ type: "refusal", refusal: "I will not" }] };
  const responses = await readFrames("openai-responses", [
    { type: "response.refusal.delta", output_index: 0, delta: "I will not" },
    { type: "response.completed", response: { status: "completed", output: [refusal] } },
  ]);
  expect(responses).toMatchObject({ text: "I will not", failure: { category: "refused" } });
  const filtered = { status: "incomplete", incomplete_details: { reason: "content_filter" } };
  const filter = await readFrames("openai-responses", [{ type: "response.incomplete", response: filtered }]);
  expect(filter.failure).toMatchObject({ category: "refused" });
  const done = await readFrames("openai-completions", [{ choices: [{ delta: { content: "hello" } }] }, "[DONE]"]);
  expect(done).toMatchObject({ text: "hello", message: { stopReason: "stop", rawStopReason: "[DONE]" } });
  const cut = await readFrames("openai-completions", [{ choices: [{ delta: { content: "hello" } }] }]);
  expect(cut.failure).toMatchObject({ category: "network" });
});

test("removes nulls of optional arguments", async () => {
  const call = { id: "c", function: { name: "write", arguments: '{"file_path":"a","content":"b","mode":null}' } };
  const stream = `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] })}\n\n`;
  const { calls } = await askModel(
    modelOf("openai-completions", server.url),
    requestOf("hi", { fetch: async () => new Response(stream) }),
  );
  expect(calls[0]?.arguments).toEqual({ file_path: "a", content: "b" });
});

test("reports an overflow when a server truncated the prompt and answered", async () => {
  const { response } = await sendRequest("openai-completions", {}, { contextWindow: 1000 });
  expect(response.failure).toMatchObject({ category: "overflow" });
  expect(response.text).toContain("42");
});
