import { expect, it } from "vitest";
import { data, framesOf, launch, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { json } from "./channel.ts";

const playFixture = (name: string) => play(json, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;

it("streams interleaved thoughts and texts", () => {
  const outputs = playFixture("json-think");
  expect(data(outputs, "reasoning.done")).toMatchObject([{ text: "Let me think about this. Step one. Step two." }]);
  expect(data(outputs, "message.done")).toMatchObject([{ text: "The answer is 42." }]);
});

it("publishes command output and denials", () => {
  expect(data(playFixture("json-shell"), "tool.ended")).toMatchObject([
    { status: "ok", output: "shell-marker\n", durationMs: 32 },
  ]);
  expect(data(playFixture("json-shell"), "tool.started")).toMatchObject([{ kind: "execute" }]);
  expect(data(playFixture("json-write-noapprove"), "tool.ended")).toMatchObject([{ status: "denied" }]);
});

it("passes provider and model separately", () => {
  expect(json.launch({ ...launch, model: "openai-compatible/mock-1", mode: "ask" }).args).toEqual([
    ...["--json", "--auto-approve", "false", "-P", "openai-compatible", "-m", "mock-1"],
  ]);
  expect(outputsOfKind(playFixture("json-plain"), "finish")[0]).toMatchObject({
    servedModel: "openai-compatible/mock-1",
  });
});
