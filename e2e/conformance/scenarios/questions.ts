import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const question: Scenario = {
  name: "question",
  title: "The agent asks its user a question and gets the answer",
  async run(bench) {
    const talk = await bench.session({ mode: bench.target.questionMode, prompt: "[[ask]] what you need" });
    const input = await talk.asked();
    assert.equal(input.kind, "question");
    const [asked] = input.questions;
    assert.equal(asked?.text, "Which colour?");
    assert.deepEqual(
      asked.options.map(({ label }) => label).filter((label) => label === "Red" || label === "Blue"),
      ["Red", "Blue"],
    );
    await assert.rejects(talk.answer(input, { decision: "allow" }), { code: "invalid" });
    await talk.answer(input, { decision: "allow", answers: { [asked.id]: "Blue" } });
    assert.equal((await talk.ended()).data.outcome, "completed");
    const last = bench.asked().at(-1) ?? "";
    assert.ok(last.slice(last.lastIndexOf("Which colour?")).includes("Blue"), "the model never heard the answer");
    assert.equal(talk.of("message.done").at(-1)?.data.text, "Thanks for answering.");
  },
  async refused(bench) {
    const talk = await bench.session({ mode: bench.target.questionMode });
    await talk.completes("[[ask]] what you need");
    assert.deepEqual(talk.of("input.requested"), []);
  },
};

const todo: Scenario = {
  name: "todo-list",
  title: "The agent's list of steps is a plan that clients can show",
  setting: { env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1", ENABLE_TOOL_SEARCH: "false" } },
  async run(bench) {
    const talk = await bench.session({ prompt: "[[todo]] go", mode: "full-auto" });
    await talk.ended();
    const [plan] = talk.of("plan.updated");
    assert.ok(plan, "no plan was told");
    assert.match(plan.data.entries[0]?.text ?? "", /step A/);
  },
  async refused(bench) {
    const talk = await bench.session({ mode: "full-auto" });
    await talk.completes("[[todo]] go");
    assert.deepEqual(talk.of("plan.updated"), []);
  },
};

const subagent: Scenario = {
  name: "subagent",
  title: "A subagent's work is told as its own",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[subagent]] go", mode: "full-auto" });
    assert.equal((await talk.ended()).data.outcome, "completed");
    assert.equal(talk.of("subagent.started").length, 1);
    // The scripted model does not wait for one that runs beside the turn, so the turn's end may cut it off.
    const end = bench.target.awaitsSubagents ? /^ok$/ : /^(ok|interrupted)$/;
    assert.match(talk.of("subagent.ended")[0]?.data.status ?? "", end);
  },
  async refused(bench) {
    const talk = await bench.session({ mode: "full-auto" });
    await talk.completes("[[subagent]] go");
    assert.deepEqual(talk.of("subagent.started"), []);
  },
};

const plan: Scenario = {
  name: "plan-approval",
  title: "A finished plan is put before a person; approved, the agent leaves plan mode",
  setting: { env: { ENABLE_TOOL_SEARCH: "false" } },
  async run(bench) {
    const talk = await bench.session({ mode: "plan", prompt: bench.target.planPrompt ?? "[[plan]] go" });
    const input = await talk.asked();
    assert.equal(input.kind, "plan");
    assert.equal((await talk.view()).modeApplied, "plan");
    await talk.answer(input, { decision: "allow" });
    assert.equal((await talk.ended()).data.outcome, "completed");
    assert.equal((await talk.view()).modeApplied, "ask");
    await talk.send("[[write]] please");
    await talk.answer(await talk.asked(2), { decision: "allow" });
    assert.equal((await talk.ended(2)).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
  },
};

export const questionScenarios = [question, plan, todo, subagent];
