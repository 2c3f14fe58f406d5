import assert from "node:assert/strict";
import type { Bench } from "../../../harness/bench.ts";
import type { Conversation } from "../../../harness/conversation.ts";
import { assertSame } from "../../../harness/processes.ts";
import type { Scenario } from "../../scenario.ts";
import { assertAskedNothing } from "./promises.ts";

const plan: Scenario = {
  name: "plan-mode",
  title: "Plan mode changes nothing on disk; in ask mode the same write needs approval",
  async run(bench) {
    const conversation = await bench.session({ mode: "plan", prompt: "[[write]] please" });
    const early = await conversation.until(
      "the end or a request",
      () => conversation.of("input.requested")[0] ?? conversation.of("turn.ended")[0],
    );
    if (early.type === "input.requested") await conversation.answer(early.data, { decision: "deny" });
    await conversation.waitForEnd();
    assert.equal(bench.file("hello.txt"), undefined);
    const asked = conversation.of("input.requested").length;
    const { applied, session } = await bench.client.sessions.patch(conversation.id, { mode: "ask" });
    const { modesAtStart } = bench.target;
    const when = modesAtStart === true || modesAtStart === "plan" ? "next_start" : "now";
    assert.deepEqual(applied, [{ field: "mode", value: "ask", when }]);
    assert.equal(session.mode, "ask");
    await conversation.send("[[write]] now");
    await conversation.answer(await conversation.waitForInput(asked + 1), { decision: "allow" });
    assert.equal((await conversation.waitForEnd(2)).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
  },
};

const mode: Scenario = {
  name: "set-mode",
  title: "The mode changes in place: auto-edit writes without asking",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] hello");
    const processes = bench.agents();
    const { applied } = await bench.client.sessions.patch(conversation.id, { mode: "auto-edit" });
    assert.deepEqual(applied, [{ field: "mode", value: "auto-edit", when: "now" }]);
    await conversation.runTurn("[[write]] please");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    assert.equal(conversation.of("input.requested").length, 0);
    assertSame(bench.agents(), processes, "the agent was restarted");
    assert.equal((await conversation.view()).modeApplied, "auto-edit");
  },
  /** Gantry uses the nearest stricter mode or restarts the agent, and the response contains which one. */
  async checkRefusal(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] hello");
    if (bench.target.modesAtStart) return assertRestarts(bench, conversation);
    const { applied } = await bench.client.sessions.patch(conversation.id, { mode: "auto-edit" });
    assert.deepEqual(applied, [{ field: "mode", value: "ask", when: "now" }]);
    await conversation.send("[[write]] please");
    await conversation.answer(await conversation.waitForInput(), { decision: "allow" });
    assert.equal((await conversation.waitForEnd(2)).data.outcome, "completed");
    assert.equal((await conversation.view()).modeApplied, "ask");
  },
};

async function assertRestarts(bench: Bench, conversation: Conversation): Promise<void> {
  const { applied } = await bench.client.sessions.patch(conversation.id, { mode: "auto-edit" });
  assert.deepEqual(applied, [{ field: "mode", value: "auto-edit", when: "next_start" }]);
  await conversation.runTurn("[[write]] please");
  assert.equal(bench.file("hello.txt"), "hello world\n");
  assert.equal(conversation.of("input.requested").length, 0);
  assert.equal((await conversation.view()).modeApplied, "auto-edit");
}

const model: Scenario = {
  name: "set-model",
  title: "The model changes in place",
  async run(bench) {
    const { otherModel, otherModelServed = otherModel } = bench.target;
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] hello");
    const processes = bench.agents();
    const { applied } = await bench.client.sessions.patch(conversation.id, { model: otherModel });
    assert.deepEqual(applied, [{ field: "model", value: otherModel, when: "now" }]);
    const end = await conversation.runTurn("[[text]] hello again");
    assert.equal(bench.requestedModel(), otherModelServed);
    const served = end.data.servedModel ?? otherModelServed;
    assert.ok(
      [otherModelServed, otherModel].some((name) => served.startsWith(name)),
      `served: ${served}`,
    );
    assertSame(bench.agents(), processes, "the agent was restarted");
  },
};

const fullAuto: Scenario = {
  name: "full-auto",
  title: "Full-auto never asks",
  async run(bench) {
    const conversation = await bench.session({ mode: "full-auto" });
    await conversation.runTurn("[[bash]] go");
    await conversation.runTurn("[[write]] go");
    assert.equal(bench.file("bash.txt"), "hi-from-bash\n");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    assertAskedNothing(conversation);
    assert.equal((await conversation.view()).modeApplied, "full-auto");
  },
};

export const settingScenarios = [plan, mode, model, fullAuto];
