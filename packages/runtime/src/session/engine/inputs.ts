import { type Answers, GantryError, type InputAnswer, type InputRequest, type PendingInput } from "@gantry/protocol";
import type { InputDraft } from "../../agents/contract.ts";
import { grantFor, scopeOf } from "./grant-scope.ts";
import type { SessionStep } from "./step.ts";

/** Gantry's own question when a native conversation cannot be resumed; it stands where an agent's key would. */
export const CONTINUITY = "gantry:continuity";

/** The agent asks: a new pending input, or at once an answer by a standing permission. */
export function ask(step: SessionStep, key: string, request: InputDraft, ext?: unknown): void {
  if (step.view.inputs.some((input) => input.native === key)) return;
  const id = step.context.id("input");
  const scope = request.scope ?? scopeOf(request, step.view.cwd);
  const offer = request.kind === "login" ? step.context.agent.loginOffer?.() : undefined;
  const full: InputRequest = {
    options: [],
    questions: [],
    blocking: true,
    ...request,
    id,
    session: step.view.id,
    ...(step.view.turn ? { turn: step.view.turn.id } : {}),
    ...(scope ? { scope } : {}),
    ...(offer ? { offer } : {}),
  };
  const detail = typeof ext === "object" && ext !== null ? ext : {};
  step.emit("input.requested", full, { ext: { [step.context.agent.id]: { ...detail, request: key } } });
  const grant = grantFor(step.view.grants, full, step.view.cwd);
  if (!grant) return;
  step.emit("input.resolved", { id, decision: "allow", by: `grant:${grant.id}` });
  step.effect({ type: "command", command: { type: "answer", key, answer: { decision: "allow" }, request: full } });
}

/** The agent took its question back, or settled it without us. */
export function withdraw(step: SessionStep, key: string, reason: string): void {
  const input = step.view.inputs.find((entry) => entry.native === key);
  if (input) step.emit("input.resolved", { id: input.id, decision: "cancel", by: "agent", reason });
}

/** A person answers. Throws `GantryError` when the answer does not fit; then nothing has changed. */
export function answerInput(step: SessionStep, id: string, answer: InputAnswer): void {
  const input = step.view.inputs.find((entry) => entry.id === id);
  if (!input) throw new GantryError("no_such_input", `There is no pending input ${id}.`);
  if (answer.edits && !step.context.agent.edits) {
    throw new GantryError("unsupported", `${step.context.agent.name} cannot take a changed input.`, {
      remedy: "Deny it with a message that says what to do instead.",
    });
  }
  const decided = check(input, answer);
  const { native, ...request } = input;
  step.emit("input.resolved", { id, by: "user", ...decided, answers: withoutSecrets(request, decided.answers) });
  if (decided.decision === "allow_session") grant(step, request);
  if (native === CONTINUITY) {
    const how = [decided.option, ...Object.values(decided.answers ?? {}).flat()].find(isContinuation);
    step.effect({ type: "restart", how: how ?? "retry" });
    return;
  }
  if (native === undefined) return;
  step.effect({ type: "command", command: { type: "answer", key: native, answer: decided, request } });
}

function isContinuation(value: unknown): value is "retry" | "rebuild" | "new" {
  return value === "retry" || value === "rebuild" || value === "new";
}

function check(input: PendingInput, answer: InputAnswer): InputAnswer {
  let decided = answer;
  if (answer.option !== undefined) {
    const option = input.options.find((entry) => entry.id === answer.option);
    if (!option) {
      const known = input.options.map((entry) => entry.id).join(", ") || "none";
      throw new GantryError("invalid", `${input.id} has no option "${answer.option}". Its options: ${known}.`);
    }
    if (option.effect === "allow_session" && answer.decision === "allow") {
      decided = { ...answer, decision: "allow_session" };
    }
    const denies = option.effect === "deny" || option.effect === "deny_and_stop";
    if (denies === (decided.decision === "allow" || decided.decision === "allow_session")) {
      throw new GantryError("invalid", `Option "${option.id}" (${option.label}) does not go with ${answer.decision}.`);
    }
  }
  if (decided.decision === "allow_session" && !input.scope) {
    throw new GantryError("invalid", `${input.id} is not something that can be allowed for a whole session.`, {
      remedy: "Answer it with allow.",
    });
  }
  if (decided.decision === "allow") checkAnswers(input, decided.answers);
  return decided;
}

function checkAnswers(input: PendingInput, answers: Answers | undefined): void {
  if (input.questions.length === 0) return;
  const known = input.questions.map((question) => question.id);
  const strange = Object.keys(answers ?? {}).find((id) => !known.includes(id));
  if (strange !== undefined) {
    throw new GantryError("invalid", `${input.id} has no question "${strange}". Its questions: ${known.join(", ")}.`);
  }
  for (const question of input.questions) {
    const answer = answers?.[question.id];
    if (answer === undefined || answer.length === 0) {
      throw new GantryError("invalid", `The question "${question.text}" (${question.id}) has no answer.`);
    }
    if (Array.isArray(answer) && answer.length > 1 && !question.multi) {
      throw new GantryError("invalid", `The question "${question.text}" (${question.id}) takes one answer only.`);
    }
    const labels = question.options.map((option) => option.label);
    const wrong = [answer].flat().find((entry) => !question.freeform && !labels.includes(entry));
    if (wrong !== undefined) {
      throw new GantryError("invalid", `"${wrong}" is not among the answers: ${labels.join(", ")}.`);
    }
  }
}

function withoutSecrets(request: InputRequest, answers: Answers | undefined): Answers | undefined {
  if (!answers) return undefined;
  const secret = new Set(request.questions.filter((question) => question.secret).map((question) => question.id));
  return Object.fromEntries(Object.entries(answers).filter(([id]) => !secret.has(id)));
}

/** One more standing permission; those that it covers and that wait already are answered with it. */
function grant(step: SessionStep, request: InputRequest): void {
  if (!request.scope) return;
  const added = {
    id: step.context.id("grant"),
    session: step.view.id,
    scope: request.scope,
    input: request.id,
    at: step.context.now(),
  };
  step.emit("session.updated", { patch: { grants: [...step.view.grants, added] }, reason: "allowed for the session" });
  for (const other of step.view.inputs) {
    if (other.native === undefined || !grantFor([added], other, step.view.cwd)) continue;
    const { native: key, ...pending } = other;
    step.emit("input.resolved", { id: other.id, decision: "allow", by: `grant:${added.id}` });
    step.effect({ type: "command", command: { type: "answer", key, answer: { decision: "allow" }, request: pending } });
  }
}
