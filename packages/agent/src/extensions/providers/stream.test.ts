import type { Model, ModelRequest, StreamEvent } from "@gantry/models";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { StreamPiece, StreamRequest } from "../api/types.ts";
import { streamFrom } from "./stream.ts";

const model: Model = {
  ...{
    id: "m",
    name: "M",
    api: "openai-completions",
    provider: "p",
    baseUrl: "http://x",
    reasoning: false,
    input: ["text"],
  },
  ...{ cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }, contextWindow: 1000, maxTokens: 100 },
};

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  const { signal } = new AbortController();
  return { system: [], messages: [], tools: [], thinking: "off", credential: { kind: "none" }, signal, ...more };
}

async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const piece: fc.Arbitrary<StreamPiece> = fc.oneof(
  fc.string(),
  fc.record({ type: fc.constantFrom("text" as const, "thinking" as const), text: fc.string() }),
  fc.record({
    type: fc.constant("toolCall" as const),
    name: fc.string(),
    arguments: fc.dictionary(fc.string(), fc.jsonValue()),
  }),
  fc.record({ type: fc.constant("usage" as const), input: fc.nat(), output: fc.nat() }),
) as fc.Arbitrary<StreamPiece>;

it("turns any pieces into blocks in order and one end, and loses no text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async (pieces) => {
      async function* provide() {
        yield* pieces;
      }
      const events = await collect(streamFrom(provide, model, request()));
      const end = events.at(-1);
      if (end?.type !== "done") throw new Error("It did not end well.");
      expect(events.filter(({ type }) => type === "done" || type === "error")).toHaveLength(1);
      const given = pieces.map((one) => (typeof one === "string" ? one : one.type === "text" ? one.text : "")).join("");
      const text = end.message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      expect(text).toBe(given);
      const starts = events
        .filter(({ type }) => /_start$/.test(type))
        .map((event) => (event as { index: number }).index);
      expect(starts).toEqual(starts.map((_, at) => at));
      expect(end.message.content).toHaveLength(starts.length);
      expect(end.message.stopReason).toBe(
        pieces.some((one) => typeof one === "object" && one.type === "toolCall") ? "toolUse" : "stop",
      );
    }),
  );
});

it.each([
  ["a number", 5],
  ["an unknown type", { type: "other" }],
  ["a text that is none", { type: "text", text: 5 }],
  ["a call without arguments", { type: "toolCall", name: "x" }],
  ["null", null],
])("ends with an error for %s and keeps the text before it", async (_what, nonsense) => {
  async function* provide() {
    yield "before";
    yield nonsense as never;
  }
  const events = await collect(streamFrom(provide, model, request()));
  expect(events.at(-1)).toMatchObject({
    type: "error",
    message: { stopReason: "error", failure: { category: "unknown" } },
  });
});

it("ends when the request is aborted or nothing comes, although the function hangs", async () => {
  const hang = (): AsyncIterable<StreamPiece> => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
  });
  const stop = new AbortController();
  const running = collect(streamFrom(hang, model, request({ signal: stop.signal })));
  stop.abort();
  expect((await running).at(-1)).toMatchObject({ type: "error", message: { stopReason: "aborted" } });
  const idle = await collect(streamFrom(hang, model, request({ idleMs: 10 })));
  expect(idle.at(-1)).toMatchObject({
    type: "error",
    message: { errorMessage: expect.stringContaining("nothing came") },
  });
});

it("passes on the sealed request and the key", async () => {
  let seen: StreamRequest | undefined;
  async function* provide(given: StreamRequest) {
    seen = given;
    yield "ok";
  }
  const seal = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll("secret", "placeholder")) as unknown;
  const messages = [{ role: "user" as const, content: "the secret", timestamp: 0 }];
  await collect(streamFrom(provide, model, request({ messages, seal, credential: { kind: "key", key: "k" } })));
  expect(seen).toMatchObject({ model: "m", key: "k", messages: [{ content: "the placeholder" }] });
});
