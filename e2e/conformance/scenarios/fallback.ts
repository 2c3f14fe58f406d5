import assert from "node:assert/strict";
import type { Bench } from "../../harness/bench.ts";
import type { Target } from "../../targets/target.ts";
import type { Scenario } from "../scenario.ts";

const hasFallback = (target: Target) => target.mainChannel !== undefined;

const text: Scenario = {
  name: "fallback-text",
  title: "Without its main channel: prompt, answer, resume",
  setting: { fallback: true },
  appliesTo: hasFallback,
  // A resumed conversation reports its total, and the new process does not know the part of earlier turns.
  unbilled: true,
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] remember the heron");
    await conversation.runTurn("[[text]] which bird?");
    assert.equal(conversation.of("message.done").length, 2);
    assert.ok(bench.modelRequests().at(-1)?.includes("remember the heron"));
  },
};

const write: Scenario = {
  name: "fallback-write",
  title: "Without its main channel: a write in a mode that allows it without asking",
  setting: { fallback: true },
  appliesTo: hasFallback,
  async run(bench) {
    const careful = await bench.session();
    await careful.runTurn("[[write]] please");
    assert.equal(bench.file("hello.txt"), undefined, "the file was written without an approval");
    await assertWritesWithoutAsking(bench);
  },
  /** The turn fails with the denial and a remedy. */
  async checkRefusal(bench) {
    const careful = await bench.session({ prompt: "[[write]] please" });
    const end = await careful.waitForEnd();
    assert.equal(end.data.outcome, "failed");
    assert.ok(end.data.error?.remedy);
    assert.equal(careful.of("tool.ended")[0]?.data.status, "denied");
    assert.equal(bench.file("hello.txt"), undefined, "the file was written without an approval");
    await assertWritesWithoutAsking(bench);
  },
};

async function assertWritesWithoutAsking(bench: Bench): Promise<void> {
  const free = await bench.session({ mode: bench.target.writeMode ?? "auto-edit" });
  await free.runTurn("[[write]] please");
  assert.equal(bench.file("hello.txt"), "hello world\n");
  assert.equal(free.of("tool.ended")[0]?.data.status, "ok");
}

export const fallbackScenarios = [text, write];
