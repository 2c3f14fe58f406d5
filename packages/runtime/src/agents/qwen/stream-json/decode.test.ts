import { expect, it } from "vitest";
import { data, framesOf, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";

const playFixture = (name: string) => play(streamJson, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;

it("publishes streamed chunks and the message that repeats them as one text", () => {
  const outputs = playFixture("thinkwrite-partial");
  expect(data(outputs, "reasoning.done")).toMatchObject([{ text: "I need the write tool." }]);
  expect(data(outputs, "message.done")).toMatchObject([{ text: "File step finished." }]);
  expect(data(outputs, "tool.ended")).toMatchObject([{ status: "ok", changes: [{ additions: 1 }] }]);
});

it("does not publish a provider's error as an answer", () => {
  expect(data(playFixture("err401"), "message.done")).toEqual([]);
  expect(outputsOfKind(playFixture("err401"), "finish")[0]?.error?.message).toBe("401 mock 401");
});

it("retracts the text of an attempt that is retried without it", () => {
  const outputs = playFixture("maxtokens");
  expect(outputsOfKind(outputs, "retry")).toHaveLength(4);
  expect(data(outputs, "message.retracted")).toHaveLength(1);
});

it("reads approvals and interrupts of the control protocol", () => {
  const outputs = playFixture("stdin-streamjson-deny");
  expect(outputsOfKind(outputs, "ask")).toMatchObject([
    { request: { kind: "approval", tool: { name: "write_file" } } },
  ]);
  expect(outputsOfKind(outputs, "answered")).toMatchObject([{ answer: { decision: "deny", message: "no" } }]);
  expect(data(outputs, "tool.ended")).toMatchObject([{ status: "denied" }]);
  expect(outputsOfKind(playFixture("stdin-streamjson-interrupt"), "finish").map(({ outcome }) => outcome)).toEqual([
    ...["interrupted", "completed"],
  ]);
});

it("reports a missing conversation as lost without failing a turn", () => {
  const outputs = playFixture("resume-4-bad");
  expect(outputsOfKind(outputs, "lost")).toHaveLength(1);
  expect(outputsOfKind(outputs, "finish")).toEqual([]);
});
