import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AssistantMessage, Message } from "../../messages.ts";
import type { Compat, Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import { asArray, asObjects, type Json } from "../json.ts";
import { detectCompat } from "../shaping/compat.ts";
import { askModel, modelOf, requestOf, user, WRITE } from "../testing/ask-model.ts";
import { completionBody } from "./request.ts";

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0 } });
});
afterAll(() => server.close());

/** The body that the server received for a model with this compat. */
async function bodyOf(compat: Compat, request: Partial<ModelRequest> = {}, model: Partial<Model> = {}): Promise<Json> {
  const { messages = [user("[[text]] hi")], ...more } = request;
  await askModel(
    modelOf("openai-completions", server.url, { compat, ...model }),
    requestOf([...messages] as Message[], more),
  );
  return server.requests().at(-1)?.body ?? {};
}

const messagesOf = (body: Json) => asObjects(body.messages);
const turn = (content: AssistantMessage["content"], more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  content,
  api: "openai-completions",
  provider: "scripted",
  model: "scripted-model",
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp: 1,
  ...more,
});
const CALL = { type: "toolCall", id: "call_abc", name: "write", arguments: { file_path: "a" } } as const;
const RESULT: Message = {
  role: "toolResult",
  toolCallId: "call_abc",
  toolName: "write",
  content: [{ type: "text", text: "ok" }],
  isError: false,
  timestamp: 2,
};
const rounds = (content: AssistantMessage["content"]): Message[] => [
  user("[[text]] go"),
  turn(content),
  RESULT,
  user("on"),
];

describe("the body of a Chat Completions request follows", () => {
  test("supportsStore", async () => {
    expect((await bodyOf({ supportsStore: true })).store).toBe(false);
    expect(await bodyOf({ supportsStore: false })).not.toHaveProperty("store");
  });

  test("supportsDeveloperRole, for reasoning models", async () => {
    const roles = async (compat: Compat, model = {}) => messagesOf(await bodyOf(compat, {}, model))[0]?.role;
    expect(await roles({ supportsDeveloperRole: true })).toBe("developer");
    expect(await roles({ supportsDeveloperRole: true }, { reasoning: false })).toBe("system");
    expect(await roles({ supportsDeveloperRole: false })).toBe("system");
  });

  test("supportsMultipleSystemMessages, at the start and in the middle", async () => {
    const developer: Message = { role: "developer", content: "mind this", timestamp: 1 };
    const request = { system: ["one", "two"], messages: [user("[[text]] a"), developer, user("b")] };
    const many = messagesOf(await bodyOf({ supportsMultipleSystemMessages: true }, request));
    expect(many.map((message) => message.role)).toEqual(["system", "system", "user", "system", "user"]);
    const single = messagesOf(await bodyOf({ supportsMultipleSystemMessages: false }, request));
    expect(single.map((message) => message.role)).toEqual(["system", "user", "user", "user"]);
    expect(single[0]?.content).toBe("one\n\ntwo");
    expect(single[2]?.content).toContain("mind this");
  });

  test("supportsUsageInStreaming", async () => {
    expect((await bodyOf({ supportsUsageInStreaming: true })).stream_options).toEqual({ include_usage: true });
    expect(await bodyOf({ supportsUsageInStreaming: false })).not.toHaveProperty("stream_options");
  });

  test("maxTokensField", async () => {
    expect(await bodyOf({ maxTokensField: "max_tokens" })).toMatchObject({ max_tokens: 8000 });
    const other = await bodyOf({ maxTokensField: "max_completion_tokens" }, { maxTokens: 99 });
    expect(other).toMatchObject({ max_completion_tokens: 99 });
    expect(other).not.toHaveProperty("max_tokens");
  });

  test("extraBody, except for core fields", async () => {
    const body = await bodyOf({ extraBody: { gateway: "m1", model: "other", messages: [], tool_choice: "x" } });
    expect(body).toMatchObject({ gateway: "m1", model: "scripted-model" });
    expect(body).not.toHaveProperty("tool_choice");
    expect(messagesOf(body)).toHaveLength(2);
  });

  test("the cache retention, at OpenAI's host only", () => {
    const openai = modelOf("openai-completions", "https://api.openai.com");
    const body = completionBody(openai, requestOf("hi", { sessionId: "ses_1", cacheRetention: "long" }));
    expect(body).toMatchObject({ prompt_cache_key: "ses_1", prompt_cache_retention: "24h" });
    const short = completionBody(openai, requestOf("hi", { sessionId: "ses_1", cacheRetention: "short" }));
    expect(short).not.toHaveProperty("prompt_cache_retention");
    const elsewhere = completionBody(
      modelOf("openai-completions", "https://example.org"),
      requestOf("hi", { sessionId: "s" }),
    );
    expect(elsewhere).not.toHaveProperty("prompt_cache_key");
  });

  test("the routing settings, at their gateway only", async () => {
    const compat: Compat = {
      openRouterRouting: { only: ["anthropic"], order: ["a", "b"] },
      vercelGatewayRouting: { only: ["azure"], order: ["openai"] },
    };
    const router = await bodyOf(compat, {}, { provider: "openrouter" });
    expect(router.provider).toEqual({ only: ["anthropic"], order: ["a", "b"] });
    expect(router).not.toHaveProperty("providerOptions");
    const vercel = await bodyOf(compat, {}, { provider: "vercel-ai-gateway" });
    expect(vercel.providerOptions).toEqual({ gateway: { only: ["azure"], order: ["openai"] } });
    expect(vercel).not.toHaveProperty("provider");
    expect(await bodyOf(compat)).not.toHaveProperty("provider");
  });
});

