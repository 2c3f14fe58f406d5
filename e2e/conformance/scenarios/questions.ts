import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";
import { settle } from "./tasks.ts";

const question: Scenario = {
  name: "question",
  title: "The agent asks its user a question and gets the answer",
  async run(bench) {
    const conversation = await bench.session({ mode: bench.target.questionMode, prompt: "[[ask]] what you need" });
    const input = await conversation.waitForInput();
    assert.equal(input.kind, "question");
    const [asked] = input.questions;
    assert.equal(asked?.text, "Which colour?");
    assert.deepEqual(
      asked.options.map(({ label }) => label).filter((label) => label === "Red" || label === "Blue"),
      ["Red", "Blue"],
    );
    await assert.rejects(conversation.answer(input, { decision: "allow" }), { code: "invalid" });
    await conversation.answer(input, { decision: "allow", answers: { [asked.id]: "Blue" } });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    const last = bench.modelRequests().at(-1) ?? "";
    assert.ok(last.slice(last.lastIndexOf("Which colour?")).includes("Blue"), "the model did not get the answer");
    assert.equal(conversation.of("message.done").at(-1)?.data.text, "Thanks for answering.");
  },
  async checkRefusal(bench) {
    const conversation = await bench.session({ mode: bench.target.questionMode });
    await conversation.runTurn("[[ask]] what you need");
    assert.deepEqual(conversation.of("input.requested"), []);
  },
};

const todo: Scenario = {
  name: "todo-list",
  title: "The agent's to-do list is a plan that clients can show",
  setting: { env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1", ENABLE_TOOL_SEARCH: "false" } },
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[todo]] go", mode: "full-auto" });
    await conversation.waitForEnd();
    const [plan] = conversation.of("plan.updated");
    assert.ok(plan, "no plan was reported");
    assert.match(plan.data.entries[0]?.text ?? "", /step A/);
  },
  async checkRefusal(bench) {
    const conversation = await bench.session({ mode: "full-auto" });
    await conversation.runTurn("[[todo]] go");
    assert.deepEqual(conversation.of("plan.updated"), []);
  },
};

const subagent: Scenario = {
  name: "subagent",
  title: "A subagent's work is reported separately",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[subagent]] go", mode: "full-auto" });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    assert.equal(conversation.of("subagent.started").length, 1);
    // The scripted model does not wait for a background subagent. Its end may start another turn.
    await conversation.until("the end of the subagent", () => conversation.of("subagent.ended")[0]);
    if (bench.target.tasks) await settle(conversation);
    const end = bench.target.awaitsSubagents ? /^ok$/ : /^(ok|interrupted)$/;
    assert.match(conversation.of("subagent.ended")[0]?.data.status ?? "", end);
  },
  async checkRefusal(bench) {
    const conversation = await bench.session({ mode: "full-auto" });
    await conversation.runTurn("[[subagent]] go");
    assert.deepEqual(conversation.of("subagent.started"), []);
  },
};

const plan: Scenario = {
  name: "plan-approval",
  title: "A finished plan needs approval; after it, the agent leaves plan mode",
  setting: { env: { ENABLE_TOOL_SEARCH: "false" } },
  async run(bench) {
    const { planPrompt = "[[plan]] go" } = bench.target;
    const conversation = await bench.session({ mode: "plan", prompt: planPrompt });
    const input = await conversation.waitForInput();
    assert.equal(input.kind, "plan");
    if (planPrompt.includes("writeplan"))
      assert.match(input.detail ?? "", /1\. do it/, "the text from the plan's file");
    assert.equal((await conversation.view()).modeApplied, "plan");
    await conversation.answer(input, { decision: "allow" });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    assert.equal((await conversation.view()).modeApplied, "ask");
    await conversation.send("[[write]] please");
    await conversation.answer(await conversation.waitForInput(2), { decision: "allow" });
    assert.equal((await conversation.waitForEnd(2)).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
  },
};

const approvedPlan: Scenario = {
  name: "plan-stays-approved",
  title: "An approved plan changes the mode for good: after release, restart of the daemon and resume",
  setting: { env: { ENABLE_TOOL_SEARCH: "false" } },
  appliesTo: ({ leavesOut, cannot }) => !leavesOut?.includes("plan-approval") && !cannot["plan-approval"],
  async run(bench) {
    const conversation = await bench.session({ mode: "plan", prompt: bench.target.planPrompt ?? "[[plan]] go" });
    const input = await conversation.waitForInput();
    const freer = input.options.find(({ mode }) => mode === "auto-edit");
    await conversation.answer(input, { decision: "allow", ...(freer ? { option: freer.id } : {}) });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    const mode = freer ? "auto-edit" : "ask";
    assert.equal((await conversation.view()).mode, mode);
    await bench.client.sessions.close(conversation.id);
    await bench.restart(async () => undefined);
    assert.equal((await conversation.view()).mode, mode);
    await conversation.send("[[write]] please");
    if (!freer) await conversation.answer(await conversation.waitForInput(2), { decision: "allow" });
    assert.equal((await conversation.waitForEnd(2)).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    const { mode: last, modeApplied } = await conversation.view();
    assert.deepEqual([last, modeApplied], [mode, mode]);
    assert.equal(conversation.of("input.requested").length, freer ? 1 : 2);
  },
};

const proposedPlan: Scenario = {
  name: "plan-proposed",
  title: "A turn that ends with a plan asks for approval; the implementation starts in the chosen mode",
  appliesTo: ({ proposesPlans }) => proposesPlans === true,
  async run(bench) {
    const conversation = await bench.session({ mode: "plan", prompt: "[[proposal]] go" });
    await conversation.waitForEnd(1);
    const first = await conversation.waitForInput();
    const [introduction, proposed] = conversation.of("message.done");
    assert.match(introduction?.data.text ?? "", /I have a plan/);
    assert.match(proposed?.data.text ?? "", /1\. write/, "the plan follows the sentence that introduces it");
    assert.equal(first.kind, "plan");
    assert.match(first.detail ?? "", /^1\. write hello\.txt\n2\. done$/);
    await conversation.answer(first, { decision: "deny", message: "[[proposal]] again, please" });
    await conversation.waitForEnd(2);
    const second = await conversation.waitForInput(2);
    assert.equal((await conversation.view()).modeApplied, "plan");
    await bench.client.sessions.close(conversation.id);
    await bench.restart(async () => undefined);
    const { inputs } = await conversation.view();
    assert.deepEqual(
      inputs.map(({ id }) => id),
      [second.id],
      "the request survives the process and the daemon",
    );
    await conversation.answer(second, { decision: "allow", option: "approve_auto_edit", message: "[[write]]" });
    assert.equal((await conversation.waitForEnd(3)).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    const { mode, modeApplied } = await conversation.view();
    assert.deepEqual([mode, modeApplied], ["auto-edit", "auto-edit"]);
    const asked = bench.modelRequests().join("\n");
    assert.ok(asked.includes("Implement the plan."), "the implementation turn has its prompt");
  },
};

export const questionScenarios = [question, plan, proposedPlan, approvedPlan, todo, subagent];
