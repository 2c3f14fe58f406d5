import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APIS, type Api } from "../model.ts";
import { EventStreamDecoder } from "./framing/event-stream.ts";
import { JsonLinesDecoder } from "./framing/json-lines.ts";
import { SseDecoder } from "./framing/sse.ts";
import { askModel, contractViolations, modelOf, requestOf } from "./testing/ask-model.ts";
import { EventStreamCodec } from "./testing/event-frames.ts";
import type { RawFrame } from "./transport.ts";

/** Values that readers look for, so that random input passes the first checks. */
const VALUES = [
  ...["message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "tool_use"],
  ...["response.output_item.added", "response.output_item.done", "response.completed", "response.failed", "reasoning"],
  ...["response.function_call_arguments.delta", "function_call", "message", "text", "thinking", "text_delta", "error"],
  ...["contentBlockStart", "contentBlockDelta", "messageStop", "metadata", "input_json_delta", "stop", "STOP", "{"],
];
const KEYS = [
  ...["type", "delta", "index", "content_block", "choices", "tool_calls", "function", "arguments", "finish_reason"],
  ...["item", "output_index", "response", "usage", "candidates", "content", "parts", "functionCall", "finishReason"],
  ...[
    "message",
    "done",
    "error",
    "text",
    "thought",
    "contentBlockIndex",
    "toolUse",
    "start",
    "stopReason",
    "name",
    "id",
  ],
];
const leaf = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.string(),
  fc.integer({ min: -1, max: 2 }),
  fc.boolean(),
  fc.constant(null),
);
const { frame } = fc.letrec<{ frame: unknown; value: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, leaf, tie("frame"), fc.array(tie("value"), { maxLength: 3 })),
  frame: fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 6 }),
}));
const likely = fc.array(fc.oneof({ weight: 9, arbitrary: frame }, { weight: 1, arbitrary: fc.jsonValue() }), {
  maxLength: 8,
});

function encode(api: Api, frames: RawFrame[]): BodyInit {
  if (api === "bedrock-converse-stream") {
    return new Uint8Array(Buffer.concat(frames.map(({ event, data }) => EventStreamCodec.event(event, data))));
  }
  if (api === "ollama-chat") return frames.map(({ data }) => `${data}\n`).join("");
  return frames.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join("");
}

function decode(api: Api, bytes: Buffer): RawFrame[] {
  if (api === "bedrock-converse-stream") return new EventStreamDecoder().push(bytes);
  const decoder = api === "ollama-chat" ? new JsonLinesDecoder() : new SseDecoder();
  return [...decoder.push(bytes.toString("utf8")), ...decoder.flush()];
}

let server: ScriptedModel;
/** Responses per wire format, recorded before the tests: these block the event loop past the server's keep-alive timeout. */
const recordings = new Map<Api, RawFrame[][]>();
beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0 } });
  for (const api of APIS) {
    const responses: RawFrame[][] = [];
    for (const scenario of ["think", "write", "badjson"]) responses.push(await record(api, `[[${scenario}]]`));
    recordings.set(api, responses);
  }
});
afterAll(() => server.close());

/** A real response, as frames. */
async function record(api: Api, prompt: string): Promise<RawFrame[]> {
  let bytes = Buffer.alloc(0);
  const tap: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    bytes = Buffer.from(await response.arrayBuffer());
    return new Response(new Uint8Array(bytes), response);
  };
  await askModel(modelOf(api, server.url), requestOf(prompt, { fetch: tap, thinking: "high" }));
  return decode(api, bytes);
}

type Mutation = { kind: "drop" | "double" | "swap" | "number" | "word"; at: number; to: number; word: string };
const mutation = fc.record<Mutation>({
  kind: fc.constantFrom("drop", "double", "swap", "number", "word"),
  at: fc.nat(),
  to: fc.nat(),
  word: fc.constantFrom(...VALUES),
});

/** The same response with one mutation. */
function mutate(frames: RawFrame[], { kind, at, to, word }: Mutation): RawFrame[] {
  const from = at % Math.max(1, frames.length);
  const copy = [...frames];
  const frame = copy[from];
  if (!frame) return copy;
  if (kind === "drop") copy.splice(from, 1);
  else if (kind === "double") copy.splice(to % copy.length, 0, frame);
  else if (kind === "swap") {
    const other = to % copy.length;
    [copy[from], copy[other]] = [copy[other] as RawFrame, frame];
  } else {
    const pattern = kind === "number" ? /(?<=:)\d+/g : /(?<=:)"[^"\\]*"/g;
    const count = frame.data.match(pattern)?.length ?? 0;
    let seen = 0;
    const value = kind === "number" ? String(to % 3) : JSON.stringify(word);
    copy[from] = { ...frame, data: frame.data.replace(pattern, (was) => (seen++ === to % count ? value : was)) };
  }
  return copy;
}

describe.each(APIS)("%s", (api) => {
  const model = modelOf(api, "http://127.0.0.1:1");
  const askWith = (response: () => Response) => askModel(model, requestOf("hi", { fetch: async () => response() }));

  test("keeps the event contract for frames of any shape", async () => {
    await fc.assert(
      fc.asyncProperty(likely, fc.constantFrom(...VALUES), async (frames, name) => {
        const sent = frames.map((each) => ({ event: name, data: JSON.stringify(each) }));
        const { events, message } = await askWith(() => new Response(encode(api, sent)));
        expect(contractViolations(events)).toEqual([]);
        expect(message.failure === undefined).toBe(events.at(-1)?.type === "done");
      }),
      { numRuns: 150 },
    );
  });

  test("keeps the event contract for responses with lost, duplicated, reordered or changed frames", async () => {
    const responses = recordings.get(api) ?? [];
    expect(responses).toHaveLength(3);
    expect(responses.every((frames) => frames.length > 1)).toBe(true);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...responses),
        fc.array(mutation, { maxLength: 6 }),
        async (frames, mutations) => {
          const sent = mutations.reduce(mutate, frames);
          const { events } = await askWith(() => new Response(encode(api, sent)));
          expect(contractViolations(events)).toEqual([]);
          if (mutations.length === 0) expect(events.at(-1)?.type).toBe("done");
        },
      ),
      { numRuns: 150 },
    );
  });

  test("turns arbitrary bytes into a failure, never an exception", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const { events, failure } = await askWith(() => new Response(new Uint8Array(bytes)));
        expect(contractViolations(events)).toEqual([]);
        expect(failure).toBeDefined();
      }),
      { numRuns: 80 },
    );
  });

  test("classifies error bodies of any kind", async () => {
    const body = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.constant("<html><title>no</title>"));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 400, max: 599 }), body, async (status, text) => {
        const { failure } = await askWith(() => new Response(text, { status }));
        expect(failure).toMatchObject({ status, category: expect.any(String) });
      }),
      { numRuns: 50 },
    );
  });

  test("reports a missing body, an HTML page, and an error with status 200", async () => {
    expect((await askWith(() => new Response(null))).failure).toMatchObject({ category: "network" });
    const page = await askWith(() => new Response("<html><title>Log in</title></html>"));
    expect(page.failure).toBeDefined();
    if (api === "bedrock-converse-stream") return;
    const text = '{"error":{"message":"Rate limit reached","type":"rate_limit_error"}}';
    expect((await askWith(() => new Response(text))).failure).toMatchObject({ category: "rate_limited" });
  });

  test("reports an unreachable server as a network failure", async () => {
    expect((await askModel(model, requestOf("hi"))).failure).toMatchObject({ category: "network" });
  });
});
