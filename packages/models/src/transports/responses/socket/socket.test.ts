import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Message } from "../../../messages.ts";
import type { Model } from "../../../model.ts";
import type { ModelRequest } from "../../../stream.ts";
import { closeConnections } from "../../stream-model.ts";
import { askModel, contractViolations, KEY, modelOf, requestOf, user } from "../../testing/ask-model.ts";
import { answerRequest, eventsOf, type FakeSocketServer, startSocketServer } from "../../testing/socket-server.fake.ts";
import { leaseConnection } from "./pool.ts";

let server: FakeSocketServer;
let sessionId: string;
let sessions = 0;

beforeEach(async () => {
  server = await startSocketServer();
  sessionId = `session-${++sessions}`;
});
afterEach(async () => {
  await closeConnections(sessionId);
  await server.close();
});

const APIS = ["openai-responses", "openai-codex-responses"] as const;

function ask(messages: string | Message[], more: Partial<ModelRequest> = {}, model: Partial<Model> = {}) {
  const used = modelOf("openai-responses", server.url, { websockets: "auto", ...model });
  return askModel(used, requestOf(messages, { sessionId, ...more }));
}

const lastCreated = () => server.created.at(-1);
const roles = () => lastCreated()?.input.map((item) => item.type ?? item.role);

describe.each(APIS)("%s over a WebSocket", (api) => {
  const path = { "openai-responses": "/v1", "openai-codex-responses": "/backend-api" }[api];
  const send = (messages: Message[]) => ask(messages, {}, { api, baseUrl: server.url + path });

  test("keeps its connection and sends only what the server does not have", async () => {
    const first = await send([user("one")]);
    expect(contractViolations(first.events)).toEqual([]);
    expect(first).toMatchObject({ failure: undefined, text: expect.stringContaining("on connection 1") });
    const second = await send([user("one"), first.message, user("two")]);
    const third = await send([user("one"), first.message, user("two"), second.message, user("three")]);
    expect(third.text).toContain("on connection 1");
    expect(server.upgrades).toHaveLength(1);
    expect(server.posts).toEqual([]);
    expect(server.created.map(({ body }) => body.previous_response_id)).toEqual([
      undefined,
      first.message.responseId,
      second.message.responseId,
    ]);
    expect(lastCreated()?.input).toEqual([{ role: "user", content: [{ type: "input_text", text: "three" }] }]);
    expect(lastCreated()?.body).toMatchObject({ type: "response.create", model: "scripted-model", store: false });
    expect(lastCreated()?.body).not.toHaveProperty("stream");
    expect(server.upgrades[0]).toMatchObject({ authorization: `Bearer ${KEY}`, "user-agent": "gantry" });
  });
});

test("opens Codex's connection with the header of its WebSocket mode", async () => {
  await ask("hi", {}, { api: "openai-codex-responses", baseUrl: server.url });
  expect(server.upgrades[0]?.["openai-beta"]).toBe("responses_websockets=2026-02-06");
});

test("continues after a tool call whose arguments the transcript has shortened", async () => {
  const call = { id: "call_1", arguments: { _i: "purpose", file_path: "a", content: "b", mode: null } };
  server.answer = (request) => request.send(...eventsOf("resp_call", "Writing.", call));
  const first = await ask([user("one")]);
  expect(first.calls).toMatchObject([{ name: "write" }]);
  for (const block of first.message.content) if (block.type === "toolCall") delete block.arguments._i;
  server.answer = answerRequest;
  const [made] = first.calls;
  const result: Message = {
    role: "toolResult",
    toolCallId: made?.id ?? "",
    toolName: "write",
    content: [{ type: "text", text: "written" }],
    isError: false,
    timestamp: 2,
  };
  await ask([user("one"), first.message, result]);
  expect(lastCreated()?.body.previous_response_id).toBe("resp_call");
  expect(lastCreated()?.input).toEqual([{ type: "function_call_output", call_id: "call_1", output: "written" }]);
});

