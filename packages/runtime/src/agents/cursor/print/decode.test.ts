import { expect, it } from "vitest";
import { data, framesOf, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { print } from "./channel.ts";

const playFixture = (name: string) => play(print, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;
const texts = (name: string) => data(playFixture(name), "message.done").map(({ text }) => text);

it("publishes a text once that is streamed and then repeated", () => {
  expect(texts("cli/partial")).toEqual(["I will write it.", "Done."]);
  expect(texts("cli/whole")).toEqual(["I will write it.", "Done."]);
  const pieces = outputsOfKind(playFixture("cli/partial"), "delta").filter(({ channel }) => channel === "text");
  expect(pieces.map(({ text }) => text)).toEqual(["I will ", "write it.", "Do", "ne."]);
});

it("does not publish the final summary as another message", () => {
  const message = (text: string, more: object) => ({
    dir: "out" as const,
    msg: { type: "assistant", message: { content: [{ type: "text", text }] }, session_id: "s", ...more },
  });
  const { outputs } = play(print, [
    message("One. ", { timestamp_ms: 1 }),
    {
      dir: "out",
      msg: {
        type: "tool_call",
        subtype: "started",
        call_id: "c",
        tool_call: { readToolCall: { args: { path: "a" } } },
        session_id: "s",
      },
    },
    message("Two.", { timestamp_ms: 2 }),
    message("One. Two.", {}),
    { dir: "out", msg: { type: "result", subtype: "success", is_error: false, result: "One. Two.", session_id: "s" } },
  ]);
  expect(data(outputs, "message.done").map(({ text }) => text)).toEqual(["One. ", "Two."]);
  expect(data(outputs, "message.retracted")).toEqual([]);
});

it("names tools after their calls, with their changes and failures", () => {
  const outputs = playFixture("cli/partial");
  expect(data(outputs, "tool.started")).toMatchObject([
    { name: "write", kind: "edit" },
    { name: "shell", kind: "execute" },
  ]);
  expect(data(outputs, "tool.ended")).toMatchObject([
    { status: "ok", changes: [{ additions: 1 }] },
    { status: "error", exitCode: 2 },
  ]);
});
