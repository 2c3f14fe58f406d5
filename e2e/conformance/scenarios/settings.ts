import assert from "node:assert/strict";
import type { Bench } from "../../harness/bench.ts";
import type { Conversation } from "../../harness/conversation.ts";
import { assertSame } from "../../harness/processes.ts";
import type { Scenario } from "../scenario.ts";

const plan: Scenario = {
  name: "plan-mode",
  title: "Plan mode changes nothing on disk; back in ask mode the same write is asked for",
  async run(bench) {
    const talk = await bench.session({ mode: "plan", prompt: "[[write]] please" });
    const early = await talk.until(
      "the end or a request",
      () => talk.of("input.requested")[0] ?? talk.of("turn.ended")[0],
    );
    if (early.type === "input.requested") await talk.answer(early.data, { decision: "deny" });
    await talk.ended();
    assert.equal(bench.file("hello.txt"), undefined);
    const asked = talk.of("input.requested").length;
    const { applied, session } = await bench.client.sessions.patch(talk.id, { mode: "ask" });
    const when = bench.target.modesAtStart ? "next_start" : "now";
    assert.deepEqual(applied, [{ field: "mode", value: "ask", when }]);
    assert.equal(session.mode, "ask");
    await talk.send("[[write]] now");
    await talk.answer(await talk.asked(asked + 1), { decision: "allow" });
    assert.equal((await talk.ended(2)).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
  },
};

const mode: Scenario = {
  name: "set-mode",
  title: "The mode changes in place: auto-edit writes without asking",
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] hello");
    const processes = bench.agents();
    const { applied } = await bench.client.sessions.patch(talk.id, { mode: "auto-edit" });
    assert.deepEqual(applied, [{ field: "mode", value: "auto-edit", when: "now" }]);
    await talk.completes("[[write]] please");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    assert.equal(talk.of("input.requested").length, 0);
    assertSame(bench.agents(), processes, "the agent was started anew");
    assert.equal((await talk.view()).modeApplied, "auto-edit");
  },
  /** The nearest lower rung is taken, or it is started anew, and the answer says which. */
  async refused(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] hello");
    if (bench.target.modesAtStart) return startsAnew(bench, talk);
    const { applied } = await bench.client.sessions.patch(talk.id, { mode: "auto-edit" });
    assert.deepEqual(applied, [{ field: "mode", value: "ask", when: "now" }]);
    await talk.send("[[write]] please");
    await talk.answer(await talk.asked(), { decision: "allow" });
    assert.equal((await talk.ended(2)).data.outcome, "completed");
    assert.equal((await talk.view()).modeApplied, "ask");
  },
};

async function startsAnew(bench: Bench, talk: Conversation): Promise<void> {
  const { applied } = await bench.client.sessions.patch(talk.id, { mode: "auto-edit" });
  assert.deepEqual(applied, [{ field: "mode", value: "auto-edit", when: "next_start" }]);
  await talk.completes("[[write]] please");
  assert.equal(bench.file("hello.txt"), "hello world\n");
  assert.equal(talk.of("input.requested").length, 0);
  assert.equal((await talk.view()).modeApplied, "auto-edit");
}

const model: Scenario = {
  name: "set-model",
  title: "The model changes in place",
  async run(bench) {
    const { otherModel, otherModelServed = otherModel } = bench.target;
    const talk = await bench.session();
    await talk.completes("[[text]] hello");
    const processes = bench.agents();
    const { applied } = await bench.client.sessions.patch(talk.id, { model: otherModel });
    assert.deepEqual(applied, [{ field: "model", value: otherModel, when: "now" }]);
    const end = await talk.completes("[[text]] hello again");
    assert.equal(bench.askedModel(), otherModelServed);
    const served = end.data.servedModel ?? otherModelServed;
    assert.ok(
      [otherModelServed, otherModel].some((name) => served.startsWith(name)),
      `served: ${served}`,
    );
    assertSame(bench.agents(), processes, "the agent was started anew");
  },
};

const fullAuto: Scenario = {
  name: "full-auto",
  title: "Full-auto never asks",
  async run(bench) {
    const talk = await bench.session({ mode: "full-auto" });
    await talk.completes("[[bash]] go");
    await talk.completes("[[write]] go");
    assert.equal(bench.file("bash.txt"), "hi-from-bash\n");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    assert.equal(talk.of("input.requested").length, 0);
    assert.equal((await talk.view()).modeApplied, "full-auto");
  },
};

export const settingScenarios = [plan, mode, model, fullAuto];
