import type { AssistantMessage, Message } from "@gantry/models";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentMessage } from "../contract/messages.ts";
import { blankAnswer } from "../session/drive/ask-model.ts";
import { MODEL } from "../session/testing/fakes.fake.ts";
import { toModelMessages, UNKNOWN_OUTCOME } from "./to-model.ts";

const timestamp = 1;
const id = fc.constantFrom("a", "b", "c");
const answer: fc.Arbitrary<AgentMessage> = fc
  .record({
    ids: fc.array(id, { maxLength: 3 }),
    text: fc.constantFrom("", "text"),
    stopReason: fc.constantFrom<AssistantMessage["stopReason"]>("stop", "toolUse", "error", "aborted", "length"),
  })
  .map(({ ids, text, stopReason }) => ({
    ...blankAnswer(MODEL, "off"),
    stopReason,
    content: [
      { type: "thinking" as const, thinking: "hm" },
      { type: "text" as const, text },
      ...ids.map((each) => ({ type: "toolCall" as const, id: each, name: "read", arguments: {} })),
    ],
  }));
const result: fc.Arbitrary<AgentMessage> = id.map((toolCallId) => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "out" }],
  details: { secret: true },
  isError: false,
  timestamp,
}));
const other: fc.Arbitrary<AgentMessage> = fc.constantFrom<AgentMessage>(
  { role: "user", content: "hi", timestamp },
  { role: "developer", content: "rule", timestamp },
  { role: "custom", customType: "x", content: "note", display: false, timestamp },
  { role: "bashExecution", command: "ls", output: "a", exitCode: 2, cancelled: false, truncated: false, timestamp },
  { role: "branchSummary", summary: "s", fromId: "1", timestamp },
  { role: "compactionSummary", summary: "s", tokensBefore: 1, timestamp },
);

test("always produces a valid model request from any conversation", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(answer, result, other)), (messages) => {
      const out = toModelMessages(messages);
      let waiting: string[] = [];
      for (const message of out) {
        if (message.role === "toolResult") {
          expect(waiting.shift()).toBe(message.toolCallId);
          expect(message.details).toBeUndefined();
          continue;
        }
        expect(waiting).toEqual([]);
        waiting = callIds(message);
        expect(new Set(waiting).size).toBe(waiting.length);
      }
      expect(waiting).toEqual([]);
      expect(out.some((each) => each.role === "assistant" && each.stopReason === "error")).toBe(false);
    }),
  );
});

test("reports an unknown outcome for a call whose result was lost", () => {
  const call = { type: "toolCall" as const, id: "x", name: "bash", arguments: {} };
  const messages = toModelMessages([{ ...blankAnswer(MODEL, "off"), content: [call], stopReason: "toolUse" }]);
  expect(messages[1]).toMatchObject({ role: "toolResult", isError: true, content: [{ text: UNKNOWN_OUTCOME }] });
});

test("includes a user command with its exit code, unless it is excluded from the context", () => {
  const run = {
    role: "bashExecution" as const,
    command: "make",
    output: "no\n",
    exitCode: 2,
    cancelled: false,
    truncated: false,
    timestamp,
  };
  expect(toModelMessages([run])[0]?.content).toBe("I ran `make`\n```\nno\n```\nCommand exited with code 2");
  expect(toModelMessages([{ ...run, excludeFromContext: true }])).toEqual([]);
});

function callIds(message: Message): string[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((each) => (each.type === "toolCall" ? [each.id] : []));
}
