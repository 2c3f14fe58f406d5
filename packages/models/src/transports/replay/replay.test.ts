import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AssistantMessage, Message, StopReason, ToolCall } from "../../messages.ts";
import { modelOf, user } from "../testing/ask-model.ts";
import { replay } from "./replay.ts";
import { mistralIds, plainIds } from "./tool-ids.ts";

const model = modelOf("anthropic-messages", "http://x");
const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function assistant(content: AssistantMessage["content"], more: Partial<AssistantMessage> = {}): AssistantMessage {
  const { api, provider, id } = model;
  return { role: "assistant", content, api, provider, model: id, usage, stopReason: "stop", timestamp: 1, ...more };
}
const call = (id: string): ToolCall => ({ type: "toolCall", id, name: "write", arguments: {} });
const result = (toolCallId: string, text = "ok"): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "write",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 1,
});
const other = { model: "other" };

describe("thinking and signatures", () => {
  const thought = { type: "thinking", thinking: "hm", thinkingSignature: "sig" } as const;

  test("are sent back to the model that created them", () => {
    const message = assistant([thought, { type: "text", text: "a", textSignature: "t" }]);
    expect(replay([message], model, { ids: plainIds(64) })).toEqual([message]);
  });

  test("of another model become text without signatures", () => {
    const signed = { ...call("c"), thoughtSignature: "s" };
    const hidden = { type: "thinking", thinking: "", redacted: true, thinkingSignature: "x" } as const;
    const [first] = replay([assistant([thought, hidden, signed], other), result("c")], model, { ids: plainIds(64) });
    expect(first).toMatchObject({
      content: [
        { type: "text", text: "hm" },
        { type: "toolCall", id: "c" },
      ],
    });
    expect(JSON.stringify(first)).not.toContain("ignature");
  });

  test("of an interrupted turn are dropped, and its text stays", () => {
    for (const stopReason of ["error", "aborted"] as const) {
      const [turn, answer] = replay(
        [assistant([thought, { type: "text", text: "half" }, call("c")], { stopReason })],
        model,
        { ids: plainIds(64) },
      );
      expect(turn).toMatchObject({ content: [{ type: "text", text: "half" }, { id: "c" }] });
      expect(answer).toMatchObject({ role: "toolResult", toolCallId: "c", isError: true });
    }
    expect(replay([assistant([], { stopReason: "error" })], model, { ids: plainIds(64) })).toEqual([]);
  });
});

test("sends a result without a call, or a second result, as a user message", () => {
  const replayed = replay([user("a"), result("unknown", "lost")], model, { ids: plainIds(64) });
  expect(replayed[1]).toMatchObject({ role: "user" });
  expect(JSON.stringify(replayed[1])).toContain("lost");
  const twice = replay([assistant([call("c")]), result("c", "one"), result("c", "two")], model, { ids: plainIds(64) });
  expect(twice.map(({ role }) => role)).toEqual(["assistant", "toolResult", "user"]);
});

test("moves a result directly after its call", () => {
  const replayed = replay([assistant([call("c")]), user("wait"), result("c", "late")], model, { ids: plainIds(64) });
  expect(replayed.map(({ role }) => role)).toEqual(["assistant", "toolResult", "user"]);
});

test("drops the item part of Responses ids for other models", () => {
  const [turn, answer] = replay([assistant([call("call_1|fc_2")], other), result("call_1|fc_2")], model, {
    ids: plainIds(64),
  });
  expect(turn).toMatchObject({ content: [{ id: "call_1" }] });
  expect(answer).toMatchObject({ toolCallId: "call_1" });
});

const id = fc.oneof(
  fc.constantFrom("a", "b", "call_1|fc_1", "call_1|fc_2", "", "|", "ä ö"),
  fc.string({ unit: "binary" }),
);
const block = fc.oneof(
  fc.string().map((text) => ({ type: "text" as const, text })),
  fc.record({
    type: fc.constant("thinking" as const),
    thinking: fc.string(),
    thinkingSignature: fc.constantFrom("s", undefined),
  }),
  id.map(call),
);
const stop = fc.constantFrom<StopReason[]>("stop", "toolUse", "error", "aborted", "length");
const conversation = fc.array(
  fc.oneof(
    fc
      .record({ content: fc.array(block, { maxLength: 4 }), stop, own: fc.boolean() })
      .map(({ content, stop: stopReason, own }) =>
        assistant(content as AssistantMessage["content"], { stopReason, ...(own ? {} : other) }),
      ),
    id.map((each) => result(each)),
    fc.string().map((text) => user(text)),
  ),
  { maxLength: 12 },
);

test.each([
  ["plain", plainIds(40), /^[a-zA-Z0-9_-]{1,40}$/],
  ["mistral", mistralIds, /^[a-zA-Z0-9]{9}$/],
] as const)(
  "gives each call a unique %s id and exactly one result after it, for any conversation",
  (_name, ids, shape) => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const replayed = replay(messages, model, { ids, alwaysIds: true });
        const seen = new Set<string>();
        let waiting: string[] = [];
        for (const message of replayed) {
          if (message.role === "toolResult") expect(waiting.shift()).toBe(message.toolCallId);
          else expect(waiting).toEqual([]);
          if (message.role !== "assistant") continue;
          expect(message.content.length).toBeGreaterThan(0);
          waiting = message.content.flatMap((each) => (each.type === "toolCall" ? [each.id] : []));
          for (const each of waiting) {
            expect(each).toMatch(shape);
            expect(seen.has(each)).toBe(false);
            seen.add(each);
          }
        }
        expect(waiting).toEqual([]);
      }),
      { numRuns: 300 },
    );
  },
);
