import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentMessage } from "../contract/messages.ts";
import { blankAnswer } from "../session/drive/ask-model.ts";
import { MODEL } from "../session/testing/fakes.fake.ts";
import { INHERITANCE, inheritedContext } from "./inherited-context.ts";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });
const agent = (text: string, call?: string): AgentMessage => ({
  ...blankAnswer(MODEL, "off"),
  content: [
    { type: "thinking", thinking: "to myself" },
    { type: "text", text },
    ...(call ? [{ type: "toolCall" as const, id: "c", name: call, arguments: { path: "a.txt" } }] : []),
  ],
});
const result = (text: string): AgentMessage => ({
  role: "toolResult",
  toolCallId: "c",
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 1,
});
const TALK = [user("first wish"), agent("done one"), user("second wish"), agent("I look", "read"), result("a file")];
const NOW = agent("I let others work", "task");
const limits = { maxMessages: 50, maxTokens: 0 };

test("passes on more with each mode, but never the call itself or thinking", () => {
  const texts = INHERITANCE.map((how) => inheritedContext([...TALK, NOW], how, { ...limits, maxMessages: 4 }) ?? "");
  const parts = ["first wish", "done one", "second wish", "I look", "a file"];
  expect(texts.map((text) => parts.filter((part) => text.includes(part)))).toEqual([
    [],
    ["second wish", "I look"],
    ["second wish", "I look", "a file"],
    ["done one", "second wish", "I look", "a file"],
    parts,
  ]);
  for (const text of texts) expect(text).not.toMatch(/I let others work|to myself/);
});

test("cuts the beginning first, with a note", () => {
  const long = [user("x".repeat(4_000)), agent("y".repeat(400)), user("the end")];
  const text = inheritedContext(long, "full", { ...limits, maxTokens: 200 }) ?? "";
  expect(text).toContain("[earlier messages omitted]");
  expect(text).toContain("the end");
  expect(text).not.toContain("xxx");
  expect(inheritedContext([user(`${"z".repeat(9_000)}END`)], "receipt", limits)).toMatch(/^[\s\S]{1000,2300}$/);
  expect(inheritedContext([user(`${"z".repeat(9_000)}END`)], "receipt", limits)).toContain("END");
});

test("limits the full mode to a share of the model's window", () => {
  const long = Array.from({ length: 400 }, (_, n) => user(`${n} ${"w".repeat(400)}`));
  const small = inheritedContext(long, "full", { ...limits, contextWindow: 10_000 }) ?? "";
  const large = inheritedContext(long, "full", { ...limits, contextWindow: 1_000_000 }) ?? "";
  expect(small.length / 4).toBeLessThan(1_700);
  expect(large).toContain("0 www");
});

test("respects the limit for any conversation and never throws", () => {
  const message = fc.oneof(
    fc.string({ maxLength: 3_000 }).map(user),
    fc.string({ maxLength: 3_000 }).map((text) => agent(text)),
    fc.string({ maxLength: 3_000 }).map((text) => agent(text, "read")),
    fc.string({ maxLength: 3_000 }).map(result),
  );
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 30 }),
      fc.constantFrom(...INHERITANCE),
      fc.integer({ min: 1, max: 5_000 }),
      (messages, how, maxTokens) => {
        const text = inheritedContext(messages, how, { maxMessages: 50, maxTokens });
        if (how === "none" || messages.length === 0) expect(text).toBeUndefined();
        // The surrounding text and the separators.
        expect((text ?? "").length).toBeLessThanOrEqual(maxTokens * 4 + 200 + messages.length * 2);
      },
    ),
  );
});
