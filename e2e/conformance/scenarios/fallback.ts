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
  // A resumed conversation is billed as a whole, and what came before is not known to its new process.
  unbilled: true,
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] remember the heron");
    await talk.completes("[[text]] which bird?");
    assert.equal(talk.of("message.done").length, 2);
    assert.ok(bench.asked().at(-1)?.includes("remember the heron"));
  },
};

const write: Scenario = {
  name: "fallback-write",
  title: "Without its main channel: a write, where the mode allows it without asking",
  setting: { fallback: true },
  appliesTo: hasFallback,
  async run(bench) {
    const careful = await bench.session();
    await careful.completes("[[write]] please");
    assert.equal(bench.file("hello.txt"), undefined, "nobody was asked, and the file was written");
    await writesFreely(bench);
  },
  /** The turn ends with the denial, and says what to do about it. */
  async refused(bench) {
    const careful = await bench.session({ prompt: "[[write]] please" });
    const end = await careful.ended();
    assert.equal(end.data.outcome, "failed");
    assert.ok(end.data.error?.remedy);
    assert.equal(careful.of("tool.ended")[0]?.data.status, "denied");
    assert.equal(bench.file("hello.txt"), undefined, "nobody was asked, and the file was written");
    await writesFreely(bench);
  },
};

async function writesFreely(bench: Bench): Promise<void> {
  const free = await bench.session({ mode: bench.target.writeMode ?? "auto-edit" });
  await free.completes("[[write]] please");
  assert.equal(bench.file("hello.txt"), "hello world\n");
  assert.equal(free.of("tool.ended")[0]?.data.status, "ok");
}

export const fallbackScenarios = [text, write];
