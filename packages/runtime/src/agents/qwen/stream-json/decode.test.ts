import { expect, it } from "vitest";
import type { Frame } from "../../contract.ts";
import { fields } from "../../fields.ts";
import { data, framesOf, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";

const ERROR = "[API Error: 401 mock 401]";
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

it.each([
  ["the provider's error as its last message", { type: "result", subtype: "success", is_error: false, result: "" }],
  ["the provider's error as its result", { type: "result", subtype: "success", is_error: false, result: ERROR }],
])("fails a turn that is reported as a success with %s", (_, result) => {
  const frames = framesOf(`${import.meta.dirname}/fixtures`, "err401");
  const isResult = (frame: Frame) => "msg" in frame && fields(frame.msg).type === "result";
  const isMessage = (frame: Frame) => "msg" in frame && fields(frame.msg).type === "assistant";
  const played = result.result ? frames.filter((frame) => !isMessage(frame)) : frames;
  const { outputs } = play(
    streamJson,
    played.map((frame) => (isResult(frame) ? { dir: "out", msg: { ...result, session_id: "s" } } : frame)),
  );
  expect(outputsOfKind(outputs, "finish")).toMatchObject([
    { outcome: "failed", error: { category: "auth", message: "401 mock 401" } },
  ]);
  expect(data(outputs, "message.done")).toEqual([]);
});

it("completes a turn whose provider failed once before the answer", () => {
  const line = (msg: object): Frame => ({ dir: "out", msg: { session_id: "s", ...msg } });
  const message = (text: string) =>
    line({ type: "assistant", message: { id: text, content: [{ type: "text", text }] } });
  const { outputs } = play(streamJson, [
    ...[line({ type: "system", subtype: "init" }), message(ERROR), message("Done.")],
    line({ type: "result", subtype: "success", is_error: false, result: "Done." }),
  ]);
  expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "completed" }]);
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