describe("the tool choice follows", () => {
  const named = { toolChoice: { name: "write" } } as const;

  test("the request: auto, none, required, by name", async () => {
    for (const toolChoice of ["auto", "none", "required"] as const) {
      expect((await bodyOf({}, { toolChoice })).tool_choice).toBe(toolChoice);
    }
    expect((await bodyOf({}, named)).tool_choice).toEqual({ type: "function", function: { name: "write" } });
    expect(await bodyOf({})).not.toHaveProperty("tool_choice");
  });

  test("supportsToolChoice", async () => {
    expect(await bodyOf({ supportsToolChoice: false }, named)).not.toHaveProperty("tool_choice");
    expect(await bodyOf({ supportsToolChoice: false }, { toolChoice: "none" })).not.toHaveProperty("tools");
  });

  test("supportsForcedToolChoice", async () => {
    expect((await bodyOf({ supportsForcedToolChoice: false }, named)).tool_choice).toBe("auto");
    expect((await bodyOf({ supportsForcedToolChoice: false }, { toolChoice: "none" })).tool_choice).toBe("none");
  });

  test("toolChoiceSupport", async () => {
    const other = { ...WRITE, name: "other" };
    const request = { ...named, tools: [other, WRITE] };
    expect(await bodyOf({ toolChoiceSupport: "none" }, request)).not.toHaveProperty("tool_choice");
    expect((await bodyOf({ toolChoiceSupport: "auto" }, request)).tool_choice).toBe("auto");
    const required = await bodyOf({ toolChoiceSupport: "required" }, request);
    expect(required.tool_choice).toBe("required");
    expect(asArray(required.tools)).toMatchObject([{ function: { name: "write" } }]);
    expect((await bodyOf({ toolChoiceSupport: "named" }, request)).tool_choice).toMatchObject({ type: "function" });
  });

  test("disableReasoningOnForcedToolChoice and disableReasoningOnToolChoice", async () => {
    const effort = async (compat: Compat, toolChoice: ModelRequest["toolChoice"]) =>
      (await bodyOf(compat, { toolChoice, thinking: "high" })).reasoning_effort;
    expect(await effort({ disableReasoningOnForcedToolChoice: true }, "required")).toBeUndefined();
    expect(await effort({ disableReasoningOnForcedToolChoice: true }, "auto")).toBe("high");
    expect(await effort({ disableReasoningOnForcedToolChoice: false }, "required")).toBe("high");
    expect(await effort({ disableReasoningOnToolChoice: true }, "auto")).toBeUndefined();
    expect(await effort({ disableReasoningOnToolChoice: true }, undefined)).toBe("high");
  });
});

