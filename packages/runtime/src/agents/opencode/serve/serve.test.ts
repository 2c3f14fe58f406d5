import { expect, it } from "vitest";
import { data, framesOf, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { run } from "../run/channel.ts";
import { serve } from "./channel.ts";

const playFixture = (name: string) => play(serve, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;
const ran = (name: string) => play(run, framesOf(`${import.meta.dirname}/../run/fixtures`, name)).outputs;

it("maps permissions and questions to inputs and encodes their answers", () => {
  const outputs = playFixture("serve_write_reject");
  expect(outputsOfKind(outputs, "ask")).toMatchObject([{ request: { kind: "approval", diff: [{ additions: 1 }] } }]);
  expect(outputsOfKind(outputs, "answered")).toMatchObject([{ answer: { decision: "deny", option: "reject" } }]);
  expect(data(outputs, "tool.ended")).toMatchObject([{ status: "denied" }]);
  const question = playFixture("serve_question");
  expect(outputsOfKind(question, "ask")[0]?.request.questions).toMatchObject([
    { text: "Which colour?", header: "Colour" },
  ]);
  expect(outputsOfKind(question, "answered")).toMatchObject([{ answer: { answers: { q1: ["Blue"] } } }]);
});

it("publishes retries with their reason, and a requested stop as an interrupt", () => {
  const outputs = playFixture("serve_quota");
  expect(outputsOfKind(outputs, "retry").map(({ attempt, failure }) => [attempt, failure?.category])).toEqual([
    [1, "quota"],
    [2, "quota"],
    [3, "quota"],
  ]);
  expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "interrupted" }]);
});

it("publishes OpenCode's own summary as a compaction, not as an answer", () => {
  const outputs = playFixture("serve_overflow");
  expect(data(outputs, "context.compacted")).toMatchObject([{ trigger: "overflow" }]);
  expect(data(outputs, "message.done").map(({ text }) => text)).toEqual([
    "Hello from the scripted model. The answer is 42.",
  ]);
});

it("opens a fork as another conversation", () => {
  const prompts = outputsOfKind(playFixture("serve_fork_revert"), "prompted").map(({ text }) => text);
  expect(prompts).toEqual(["[[text]] one", "[[think]] two", "[[text]] three", "[[text]] replaced", "x"]);
});

it("`run` publishes exit codes, subagents, reasoning and usage", () => {
  expect(data(ran("run_bash_auto"), "tool.ended")).toMatchObject([
    { status: "ok", exitCode: 0, output: "hi-from-bash\n" },
  ]);
  expect(data(ran("run_subagent"), "subagent.started")).toMatchObject([{ title: "sub work", type: "general" }]);
  expect(data(ran("run_subagent"), "subagent.ended")).toMatchObject([
    { status: "ok", summary: "Hello from the scripted model. The answer is 42." },
  ]);
  expect(data(ran("run_think"), "reasoning.done")).toHaveLength(1);
  expect(outputsOfKind(ran("run_multi_auto"), "finish")[0]?.usage).toEqual({
    ...{ input: 6000, output: 228, cacheRead: 1200, cacheWrite: 0, reasoning: 40 },
  });
  expect(outputsOfKind(ran("run_maxtok"), "finish")[0]?.reason).toBe("length");
});

it("`run` denies approvals and continues after a compaction whatever the exit code", () => {
  expect(data(ran("run_write_ask"), "tool.ended")).toMatchObject([{ status: "denied" }]);
  const overflow = ran("run_overflow_anthropic");
  expect(data(overflow, "context.compacted")).toEqual([{ trigger: "overflow", inferred: true }]);
  expect(outputsOfKind(overflow, "finish")).toMatchObject([{ outcome: "completed" }]);
});
