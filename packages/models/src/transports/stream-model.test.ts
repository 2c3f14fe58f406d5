import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../messages.ts";
import { APIS } from "../model.ts";
import { ask, broken, KEY, modelOf, requestOf, user } from "./testing/asking.ts";

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

  test("text, with what it cost", async () => {
    const { events, last, text, message } = await ask(model(), requestOf("[[text]] hello"));
    expect(broken(events)).toEqual([]);
    expect(last.type).toBe("done");
    expect(text).toBe("Hello from the scripted model. The answer is 42.");
    expect(message).toMatchObject({ stopReason: "stop", api, provider: "scripted", model: "scripted-model" });
    expect(message.usage.input).toBe(1200);
    expect(message.usage.output).toBeGreaterThanOrEqual(57);
    expect(message.usage.cost.total).toBeGreaterThan(0.0017);
    expect(message.ttft).toBeGreaterThanOrEqual(0);
    expect(lastBody()).toContain("Be brief.");
  });

  test("thoughts, then text; both go back to the same model", async () => {
    const first = await ask(model(), requestOf("[[think]] hello", { thinking: "high" }));
    expect(first.thinking).toBe("Let me think about this step by step. First A, then B.");
    expect(first.text).toBe("After thinking: the answer is 42.");
    await ask(
      model(),
      requestOf([user("[[think]] hello"), first.message, user("[[text]] more")], { thinking: "high" }),
    );
    expect(lastBody()).toContain("Let me think about this");
  });

  test("a tool round trip", async () => {
    const prompt = user("[[write]] [[cwd:/work/here]] go");
    const first = await ask(model(), requestOf([prompt]));
    expect(broken(first.events)).toEqual([]);
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
    const second = await ask(model(), requestOf([prompt, first.message, result]));
    expect(second.text).toBe("Done: hello.txt written.");
    expect(lastBody()).toContain("written-well");
    expect(lastBody()).toContain("hello world");
  });

  test("three calls at once", async () => {
    const bash = {
      name: "bash",
      description: "",
      parameters: { type: "object", properties: { command: { type: "string" } } },
    };
    const { calls, events } = await ask(model(), requestOf("[[parallel]]", { tools: [bash] }));
    expect(broken(events)).toEqual([]);
    expect(calls.map((call) => call.arguments.command)).toEqual(["echo first", "echo second", "echo third"]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
  });

  test("images are sent, or replaced by words where the model sees none", async () => {
    await ask(model(), requestOf([user([{ type: "text", text: "[[text]] look" }, PICTURE])]));
    expect(lastBody()).toContain("aGVsbG8=");
    await ask(model({ input: ["text"] }), requestOf([user([{ type: "text", text: "[[text]] look" }, PICTURE])]));
    expect(lastBody()).not.toContain("aGVsbG8=");
    expect(lastBody()).toContain("cannot see images");
  });

  test("hard characters arrive as they are", async () => {
    const { text } = await ask(model(), requestOf("[[unicode]]"));
    expect(text).toContain("\u2028");
    expect(text).toContain("\u0000");
    expect(text).toContain("👩‍👩‍👧‍👦");
  });

  test("refusal and length", async () => {
    expect((await ask(model(), requestOf("[[maxtok]]"))).message).toMatchObject({ stopReason: "length" });
    const refused = await ask(model(), requestOf("[[refuse]]"));
    // This format has no word for it; there the words stand as an answer.
    if (api === "ollama-chat") expect(refused.message.stopReason).toBe("stop");
    else expect(refused.failure).toMatchObject({ category: "refused" });
    expect(refused.text).toBe("I cannot");
  });

  test("arguments that are no JSON", async () => {
    const { events, calls, message } = await ask(model(), requestOf("[[badjson]]"));
    expect(broken(events)).toEqual([]);
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
  ])("%s is %s", async (scenario, category, status) => {
    const { events, failure, message } = await ask(model(), requestOf(`[[${scenario}]]`));
    expect(broken(events)).toEqual([]);
    expect(message.stopReason).toBe("error");
    expect(failure).toMatchObject({ category, status });
    expect(message.errorMessage).toBe(failure?.message);
  });

  test("a rate limit with and without a hint", async () => {
    server.refuse({ failure: "err429", message: "slow", headers: { "retry-after": "7" } });
    expect((await ask(model(), requestOf("hi"))).failure?.retryAfterMs).toBe(7000);
    server.refuse({ failure: "err429", message: "slow" });
    expect((await ask(model(), requestOf("hi"))).failure).toEqual({
      category: "rate_limited",
      message: "slow",
      status: 429,
    });
    server.refuse({ failure: "err429", message: "Please retry in 12.5s." });
    expect((await ask(model(), requestOf("hi"))).failure?.retryAfterMs).toBe(12_500);
  });

  test.each([
    ["overflowsse", "overflow"],
    ["overloadsse", "overloaded"],
    ["ratesse", "rate_limited"],
    ["quotasse", "quota"],
    ["miderr", "overloaded"],
  ])("%s inside the stream is %s", async (scenario, category) => {
    const { events, failure, text } = await ask(model(), requestOf(`[[${scenario}]]`));
    expect(broken(events)).toEqual([]);
    expect(failure).toMatchObject({ category });
    if (scenario === "miderr") expect(text).not.toBe("");
  });

  test("a socket that is cut", async () => {
    const { events, failure, text } = await ask(model(), requestOf("[[drop]]"));
    expect(broken(events)).toEqual([]);
    expect(failure).toMatchObject({ category: "network" });
    expect("This answer is longer").toContain(text.slice(0, 12));
  });

  test("a server that says nothing, at once or in the middle", async () => {
    const silent = await ask(model(), requestOf("[[hang]]", { idleMs: 80 }));
    expect(silent.failure).toMatchObject({ category: "network", message: "No data received for 80 ms." });
    const stalled = await ask(model(), requestOf("[[hangmid]]", { idleMs: 1000 }));
    expect(stalled.failure).toMatchObject({ category: "network", message: "No data received for 1000 ms." });
    expect(stalled.text).not.toBe("");
  });

  test("an abort in the middle keeps what came and lets the server go", async () => {
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

  test("an abort before the beginning asks nobody", async () => {
    const before = server.requests().length;
    const { message } = await ask(model(), requestOf("hi", { signal: AbortSignal.abort() }));
    expect(message.stopReason).toBe("aborted");
    expect(server.requests()).toHaveLength(before);
  });

  test("whoever stops reading lets the server go", async () => {
    const { streamModel } = await import("./stream-model.ts");
    const marker = `leave-${api}`;
    for await (const event of streamModel(model(), requestOf(`[[slow:500:5]] ${marker}`))) {
      if (event.type === "text_delta") break;
    }
    const seen = server.requests().findLast((each) => JSON.stringify(each.body).includes(marker));
    await expect.poll(() => seen?.aborted).toBe(true);
  });

  test("the key is in no message", async () => {
    server.refuse({ failure: "err401", message: `Incorrect API key provided: ${KEY}. Bearer ${KEY}` });
    const { events } = await ask(model(), requestOf("hi"));
    expect(JSON.stringify(events)).not.toContain(KEY);
    const broke = await ask(model(), {
      ...requestOf("hi"),
      fetch: () => Promise.reject(new Error(`cannot connect with ${KEY}`)),
    });
    expect(JSON.stringify(broke.events)).not.toContain(KEY);
    expect(broke.failure).toBeDefined();
  });

  test("the body is sealed as a whole; what cannot be sealed is not sent", async () => {
    const request = requestOf("[[text]] the secret is hunter2");
    const seal = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll("hunter2", "COVERED")) as unknown;
    await ask(model(), { ...request, seal });
    expect(lastBody()).toContain("COVERED");
    expect(lastBody()).not.toContain("hunter2");
    const before = server.requests().length;
    const failing = () => {
      throw new Error("no seal");
    };
    expect((await ask(model(), { ...request, seal: failing })).failure).toMatchObject({ category: "unknown" });
    expect(server.requests()).toHaveLength(before);
  });

  test("wireModelId, requestTransform and headers", async () => {
    const shaped = model({
      wireModelId: "wire-name",
      headers: { "X-Team": "platform", "X-Stainless-Os": "linux", "OpenAI-Organization": "org" },
      requestTransform: {
        profile: "openai-proxy",
        setHeaders: { "X-Team": null, "X-More": "yes" },
        extraBody: { gateway: "m1", messages: "stolen", input: "stolen", contents: "stolen", tools: "stolen" },
      },
    });
    const { text } = await ask(shaped, requestOf("[[text]] hi"));
    expect(text).toContain("42");
    const seen = server.requests().at(-1);
    expect(seen?.model).toBe("wire-name");
    expect(seen?.body.gateway).toBe("m1");
    expect(lastBody()).not.toContain("stolen");
    expect(seen?.headers).toMatchObject({ "x-more": "yes", "user-agent": "gantry" });
    expect(Object.keys(seen?.headers ?? {})).not.toEqual(expect.arrayContaining(["x-team"]));
    expect(JSON.stringify(seen?.headers)).not.toMatch(/stainless|openai-organization/);
    await ask(
      model({ headers: { "X-A": "1", "X-B": "2" }, requestTransform: { stripHeaders: ["x-a"] } }),
      requestOf("hi"),
    );
    expect(server.requests().at(-1)?.headers).toMatchObject({ "x-b": "2" });
    expect(server.requests().at(-1)?.headers["x-a"]).toBeUndefined();
  });
});
