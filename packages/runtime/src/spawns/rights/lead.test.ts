import type { InputAnswer, InputRequest, Mode, SessionView } from "@gantry/protocol";
import { expect, it } from "vitest";
import { checkAnswer, checkLanding, requireLead } from "./lead.ts";

const view = (id: string, mode: Mode, lead = false) => ({ id, mode, modeApplied: mode, lead }) as SessionView;
const request = (more: Partial<InputRequest>): InputRequest =>
  ({ id: "inp_1", session: "ses_w", kind: "approval", title: "", options: [], questions: [], ...more }) as InputRequest;
const answer = (lead: Mode, input: Partial<InputRequest>, given: InputAnswer) => () =>
  checkAnswer(view("ses_l", lead, true), [view("ses_l", lead, true)], request(input), given);
const allow: InputAnswer = { decision: "allow" };

it("needs the grant of a person", () => {
  expect(() => requireLead(view("ses_l", "full-auto"))).toThrow("is not a lead");
  expect(() => requireLead(view("ses_l", "ask", true))).not.toThrow();
});

it("lets a lead allow, deny and answer single requests", () => {
  expect(answer("ask", {}, allow)).not.toThrow();
  expect(answer("plan", {}, { decision: "deny" })).not.toThrow();
  expect(answer("plan", { kind: "question" }, { decision: "allow", answers: { q: "red" } })).not.toThrow();
});

it("leaves logins, secrets, changed inputs and standing permissions to people", () => {
  const question = { id: "q", text: "", options: [], multi: false, freeform: true, secret: true };
  const always = { id: "o", label: "", effect: "allow_always" as const };
  expect(answer("full-auto", { kind: "login" }, allow)).toThrow("for a person");
  expect(answer("full-auto", { kind: "question", questions: [question] }, allow)).toThrow("for a person");
  expect(answer("full-auto", {}, { decision: "allow", edits: { command: "ls" } })).toThrow("for a person");
  expect(answer("full-auto", {}, { decision: "allow_session" })).toThrow("for a person");
  expect(answer("full-auto", { options: [always] }, { decision: "allow", option: "o" })).toThrow("for a person");
});

it("never gives a worker a higher mode than the lead has, and allows nothing in plan mode", () => {
  const up = { id: "o", label: "", effect: "allow_once" as const, mode: "full-auto" as const };
  const plan = { kind: "plan" as const, options: [up] };
  expect(answer("auto-edit", plan, { decision: "allow", option: "o" })).toThrow("full-auto");
  expect(answer("full-auto", plan, { decision: "allow", option: "o" })).not.toThrow();
  expect(answer("plan", { kind: "plan" }, allow)).toThrow("would run in mode ask");
  expect(answer("plan", {}, allow)).toThrow("plan mode");
});

it("lets a lead land on the base of a lane only, and not in plan mode", () => {
  const body = { how: "merge", commit: true, remove: false, tellAgents: false } as const;
  expect(() => checkLanding(view("ses_l", "ask", true), body)).not.toThrow();
  expect(() => checkLanding(view("ses_l", "plan", true), body)).toThrow("plan mode");
  expect(() => checkLanding(view("ses_l", "ask", true), { ...body, how: "pr" })).toThrow("pull request");
  expect(() => checkLanding(view("ses_l", "ask", true), { ...body, into: "x" })).toThrow("target branch");
});