describe("sends the whole conversation", () => {
  test.each<[string, (first: Message) => Message[], Partial<ModelRequest>, Partial<Model>]>([
    ["when an earlier message has changed", (first) => [user("uno"), first, user("two")], {}, {}],
    ["when the answer was edited", (first) => [user("one"), edited(first), user("two")], {}, {}],
    ["when the history was compacted", () => [user("summary"), user("two")], {}, {}],
    ["when the tools have changed", (first) => [user("one"), first, user("two")], { tools: [] }, {}],
    ["when the model has changed", (first) => [user("one"), first, user("two")], {}, { id: "other" }],
    ["when there is nothing new", () => [user("one")], {}, {}],
  ])("%s", async (_, history, more, model) => {
    const first = await ask([user("one")]);
    const { failure } = await ask(history(first.message), more, model);
    expect(failure).toBeUndefined();
    expect(lastCreated()?.body).not.toHaveProperty("previous_response_id");
    expect(lastCreated()?.input.length).toBeGreaterThan(1);
    expect(server.upgrades).toHaveLength(1);
  });

  function edited(message: Message): Message {
    if (message.role !== "assistant") return message;
    const content = message.content.map((block) => (block.type === "text" ? { ...block, text: "Other." } : block));
    return { ...message, content };
  }

  test("on the same connection when the server has forgotten the last response", async () => {
    const first = await ask([user("one")]);
    server.answer = (request) => {
      const id = request.body.previous_response_id;
      if (id === undefined) return answerRequest(request);
      const error = { code: "previous_response_not_found", message: `Previous response with id '${id}' not found.` };
      request.send({ type: "error", status: 400, error });
    };
    const second = await ask([user("one"), first.message, user("two")]);
    expect(second).toMatchObject({ failure: undefined, text: expect.stringContaining("connection 1") });
    expect(server.created).toHaveLength(3);
    expect(roles()).toContain("message");
    expect(contractViolations(second.events)).toEqual([]);
  });

  test("on a new connection when the old one was closed while it was idle", async () => {
    const first = await ask([user("one")]);
    lastCreated()?.socket.close();
    await vi.waitFor(() => expect(server.open()).toBe(0));
    const second = await ask([user("one"), first.message, user("two")]);
    expect(second.text).toContain("connection 2");
    expect(lastCreated()?.body).not.toHaveProperty("previous_response_id");
  });

  test("on a new connection when the old one breaks before the response begins", async () => {
    const first = await ask([user("one")]);
    server.answer = (request) => (request.connection === 1 ? request.socket.terminate() : answerRequest(request));
    const second = await ask([user("one"), first.message, user("two")]);
    expect(second).toMatchObject({ failure: undefined, text: expect.stringContaining("connection 2") });
    expect(server.posts).toEqual([]);
  });

  test("on a new connection when the server reports that the old one is too old", async () => {
    const first = await ask([user("one")]);
    server.answer = (request) => {
      if (request.connection > 1) return answerRequest(request);
      request.send({ type: "error", status: 400, error: { code: "websocket_connection_limit_reached", message: "" } });
    };
    const second = await ask([user("one"), first.message, user("two")]);
    expect(second).toMatchObject({ failure: undefined, text: expect.stringContaining("connection 2") });
  });
});

describe("a connection that cannot be used", () => {
  test.each([401, 404, 426, 500])(
    "with status %s falls back to HTTP once and for the next requests",
    async (status) => {
      server.upgradeStatus = status;
      expect((await ask("hi")).text).toBe("over HTTP");
      server.upgradeStatus = 101;
      expect((await ask("hi")).text).toBe("over HTTP");
      expect(server.posts).toHaveLength(2);
      expect(server.created).toEqual([]);
      expect(server.posts[0]).toMatchObject({ stream: true });
    },
  );

  test("is a failure when HTTP is not wanted", async () => {
    server.upgradeStatus = 404;
    const { failure } = await ask("hi", {}, { websockets: "on" });
    expect(failure).toMatchObject({ category: "network", message: expect.stringContaining("WebSocket") });
    expect(server.posts).toEqual([]);
  });

  test("because it closes before the response begins, falls back to HTTP", async () => {
    server.answer = ({ socket }) => socket.close();
    const { text, events } = await ask("hi");
    expect(text).toBe("over HTTP");
    expect(contractViolations(events)).toEqual([]);
    expect(server.created).toHaveLength(1);
  });

  test.each(["auto", "on"] as const)(
    "because the upgrade gets no answer, ends with an abort (%s)",
    async (websockets) => {
      server.upgradeStatus = undefined;
      const stop = new AbortController();
      const asked = ask("hi", { signal: stop.signal }, { websockets });
      setTimeout(() => stop.abort(), 20);
      expect((await asked).failure).toMatchObject({ category: "aborted" });
      expect(server.posts).toEqual([]);
      await vi.waitFor(() => expect(server.open()).toBe(0));
    },
  );
});

