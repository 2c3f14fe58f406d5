import type { Delivery } from "@gantry/protocol";
import { expect, it } from "vitest";
import { EngineBench } from "./engine.fake.ts";

/** A session in plan mode whose turn ended with a plan. */
function plannedSession(): EngineBench {
  const bench = new EngineBench();
  bench.apply("recordEvents", [{ type: "session.updated", data: { patch: { mode: "plan", modeApplied: "plan" } } }]);
  send(bench, "plan");
  bench.output({ kind: "finish", outcome: "completed" }, proposal);
  return bench;
}

const proposal = { kind: "plan", item: "itm_1", title: "Carry out the plan?", text: "1. do it" } as const;

function send(bench: EngineBench, id: string, delivery: Delivery = "auto") {
  return bench.apply("send", { message: { id: `msg_${id}`, text: id, attachments: [], delivery, author: "user" } });
}

function lastPrompt({ events }: EngineBench) {
  return events.findLast((event) => event.type === "message.user");
}

it("asks about a plan after the turn, and the request outlives the process", () => {
  const bench = plannedSession();
  expect(bench.view).toMatchObject({ turn: undefined, inputs: [{ kind: "plan", detail: "1. do it", item: "itm_1" }] });
  bench.apply("processExited", { code: 0, signal: null });
  expect(bench.view.inputs).toHaveLength(1);
});

it.each([
  [undefined, "ask"],
  ["approve_auto_edit", "auto-edit"],
  ["approve_full_auto", "full-auto"],
])("starts the implementation in the chosen mode: %s", (option, mode) => {
  const bench = plannedSession();
  const answer = { decision: "allow" as const, ...(option ? { option } : {}) };
  bench.apply("answerInput", { id: "inp_1", answer });
  expect(bench.view).toMatchObject({ mode, modeApplied: mode, inputs: [], turn: { trigger: "user" } });
  expect(bench.commands).toMatchObject([
    { type: "set", mode },
    { type: "prompt", text: "Implement the plan." },
  ]);
});

it("continues the plan with feedback, in plan mode", () => {
  const bench = plannedSession();
  bench.apply("answerInput", { id: "inp_1", answer: { decision: "deny", message: "use the other table" } });
  expect(bench.view).toMatchObject({ mode: "plan", inputs: [] });
  expect(bench.commands).toMatchObject([{ type: "prompt", text: "use the other table" }]);
});

it("starts nothing for a refusal without feedback", () => {
  const bench = plannedSession();
  bench.apply("answerInput", { id: "inp_1", answer: { decision: "deny", option: "keep_planning" } });
  expect(bench.view).toMatchObject({ turn: undefined, inputs: [], mode: "plan" });
  expect(lastPrompt(bench)).toMatchObject({ data: { text: "plan" } });
});

it("closes the request when another message starts a turn", () => {
  const bench = plannedSession();
  send(bench, "else");
  const closed = bench.events.find((event) => event.type === "input.resolved");
  expect(closed).toMatchObject({ data: { decision: "cancel", reason: "another turn started" } });
  expect(bench.view.inputs).toEqual([]);
});

it("does not ask if a queued message starts at the end of the turn", () => {
  const bench = new EngineBench();
  send(bench, "plan");
  send(bench, "next", "queue");
  bench.output({ kind: "finish", outcome: "completed" }, proposal);
  expect(bench.view).toMatchObject({ inputs: [], turn: { messages: ["msg_next"] } });
});