describe("the thinking fields follow", () => {
  test("supportsReasoningEffort and reasoningEffortMap", async () => {
    const high = { thinking: "xhigh" } as const;
    const all = { thinking: { minLevel: "minimal", maxLevel: "max", mode: "effort" } } as const;
    expect((await bodyOf({}, high, all)).reasoning_effort).toBe("xhigh");
    expect((await bodyOf({ reasoningEffortMap: { xhigh: "max" } }, high, all)).reasoning_effort).toBe("max");
    expect(await bodyOf({ supportsReasoningEffort: false }, high)).not.toHaveProperty("reasoning_effort");
    expect(await bodyOf({}, high, { reasoning: false })).not.toHaveProperty("reasoning_effort");
    expect(await bodyOf({}, { thinking: "off" })).not.toHaveProperty("reasoning_effort");
    const thinking = { minLevel: "low", maxLevel: "high", mode: "effort" } as const;
    expect((await bodyOf({}, high, { thinking })).reasoning_effort).toBe("high");
    expect((await bodyOf({}, { thinking: "minimal" }, { thinking })).reasoning_effort).toBe("low");
  });

  test.each([
    ["openai", { reasoning_effort: "high" }, {}],
    ["openrouter", { reasoning: { effort: "high" } }, { reasoning: { enabled: false } }],
    ["zai", { thinking: { type: "enabled" } }, { thinking: { type: "disabled" } }],
    ["qwen", { enable_thinking: true }, { enable_thinking: false }],
    [
      "qwen-chat-template",
      { chat_template_kwargs: { enable_thinking: true } },
      { chat_template_kwargs: { enable_thinking: false } },
    ],
  ] as const)("thinkingFormat %s", async (thinkingFormat, on, off) => {
    const fields = ["reasoning_effort", "reasoning", "thinking", "enable_thinking", "chat_template_kwargs"];
    const sentFields = (body: Json) =>
      Object.fromEntries(fields.flatMap((key) => (key in body ? [[key, body[key]]] : [])));
    expect(sentFields(await bodyOf({ thinkingFormat }, { thinking: "high" }))).toEqual(on);
    expect(sentFields(await bodyOf({ thinkingFormat }, { thinking: "off" }))).toEqual(off);
  });

  test("mode budget, where the format has a field for it", async () => {
    const model = { thinking: { minLevel: "low", maxLevel: "high", mode: "budget" } } as const;
    const router = await bodyOf({ thinkingFormat: "openrouter" }, { thinking: "low" }, model);
    expect(router.reasoning).toEqual({ max_tokens: 4096 });
    expect((await bodyOf({ thinkingFormat: "qwen" }, { thinking: "low" }, model)).thinking_budget).toBe(4096);
  });

  test.each(["reasoning_content", "reasoning", "reasoning_text"] as const)(
    "reasoningContentField %s, read and replayed",
    async (field) => {
      const chunk = (delta: Json, finish: string | null = null) =>
        `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
      const others = field === "reasoning" ? {} : { reasoning: "" };
      const stream = chunk({ [field]: "deep", ...others }) + chunk({ content: "answer" }, "stop");
      const model = modelOf("openai-completions", server.url, { compat: { reasoningContentField: field } });
      const first = await askModel(model, requestOf("hi", { fetch: async () => new Response(stream) }));
      expect(first).toMatchObject({ thinking: "deep", text: "answer" });
      const body = await bodyOf(
        { reasoningContentField: field },
        { messages: [user("[[text]]"), first.message, user("b")] },
      );
      expect(messagesOf(body).find((message) => message.role === "assistant")).toMatchObject({ [field]: "deep" });
      const silent = [user("[[text]]"), turn([{ type: "thinking", thinking: "mine" }, CALL]), RESULT];
      const other = await bodyOf({ reasoningContentField: field }, { messages: silent });
      expect(messagesOf(other).find((message) => message.role === "assistant")).toMatchObject({ [field]: "mine" });
    },
  );

  test("requiresReasoningContentForToolCalls, with a placeholder where allowed", async () => {
    const field = async (compat: Compat) =>
      messagesOf(await bodyOf(compat, { messages: rounds([CALL]) })).find((message) => message.role === "assistant")
        ?.reasoning_content;
    const needs = { requiresReasoningContentForToolCalls: true };
    expect(await field({ ...needs, allowsSyntheticReasoningContentForToolCalls: true })).toBe(".");
    expect(await field({ ...needs, allowsSyntheticReasoningContentForToolCalls: false })).toBeUndefined();
    expect(await field({ requiresReasoningContentForToolCalls: false })).toBeUndefined();
  });

  test("requiresThinkingAsText", async () => {
    const messages = rounds([{ type: "thinking", thinking: "hm" }, CALL]);
    const [assistant] = messagesOf(await bodyOf({ requiresThinkingAsText: true }, { messages })).filter(
      ({ role }) => role === "assistant",
    );
    expect(assistant?.content).toBe("<thinking>\nhm\n</thinking>");
    expect(assistant).not.toHaveProperty("reasoning_content");
  });
});

describe("calls and results follow", () => {
  const assistantOf = (body: Json) => messagesOf(body).find((message) => message.role === "assistant");
  const resultOf = (body: Json) => messagesOf(body).find((message) => message.role === "tool");

  test("requiresAssistantContentForToolCalls", async () => {
    const messages = rounds([CALL]);
    expect(assistantOf(await bodyOf({ requiresAssistantContentForToolCalls: true }, { messages }))?.content).toBe(".");
    expect(
      assistantOf(await bodyOf({ requiresAssistantContentForToolCalls: false }, { messages }))?.content,
    ).toBeNull();
  });

  test("requiresToolResultName", async () => {
    const messages = rounds([CALL]);
    expect(resultOf(await bodyOf({ requiresToolResultName: true }, { messages }))?.name).toBe("write");
    expect(resultOf(await bodyOf({ requiresToolResultName: false }, { messages }))).not.toHaveProperty("name");
  });

  test("requiresAssistantAfterToolResult", async () => {
    const messages = rounds([CALL]);
    const roles = async (flag: boolean) =>
      messagesOf(await bodyOf({ requiresAssistantAfterToolResult: flag }, { messages })).map(({ role }) => role);
    expect(await roles(true)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
    expect(await roles(false)).toEqual(["system", "user", "assistant", "tool", "user"]);
  });

  test("requiresMistralToolIds", async () => {
    const body = await bodyOf({ requiresMistralToolIds: true }, { messages: rounds([CALL]) });
    const id = asObjects(assistantOf(body)?.tool_calls)[0]?.id;
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(resultOf(body)?.tool_call_id).toBe(id);
    const plain = await bodyOf({ requiresMistralToolIds: false }, { messages: rounds([CALL]) });
    expect(resultOf(plain)?.tool_call_id).toBe("call_abc");
  });

  test("supportsStrictMode, toolStrictMode and GANTRY_NO_STRICT", async () => {
    const strict = { ...WRITE, name: "strict", strict: true };
    const flags = async (compat: Compat, env = {}) =>
      asObjects((await bodyOf(compat, { tools: [WRITE, strict], env })).tools).map(
        (tool) => (tool.function as Json).strict,
      );
    expect(await flags({ supportsStrictMode: true })).toEqual([false, true]);
    expect(await flags({ supportsStrictMode: false })).toEqual([undefined, undefined]);
    expect(await flags({ supportsStrictMode: true, toolStrictMode: "all_strict" })).toEqual([true, true]);
    expect(await flags({ supportsStrictMode: true, toolStrictMode: "none" })).toEqual([undefined, undefined]);
    expect(await flags({ supportsStrictMode: true }, { GANTRY_NO_STRICT: "1" })).toEqual([undefined, undefined]);
    const body = await bodyOf({ supportsStrictMode: true }, { tools: [strict] });
    expect(asObjects(body.tools)[0]?.function).toMatchObject({
      parameters: { additionalProperties: false, required: ["file_path", "content", "mode"] },
    });
  });

  test("the rule that images of results go into a user message", async () => {
    const picture: Message = {
      ...RESULT,
      content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
    } as Message;
    const body = await bodyOf({}, { messages: [user("[[text]]"), turn([CALL]), picture] });
    expect(messagesOf(body).map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
    expect(JSON.stringify(messagesOf(body).at(-1))).toContain("data:image/png;base64,AAAA");
  });
});

describe("the detected compat", () => {
  const of = (provider: string, baseUrl: string, id = "m", reasoning = true) =>
    detectCompat({ provider, baseUrl, id, reasoning });

  test.each([
    ["https://api.openai.com/v1", { supportsStore: true, supportsDeveloperRole: true, supportsStrictMode: true }],
    [
      "https://api.mistral.ai/v1",
      {
        requiresMistralToolIds: true,
        requiresToolResultName: true,
        requiresThinkingAsText: true,
        maxTokensField: "max_tokens",
        supportsStore: false,
      },
    ],
    [
      "https://api.cerebras.ai/v1",
      { supportsUsageInStreaming: false, toolStrictMode: "all_strict", supportsDeveloperRole: false },
    ],
    ["https://api.x.ai/v1", { supportsReasoningEffort: false, supportsStore: false }],
    ["https://api.z.ai/api/paas/v4", { thinkingFormat: "zai", supportsReasoningEffort: false }],
    [
      "https://api.deepseek.com",
      {
        supportsToolChoice: false,
        maxTokensField: "max_tokens",
        requiresReasoningContentForToolCalls: true,
        allowsSyntheticReasoningContentForToolCalls: false,
        extraBody: { thinking: { type: "enabled" } },
      },
    ],
    [
      "https://api.moonshot.ai/v1",
      {
        requiresReasoningContentForToolCalls: true,
        allowsSyntheticReasoningContentForToolCalls: true,
        requiresAssistantContentForToolCalls: true,
        disableReasoningOnForcedToolChoice: true,
      },
    ],
    [
      "https://openrouter.ai/api/v1",
      {
        thinkingFormat: "openrouter",
        requiresReasoningContentForToolCalls: true,
        supportsMultipleSystemMessages: true,
      },
    ],
    ["https://api.minimax.io/v1", { supportsMultipleSystemMessages: false, supportsDeveloperRole: false }],
    [
      "https://dashscope.aliyuncs.com/compatible-mode/v1",
      { supportsMultipleSystemMessages: false, thinkingFormat: "qwen" },
    ],
    [
      "https://example.org/v1",
      { supportsMultipleSystemMessages: false, supportsStrictMode: false, supportsStore: false },
    ],
  ] as const)("of %s", (baseUrl, expected) => expect(of("mine", baseUrl)).toMatchObject(expected));

  test("follows the host, or the provider name for an unknown host", () => {
    expect(of("mistral", "http://127.0.0.1:1/v1").requiresMistralToolIds).toBe(true);
    expect(of("mistral", "https://api.openai.com/v1").requiresMistralToolIds).toBe(false);
    expect(of("x", "https://api.openai.com.evil.example/v1").supportsStore).toBe(false);
  });

  test("is overridden by configured fields", () => {
    const compat = { requiresMistralToolIds: false, reasoningEffortMap: { low: "tiny" } };
    const found = detectCompat({ provider: "mistral", baseUrl: "", id: "m", reasoning: true, compat });
    expect(found).toMatchObject({ requiresMistralToolIds: false, requiresToolResultName: true });
    const deep = detectCompat({ provider: "deepseek", baseUrl: "", id: "m", reasoning: true, compat });
    expect(deep.reasoningEffortMap).toMatchObject({ low: "tiny", xhigh: "max" });
  });
});