test.each([
  ["off", { websockets: "off" as const }, {}],
  ["not set", { websockets: undefined }, {}],
  ["on, and the request belongs to no session", { websockets: "on" as const }, { sessionId: undefined }],
])("uses HTTP if WebSockets are %s", async (_, model, more) => {
  const used = modelOf("openai-responses", server.url, model as Partial<Model>);
  expect((await askModel(used, requestOf("hi", { sessionId, ...more } as Partial<ModelRequest>))).text).toBe(
    "over HTTP",
  );
  expect(server.upgrades).toEqual([]);
});

test("a connection that breaks at any event fails the response, and nothing is sent again", async () => {
  const events = eventsOf("resp_cut", "A text of two halves.");
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: events.length - 1 }), fc.boolean(), async (length, isPolite) => {
      const before = { created: server.created.length, posts: server.posts.length };
      server.answer = (request) => {
        request.send(...events.slice(0, length));
        if (isPolite) request.socket.close(1011, "restart");
        else setTimeout(() => request.socket.terminate(), 5);
      };
      const { events: got, failure, text } = await ask("hi");
      expect(failure).toMatchObject({ category: "network" });
      expect(contractViolations(got)).toEqual([]);
      expect("A text of two halves.".startsWith(text)).toBe(true);
      expect(server.created.length - before.created).toBe(1);
      expect(server.posts.length).toBe(before.posts);
      server.answer = answerRequest;
      expect((await ask("again")).failure).toBeUndefined();
      await closeConnections(sessionId);
    }),
    { numRuns: 25 },
  );
});

test("a slow server fails with the idle timeout, and its connection is closed", async () => {
  server.answer = (request) => request.send(...eventsOf("resp_slow", "slow").slice(0, 3));
  const { failure } = await ask("hi", { idleMs: 40 });
  expect(failure).toMatchObject({ category: "network", message: expect.stringContaining("40 ms") });
  await vi.waitFor(() => expect(server.open()).toBe(0));
  expect(server.posts).toEqual([]);
});

test("an abort closes the connection at once", async () => {
  const stop = new AbortController();
  server.answer = (request) => {
    request.send(...eventsOf("resp_stop", "never whole").slice(0, 4));
    setTimeout(() => stop.abort(), 10);
  };
  const { message, failure } = await ask("hi", { signal: stop.signal });
  expect(failure).toMatchObject({ category: "aborted" });
  expect(message.stopReason).toBe("aborted");
  await vi.waitFor(() => expect(server.open()).toBe(0));
});

test("two requests of a session at the same time use two connections and get their own answers", async () => {
  const waiting: (() => void)[] = [];
  server.answer = (request) => {
    const asked = JSON.stringify(request.input).includes("left") ? "left" : "right";
    waiting.push(() => request.send(...eventsOf(`resp_${asked}`, `for ${asked}`)));
    if (waiting.length === 2) for (const answer of waiting.reverse()) answer();
  };
  const [left, right] = await Promise.all([ask("left"), ask("right")]);
  expect([left.text, right.text]).toEqual(["for left", "for right"]);
  expect(server.upgrades).toHaveLength(2);
  server.answer = answerRequest;
  const next = await ask([user("left"), left.message, user("more")]);
  expect(next.failure).toBeUndefined();
  expect(lastCreated()?.body.previous_response_id).toBe("resp_left");
  expect(server.upgrades).toHaveLength(2);
});

