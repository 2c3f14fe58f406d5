import { expect, it } from "vitest";
import { data, framesOf, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";

const playFixture = (name: string) => play(streamJson, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;

it("ends a text when a tool call begins", () => {
  const order = outputsOfKind(playFixture("write"), "event").map(({ event }) => event.type);
  expect(order).toEqual(["message.done", "tool.started", "tool.ended", "message.done"]);
});

it("publishes retries from stderr, and the last as the failure when interrupted", () => {
  const outputs = playFixture("err429");
  expect(outputsOfKind(outputs, "retry").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(outputsOfKind(outputs, "finish")).toMatchObject([{ error: { category: "rate_limit" } }]);
  expect(outputsOfKind(playFixture("err429once"), "finish")).toMatchObject([{ outcome: "completed" }]);
});

it("publishes a plan when its tool has run", () => {
  expect(data(playFixture("todo"), "plan.updated")).toEqual([{ entries: [{ text: "mock value", status: "pending" }] }]);
});

it("counts cached and reasoning tokens, and reports the model that answered", () => {
  const [end] = outputsOfKind(playFixture("multi"), "finish");
  expect(end?.usage).toEqual({ input: 3600, output: 123, cacheRead: 300, cacheWrite: 0, reasoning: 21 });
  expect(outputsOfKind(playFixture("plain-json"), "finish")[0]).toMatchObject({
    servedModel: "gemini-2.5-pro",
    usage: { input: 1200 },
  });
});

it("reports the conversation's handle", () => {
  expect(outputsOfKind(playFixture("resume-3-id"), "ready")).toMatchObject([
    { handle: "14547381-7fb9-4693-8c95-9e0eba3e0f8f" },
  ]);
});
