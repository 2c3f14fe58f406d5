import {
  type Answers,
  failure,
  GantryError,
  type InputAnswer,
  type InputRequest,
  type PendingInput,
  type SessionView,
} from "@gantry/protocol";
import type { InputDraft } from "../../../agents/contract.ts";
import { forkKey } from "../../../handoff/strategy.ts";
import { isProposal } from "../items.ts";
import { drainQueue } from "../queue.ts";
import type { SessionStep } from "../step.ts";
import { endTurn } from "../turns.ts";
import { grantFor, isPromised, scopeOf } from "./grant-scope.ts";

/** The key of Gantry's own question when a native conversation cannot be resumed. */
const CONTINUITY = "gantry:continuity";

/** The agent asks: a new pending input, or an immediate answer by a grant or by the mode. */
export function requestInput(step: SessionStep, key: string, request: InputDraft, ext?: unknown): void {
  if (step.view.inputs.some((input) => input.native === key)) return;
  const id = step.context.id("input");
  const scope = request.scope ?? scopeOf(request, step.view.cwd, step.view.folders);
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
  const by = grant ? `grant:${grant.id}` : isAnswered(step, full) ? `mode:${step.view.mode}` : undefined;
  if (!by) return;
  step.emit("input.resolved", { id, decision: "allow", by });
  sendAnswer(step, key, { decision: "allow" }, full);
}

/** The agent's own configuration asks for more than the mode does. */
function isAnswered({ view, context }: SessionStep, request: InputRequest): boolean {
  const { mode, modeApplied = mode, cwd, folders } = view;
  if (!context.enforcesModes || mode !== modeApplied) return false;
  return context.agent.answeredModes?.includes(mode) === true && isPromised(mode, request, cwd, folders);
}

function sendAnswer(step: SessionStep, key: string, answer: InputAnswer, request: InputRequest): void {
  const result = step.sendCommand({ type: "answer", key, answer, request });
  if (request.kind !== "login") return;
  if (result === "sent") step.signals.loginChosen = true;
  if (result === "unsupported") finishLoginElsewhere(step, answer, request);
}

/**
 * The channel has no command for this login answer. A login that was done elsewhere is read by the next process; without
 * a login the turn fails.
 */
function finishLoginElsewhere(step: SessionStep, answer: InputAnswer, request: InputRequest): void {
  step.effect({ type: "stop", reason: "unopened" });
  if (answer.decision === "allow") return;
  const chosen = request.options.find(({ id }) => id === answer.option)?.label;
  const message = `The agent is not logged in${chosen ? `; the answer was "${chosen}"` : ""}.`;
  endTurn(step, { outcome: "failed", reason: "not logged in", error: failure("auth", message) }, true);
  drainQueue(step);
}

/** The agent withdrew its question, or resolved it itself. */
export function withdrawInput(step: SessionStep, key: string, reason: string): void {
  const input = step.view.inputs.find((entry) => entry.native === key);
  if (input) step.emit("input.resolved", { id: input.id, decision: "cancel", by: "agent", reason });
}

/** A person or the session's lead (`by`) answers. Throws `GantryError` for an answer that does not fit, with nothing changed. */
export function answerInput(
  step: SessionStep,
  { id, answer, by = "user" }: { id: string; answer: InputAnswer; by?: string | undefined },
): void {
  const input = step.view.inputs.find((entry) => entry.id === id);
  if (!input) throw new GantryError("no_such_input", `There is no pending input ${id}.`);
  if (answer.edits && !step.context.agent.edits) {
    throw new GantryError("unsupported", `${step.context.agent.name} does not accept a changed input.`, {
      remedy: "Deny it with a message that describes what to do instead.",
    });
  }
  const decided = validateAnswer(input, answer);
  const { native, ...request } = input;
  step.emit("input.resolved", { id, by, ...decided, answers: withoutSecrets(request, decided.answers) });
  if (decided.decision === "allow_session") addGrant(step, request);
  if (native === CONTINUITY) {
    const choices = [decided.option, ...Object.values(decided.answers ?? {}).flat()];
    const how = choices.find((choice) => choice === "retry" || choice === "rebuild" || choice === "new");
    // After `retry` the next process resumes the same conversation.
    if (how === "rebuild" || how === "new") step.effect({ type: "rebuild", how });
    return;
  }
  if (isProposal(input)) return;
  if (native !== undefined) sendAnswer(step, native, decided, request);
}

/** The native conversation cannot be resumed. A person chooses how to continue; the turn waits for the answer. */
export function askForContinuity(step: SessionStep, message: string): void {
  if (awaitsContinuity(step.view)) return;
  step.effect({ type: "stop", reason: "lost" });
  // A Stop that waits for the agent wins: there is nothing left to continue.
  if (step.view.turn?.stopping) {
    endTurn(step, { outcome: "interrupted", reason: message }, true);
    return drainQueue(step);
  }
  step.emit("error", failure("protocol", message, "Choose how to continue."));
  requestInput(step, CONTINUITY, {
    kind: "question",
    title: "The agent's own conversation cannot be resumed. How should the session continue?",
    detail: message,
    questions: [
      {
        id: "continuity",
        text: "How should the session continue?",
        options: [
          { label: "retry", description: "Try again to resume the same conversation." },
          { label: "rebuild", description: "Start a new conversation with a brief from this session's log." },
          { label: "new", description: "Start a new conversation without any earlier context." },
        ],
        multi: false,
        freeform: false,
        secret: false,
      },
    ],
  });
}

/** Does the session wait for the choice of how to continue a lost conversation? */
export function awaitsContinuity(view: SessionView): boolean {
  return view.inputs.some((input) => input.native === CONTINUITY);
}

/** Forgets the native conversation: the next process starts a new one. */
export function resetConversation(step: SessionStep, how: "rebuild" | "new"): void {
  const { agent } = step.view;
  const handles = { [agent]: null, [forkKey(agent)]: null };
  step.emit("session.updated", { patch: { handles }, reason: `conversation: ${how}` });
}

function validateAnswer(input: PendingInput, answer: InputAnswer): InputAnswer {
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
  requireAllowing(input, decided);
  if (decided.decision === "allow_session" && !input.scope) {
    throw new GantryError("invalid", `${input.id} cannot be allowed for a whole session.`, {
      remedy: "Answer it with allow.",
    });
  }
  if (decided.decision === "allow") requireAnswers(input, decided.answers);
  return decided;
}

/** An approval without an option uses the first that allows. If there is none, the agent would get a refusal. */
function requireAllowing({ id, kind, options }: PendingInput, { decision, option }: InputAnswer): void {
  if (option !== undefined || (decision !== "allow" && decision !== "allow_session")) return;
  if (kind !== "approval" || options.length === 0 || options.some(({ effect }) => effect.startsWith("allow"))) return;
  throw new GantryError("invalid", `${id} offers no option that allows it.`, { remedy: "Deny it, or stop the turn." });
}

function requireAnswers(input: PendingInput, answers: Answers | undefined): void {
  if (input.questions.length === 0) return;
  const known = input.questions.map((question) => question.id);
  const unknown = Object.keys(answers ?? {}).find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new GantryError("invalid", `${input.id} has no question "${unknown}". Its questions: ${known.join(", ")}.`);
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

/** Adds a grant, and answers the pending inputs that it covers. */
function addGrant(step: SessionStep, request: InputRequest): void {
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
    sendAnswer(step, key, { decision: "allow" }, pending);
  }
}