test("sessions and credentials do not share connections", async () => {
  await ask("hi");
  await ask("hi", { sessionId: `${sessionId}-other` });
  await ask("hi", { credential: { kind: "key", key: "another-key-0123456789" } });
  expect(server.upgrades).toHaveLength(3);
  await closeConnections(`${sessionId}-other`);
  await vi.waitFor(() => expect(server.open()).toBe(2));
});

test("a connection without requests is closed after its idle time", async () => {
  const target = { sessionId, url: `${server.url}/v1/responses`, headers: {} };
  const { signal } = new AbortController();
  const lease = await leaseConnection(target, {}, { signal, fresh: false, idleMs: 10 });
  lease.release(undefined);
  await vi.waitFor(() => expect(server.open()).toBe(0));
});

test("an error event is classified by its status, and the connection stays usable", async () => {
  server.answer = ({ send }) =>
    send({ type: "error", status: 429, error: { type: "usage_limit_reached", message: "limit" } });
  expect((await ask("hi")).failure).toMatchObject({ category: "quota", status: 429, message: "limit" });
  server.answer = answerRequest;
  expect((await ask("hi")).text).toContain("connection 1");
});

test("the end of another response fails the request and ends the connection", async () => {
  server.answer = ({ send }) => {
    const events = eventsOf("resp_mine", "mine");
    send(...events.slice(0, 4), { type: "response.completed", response: { id: "resp_other", status: "completed" } });
  };
  expect((await ask("hi")).failure).toMatchObject({ message: expect.stringContaining("another response") });
  await vi.waitFor(() => expect(server.open()).toBe(0));
});

test("secrets are masked before a request is compared and sent", async () => {
  const seal = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll("hunter2", "<1>")) as unknown;
  const first = await ask([user("hunter2")], { seal });
  await ask([user("hunter2"), first.message, user("more hunter2")], { seal });
  expect(JSON.stringify(server.created.map(({ body }) => body))).not.toContain("hunter2");
  expect(lastCreated()?.body.previous_response_id).toBe(first.message.responseId);
});

test("goes through the proxy of the environment, as HTTP does", async () => {
  const targets: string[] = [];
  const proxy = createServer().on("connect", (request, client) => {
    targets.push(request.url ?? "");
    const { port } = new URL(server.url);
    const through = connect(Number(port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(through).pipe(client);
    });
    for (const end of [client, through]) end.on("error", () => through.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const file = JSON.stringify(fileURLToPath(new URL("./connection.ts", import.meta.url)));
  const script = `const { openSocket } = await import(${file});
    const { signal } = new AbortController();
    const socket = await openSocket("http://model.invalid/v1/responses", { headers: { "x-mine": "1" }, timeoutMs: 10000, signal });
    socket.listen({ message(text) { console.log(JSON.parse(text).type); process.exit(0); }, closed: console.log });
    socket.send("{}");`;
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = { PATH: process.env.PATH, NODE_USE_ENV_PROXY: "1", HTTP_PROXY: address };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  expect(stdout.trim()).toBe("response.created");
  expect(targets).toEqual(["model.invalid:80"]);
  expect(server.upgrades[0]?.["x-mine"]).toBe("1");
});

test("keeps the event contract for messages of any kind", async () => {
  const types = [
    "response.created",
    "response.output_text.delta",
    "response.output_item.done",
    "response.completed",
    "error",
  ];
  const event = fc.record(
    {
      type: fc.constantFrom(...types),
      response: fc.oneof(fc.constant({ id: "a", status: "completed" }), fc.jsonValue()),
      item: fc.oneof(fc.constant({ type: "message", content: [{ text: "x" }] }), fc.jsonValue()),
      delta: fc.jsonValue(),
      output_index: fc.integer({ min: 0, max: 2 }),
      error: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const message = fc.oneof({ weight: 6, arbitrary: event.map((one) => JSON.stringify(one)) }, fc.string(), fc.json());
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 6 }), fc.boolean(), async (messages, isBinary) => {
      server.answer = ({ socket }) => {
        for (const one of messages) socket.send(isBinary ? Buffer.from(one) : one);
        socket.close();
      };
      const { events } = await ask("hi", {}, { websockets: "on" });
      expect(contractViolations(events)).toEqual([]);
      await closeConnections(sessionId);
    }),
    { numRuns: 60 },
  );
});
