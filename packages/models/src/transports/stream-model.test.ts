import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../messages.ts";
import { APIS } from "../model.ts";
import { askModel, contractViolations, KEY, modelOf, requestOf, user } from "./testing/ask-model.ts";

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0, slowPace: 1 } });
});
afterEach(() => server.refuse());
afterAll(() => server.close());

const PICTURE = { type: "image", data: "aGVsbG8=", mimeType: "image/png" } as const;
const lastBody = () => JSON.stringify(server.requests().at(-1)?.body);

describe.each(APIS)("%s", (api) => {
  const model = (more = {}) => modelOf(api, server.url, more);

  test("streams text with usage and cost", async () => {
    const { events, last, text, message } = await askModel(model(), requestOf("[[text]] hello"));
    expect(contractViolations(events)).toEqual([]);
    expect(last.type).toBe("done");
    expect(text).toBe("Hello from the scripted model. The answer is 42.");
    expect(message).toMatchObject({ stopReason: "stop", api, provider: "scripted", model: "scripted-model" });
    expect(message.usage.input).toBe(1200);
    expect(message.usage.output).toBeGreaterThanOrEqual(57);
    expect(message.usage.cost.total).toBeGreaterThan(0.0017);
    expect(message.ttft).toBeGreaterThanOrEqual(0);
    expect(lastBody()).toContain("Be brief.");
  });

  test("streams thinking and text, and sends both back to the same model", async () => {
    const first = await askModel(model(), requestOf("[[think]] hello", { thinking: "high" }));
    expect(first.thinking).toBe("Let me think about this step by step. First A, then B.");
    expect(first.text).toBe("After thinking: the answer is 42.");
    await askModel(
      model(),
      requestOf([user("[[think]] hello"), first.message, user("[[text]] more")], { thinking: "high" }),
    );
    expect(lastBody()).toContain("Let me think about this");
  });

  test("makes a tool round trip", async () => {
    const prompt = user("[[write]] [[cwd:/work/here]] go");
    const first = await askModel(model(), requestOf([prompt]));
    expect(contractViolations(first.events)).toEqual([]);
    expect(first.message.stopReason).toBe("toolUse");
    expect(first.calls).toMatchObject([
      { name: "write", arguments: { file_path: "/work/here/hello.txt", content: "hello world\n" } },
    ]);
    const [call] = first.calls;
    const result: Message = {
      role: "toolResult",
      toolCallId: call?.id ?? "",
      toolName: "write",
      content: [{ type: "text", text: "written-well" }],
      isError: false,
      timestamp: 2,
    };
    const second = await askModel(model(), requestOf([prompt, first.message, result]));
    expect(second.text).toBe("Done: hello.txt written.");
    expect(lastBody()).toContain("written-well");
    expect(lastBody()).toContain("hello world");
  });

  test("streams three parallel calls", async () => {
    const bash = {
      name: "bash",
      description: "",
      parameters: { type: "object", properties: { command: { type: "string" } } },
    };
    const { calls, events } = await askModel(model(), requestOf("[[parallel]]", { tools: [bash] }));
    expect(contractViolations(events)).toEqual([]);
    expect(calls.map((call) => call.arguments.command)).toEqual(["echo first", "echo second", "echo third"]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
  });

  test("sends images, or a note to models without image support", async () => {
    await askModel(model(), requestOf([user([{ type: "text", text: "[[text]] look" }, PICTURE])]));
    expect(lastBody()).toContain("aGVsbG8=");
    await askModel(model({ input: ["text"] }), requestOf([user([{ type: "text", text: "[[text]] look" }, PICTURE])]));
    expect(lastBody()).not.toContain("aGVsbG8=");
    expect(lastBody()).toContain("does not support images");
  });

  test("preserves special characters", async () => {
    const { text } = await askModel(model(), requestOf("[[unicode]]"));
    expect(text).toContain("\u2028");
    expect(text).toContain("\u0000");
    expect(text).toContain("👩‍👩‍👧‍👦");
  });

  test("reports refusal and length limit", async () => {
    expect((await askModel(model(), requestOf("[[maxtok]]"))).message).toMatchObject({ stopReason: "length" });
    const refused = await askModel(model(), requestOf("[[refuse]]"));
    // This format has no refusal reason, so the refusal is an ordinary response.
    if (api === "ollama-chat") expect(refused.message.stopReason).toBe("stop");
    else expect(refused.failure).toMatchObject({ category: "refused" });
    expect(refused.text).toBe("I cannot");
  });

  test("reports invalid JSON in arguments", async () => {
    const { events, calls, message } = await askModel(model(), requestOf("[[badjson]]"));
    expect(contractViolations(events)).toEqual([]);
    if (api.startsWith("google")) return expect(calls).toMatchObject([{ arguments: {} }]);
    expect(message.stopReason).toBe("toolUse");
    const end = events.find((event) => event.type === "toolcall_end");
    expect(end).toMatchObject({ invalid: expect.any(String), toolCall: { arguments: { file_path: "x" } } });
  });

  test.each([
    ["err401", "auth", 401],
    ["err403", "auth", 403],
    ["err404", "invalid", 404],
    ["err429", "rate_limited", 429],
    ["err500", "server", 500],
    ["err503", "overloaded", 503],
    ["err529", "overloaded", 529],
    ["quota", "quota", 429],
    ["credit", "quota", 400],
    ["overflow", "overflow", 400],
  ])("classifies the scenario %s as %s", async (scenario, category, status) => {
    const { events, failure, message } = await askModel(model(), requestOf(`[[${scenario}]]`));
    expect(contractViolations(events)).toEqual([]);
    expect(message.stopReason).toBe("error");
    expect(failure).toMatchObject({ category, status });
    expect(message.errorMessage).toBe(failure?.message);
  });

  test("reads the retry delay of a rate limit", async () => {
    server.refuse({ failure: "err429", message: "slow", headers: { "retry-after": "7" } });
    expect((await askModel(model(), requestOf("hi"))).failure?.retryAfterMs).toBe(7000);
    server.refuse({ failure: "err429", message: "slow" });
    expect((await askModel(model(), requestOf("hi"))).failure).toEqual({
      category: "rate_limited",
      message: "slow",
      status: 429,
    });
    server.refuse({ failure: "err429", message: "Please retry in 12.5s." });
    expect((await askModel(model(), requestOf("hi"))).failure?.retryAfterMs).toBe(12_500);
  });

  test.each([
    ["overflowsse", "overflow"],
    ["overloadsse", "overloaded"],
    ["ratesse", "rate_limited"],
    ["quotasse", "quota"],
    ["miderr", "overloaded"],
  ])("classifies the scenario %s inside the stream as %s", async (scenario, category) => {
    const { events, failure, text } = await askModel(model(), requestOf(`[[${scenario}]]`));
    expect(contractViolations(events)).toEqual([]);
    expect(failure).toMatchObject({ category });
    if (scenario === "miderr") expect(text).not.toBe("");
  });

  test("reports a closed socket as a network failure", async () => {
    const { events, failure, text } = await askModel(model(), requestOf("[[drop]]"));
    expect(contractViolations(events)).toEqual([]);
    expect(failure).toMatchObject({ category: "network" });
    expect("This answer is longer").toContain(text.slice(0, 12));
  });

  test("times out when the server stalls, at the start or in the middle", async () => {
    const silent = await askModel(model(), requestOf("[[hang]]", { idleMs: 80 }));
    expect(silent.failure).toMatchObject({ category: "network", message: "No data received for 80 ms." });
    const stalled = await askModel(model(), requestOf("[[hangmid]]", { idleMs: 1000 }));
    expect(stalled.failure).toMatchObject({ category: "network", message: "No data received for 1000 ms." });
    expect(stalled.text).not.toBe("");
  });

  test("keeps partial content on abort and closes the connection", async () => {
    const stop = new AbortController();
    const marker = `abort-${api}`;
    const request = requestOf(`[[slow:500:5]] ${marker}`, { signal: stop.signal });
    const watched = modelOf(api, server.url);
    const pieces: string[] = [];
    const { streamModel } = await import("./stream-model.ts");
    let message: Message | undefined;
    for await (const event of streamModel(watched, request)) {
      if (event.type === "text_delta" && pieces.push(event.delta) === 3) stop.abort();
      if (event.type === "error" || event.type === "done") message = event.message;
    }
    expect(message).toMatchObject({ stopReason: "aborted", failure: { category: "aborted" } });
    expect(pieces.length).toBeGreaterThanOrEqual(3);
    const seen = server.requests().findLast((each) => JSON.stringify(each.body).includes(marker));
    await expect.poll(() => seen?.aborted).toBe(true);
  });

  test("sends nothing if aborted before the start", async () => {
    const before = server.requests().length;
    const { message } = await askModel(model(), requestOf("hi", { signal: AbortSignal.abort() }));
    expect(message.stopReason).toBe("aborted");
    expect(server.requests()).toHaveLength(before);
  });

  test("closes the connection when the consumer stops reading", async () => {
    const { streamModel } = await import("./stream-model.ts");
    const marker = `leave-${api}`;
    for await (const event of streamModel(model(), requestOf(`[[slow:500:5]] ${marker}`))) {
      if (event.type === "text_delta") break;
    }
    const seen = server.requests().findLast((each) => JSON.stringify(each.body).includes(marker));
    await expect.poll(() => seen?.aborted).toBe(true);
  });

  test("never exposes the key in a message", async () => {
    server.refuse({ failure: "err401", message: `Incorrect API key provided: ${KEY}. Bearer ${KEY}` });
    const { events } = await askModel(model(), requestOf("hi"));
    expect(JSON.stringify(events)).not.toContain(KEY);
    const broke = await askModel(model(), {
      ...requestOf("hi"),
      fetch: () => Promise.reject(new Error(`cannot connect with ${KEY}`)),
    });
    expect(JSON.stringify(broke.events)).not.toContain(KEY);
    expect(broke.failure).toBeDefined();
  });

  test("passes the whole body through seal, and sends nothing if seal throws", async () => {
    const request = requestOf("[[text]] the secret is hunter2");
    const seal = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll("hunter2", "COVERED")) as unknown;
    await askModel(model(), { ...request, seal });
    expect(lastBody()).toContain("COVERED");
    expect(lastBody()).not.toContain("hunter2");
    const before = server.requests().length;
    const failToSeal = () => {
      throw new Error("no seal");
    };
    expect((await askModel(model(), { ...request, seal: failToSeal })).failure).toMatchObject({ category: "unknown" });
    expect(server.requests()).toHaveLength(before);
  });

  test("applies wireModelId, requestTransform and headers", async () => {
    const shaped = model({
      wireModelId: "wire-name",
      headers: { "X-Team": "platform", "X-Stainless-Os": "linux", "OpenAI-Organization": "org" },
      requestTransform: {
        profile: "openai-proxy",
        setHeaders: { "X-Team": null, "X-More": "yes" },
        extraBody: { gateway: "m1", messages: "stolen", input: "stolen", contents: "stolen", tools: "stolen" },
      },
    });
    const { text } = await askModel(shaped, requestOf("[[text]] hi"));
    expect(text).toContain("42");
    const seen = server.requests().at(-1);
    expect(seen?.model).toBe("wire-name");
    expect(seen?.body.gateway).toBe("m1");
    expect(lastBody()).not.toContain("stolen");
    expect(seen?.headers).toMatchObject({ "x-more": "yes", "user-agent": "gantry" });
    expect(Object.keys(seen?.headers ?? {})).not.toEqual(expect.arrayContaining(["x-team"]));
    expect(JSON.stringify(seen?.headers)).not.toMatch(/stainless|openai-organization/);
    await askModel(
      model({ headers: { "X-A": "1", "X-B": "2" }, requestTransform: { stripHeaders: ["x-a"] } }),
      requestOf("hi"),
    );
    expect(server.requests().at(-1)?.headers).toMatchObject({ "x-b": "2" });
    expect(server.requests().at(-1)?.headers["x-a"]).toBeUndefined();
  });
});
