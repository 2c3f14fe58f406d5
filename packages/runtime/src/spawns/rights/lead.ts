import type { HandoffBody, InputAnswer, InputRequest, LandLane, SessionView } from "@gantry/protocol";
import { appliedMode } from "../../agents/applied-mode.ts";
import type { Agent } from "../../agents/contract.ts";
import { checkMode, notPermitted, rungOf } from "./rules.ts";

/** The fields of a handoff that a lead may set. Native controls are for people. */
const HANDOFF: ReadonlySet<string> = new Set([
  "agent",
  "model",
  "mode",
  "effort",
  "strategy",
  "brief",
  "prompt",
  "interrupt",
] satisfies (keyof HandoffBody)[]);

/** Throws `not_permitted` unless a person made the session a lead. */
export function requireLead({ id, lead }: SessionView): void {
  if (lead) return;
  throw notPermitted(
    `${id} is not a lead, so it may not answer, hand off or land for the sessions that it started.`,
    `A person can grant it: \`gantry set ${id} --lead on\`.`,
  );
}

/**
 * What a lead may answer for a worker. `above`: the worker's ancestors. Standing permissions, changed inputs, secrets and
 * logins stay with people, and no answer gives a worker a higher mode than a session above it has. Throws `not_permitted`.
 */
export function checkAnswer(
  lead: SessionView,
  above: readonly SessionView[],
  { kind, options, questions, session }: InputRequest,
  { decision, option, edits }: InputAnswer,
): void {
  const isOnlyForPeople = (what: string) =>
    notPermitted(`${what} is for a person to decide.`, "Leave it in the inbox.");
  if (kind === "login") throw isOnlyForPeople("A login");
  if (questions.some(({ secret }) => secret)) throw isOnlyForPeople("A secret");
  if (edits) throw isOnlyForPeople("A changed input");
  const chosen = options.find(({ id }) => id === option);
  const isStanding = chosen?.effect === "allow_session" || chosen?.effect === "allow_always";
  if (decision === "allow_session" || isStanding) throw isOnlyForPeople("A permission for the whole session");
  if (decision !== "allow" || kind === "question" || kind === "elicitation") return;
  if (kind === "plan") return checkMode(chosen?.mode ?? "ask", above, session);
  if (rungOf(lead) !== "plan") return;
  throw notPermitted(`${lead.id} is in plan mode, so it may not allow anything.`, "Deny it, or leave it in the inbox.");
}

/** Throws `not_permitted` for a handoff with other fields, or to a mode above that of an ancestor. */
export function checkHandoff(
  worker: SessionView,
  above: readonly SessionView[],
  next: Agent | undefined,
  body: HandoffBody,
): void {
  const strange = Object.keys(body).find((key) => !HANDOFF.has(key));
  if (strange) throw notPermitted(`A lead may not set \`${strange}\` of a handoff.`, "Omit it, or ask a person.");
  const mode = body.mode ?? worker.mode;
  checkMode(mode, above, worker.id);
  // An agent without a mode that low runs in a higher one.
  if (next) checkMode(appliedMode(next, mode), above, next.name);
}

/** A lead lands on the base of the lane only. Pushing and removing are for people. Throws `not_permitted`. */
export function checkLanding(lead: SessionView, { how, into, remove, tellAgents }: LandLane): void {
  if (rungOf(lead) === "plan") {
    throw notPermitted(`${lead.id} is in plan mode, and a landing changes a branch.`, "Ask a person.");
  }
  const refused = [
    how === "pr" && "open a pull request",
    into !== undefined && "choose the target branch",
    remove && "remove the lane",
    tellAgents && "send messages to agents in other lanes",
  ].find((text) => text !== false);
  if (refused) throw notPermitted(`A lead may land a lane on its base, but not ${refused}.`, "Ask a person.");
}
