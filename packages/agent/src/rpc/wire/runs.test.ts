import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";
import { createRuns } from "./runs.ts";

const assistantMessage = (text: string, stopReason: "stop" | "error" = "stop") =>
  ({ role: "assistant", content: [{ type: "text", text }], stopReason }) as unknown as AgentMessage;
const start: AgentEvent = { type: "agent_start" };
const end = (messages: AgentMessage[], willRetry: boolean): AgentEvent => ({
  type: "agent_end",
  messages,
  willRetry,
});
const settledEvent = (reason: "completed" | "error"): AgentEvent => ({ type: "agent_settled", reason });

test("merges a retried run into one without the failed attempt", () => {
  const runs = createRuns();
  const [user, failed, good] = [
    { role: "user", content: "go" } as AgentMessage,
    assistantMessage("x", "error"),
    assistantMessage("good"),
  ];
  const merged = [start, end([user, failed], true), start, end([good], false), settledEvent("completed")].flatMap(
    (event) => runs.merge(event),
  );
  expect(merged).toEqual([start, end([user, good], false), settledEvent("completed")]);
});

test("ends a run whose retry did not happen before it settles", () => {
  const runs = createRuns();
  const user = { role: "user", content: "go" } as AgentMessage;
  const merged = [start, end([user, assistantMessage("x", "error")], true), settledEvent("error")].flatMap((event) =>
    runs.merge(event),
  );
  expect(merged).toEqual([start, end([user], false), settledEvent("error")]);
});

test("is trailing between the end of a run and its settling", () => {
  const runs = createRuns();
  runs.merge(start);
  expect(runs.trailing).toBe(false);
  runs.merge(end([], false));
  expect(runs.trailing).toBe(true);
  runs.merge(settledEvent("completed"));
  expect(runs.trailing).toBe(false);
});

test("pairs starts and ends whatever is retried", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (settledRuns) => {
      const runs = createRuns();
      const merged = settledRuns.flatMap((tries) => [
        ...tries.flatMap((willRetry) => [start, end([], willRetry)]),
        settledEvent("completed"),
      ]);
      const types = merged
        .flatMap((event) => runs.merge(event))
        .map(({ type }) => type)
        .filter((type) => type !== "agent_settled");
      expect(types.every((type, at) => type === (at % 2 === 0 ? "agent_start" : "agent_end"))).toBe(true);
      expect(types.length % 2).toBe(0);
    }),
  );
});
