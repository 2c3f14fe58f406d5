import type { InputAnswer, InputOption } from "@gantry/protocol";
import { type Fields, fields, nonBlank, texts } from "../../../fields.ts";

/** Native decisions by option id. */
export type Decisions = Record<string, unknown>;

/** The decisions for a patch; its request does not list them. */
export const patchDecisions: unknown[] = ["accept", "acceptForSession", "decline", "cancel"];

/** The decisions of the legacy protocol. */
export const legacyDecisions: unknown[] = [
  "approved",
  "approved_for_session",
  { denied: { rejection: "denied" } },
  "abort",
];

/** Longer decisions are not offered, because they would have to be stored until the answer. */
const LONGEST_DECISION = 4000;

const accepting = ["accept", "approved"];
const declining = ["decline", "denied"];
const stopping = ["cancel", "abort"];

/** The decisions that a request offers. `decline` is always accepted, so it is always included. */
export function nativeDecisions(available: unknown[]): Decisions {
  const decisions: Decisions = {};
  for (const decision of available) {
    const name = typeof decision === "string" ? decision : Object.keys(fields(decision))[0];
    if (!name || JSON.stringify(decision).length > LONGEST_DECISION) continue;
    decisions[uniqueName(decisions, name)] = decision;
  }
  const legacy = legacyDecisions.some((decision) => available.includes(decision));
  return legacy || "decline" in decisions ? decisions : { ...decisions, decline: "decline" };
}

function uniqueName(decisions: Decisions, name: string): string {
  let unique = name;
  for (let i = 2; unique in decisions; i++) unique = `${name}-${i}`;
  return unique;
}

/** The decisions as options, denials last. */
export function decisionOptions(decisions: Decisions): InputOption[] {
  const options = Object.entries(decisions).map(([id, decision]) => optionOf(id, decision));
  const weight = (option: InputOption) =>
    Number(option.effect === "deny") + 2 * Number(option.effect === "deny_and_stop");
  return options.toSorted((a, b) => weight(a) - weight(b));
}

function optionOf(id: string, decision: unknown): InputOption {
  if (accepting.includes(id)) return { id, label: "Allow", effect: "allow_once" };
  if (id === "acceptForSession" || id === "approved_for_session") {
    return { id, label: "Allow for this session", effect: "allow_session" };
  }
  if (declining.includes(id)) return { id, label: "Deny", effect: "deny" };
  if (stopping.includes(id)) return { id, label: "Deny and stop", effect: "deny_and_stop" };
  const detail = fields(Object.values(fields(decision))[0]);
  const rule = fields(detail.network_policy_amendment);
  if (nonBlank(rule.host)) {
    const allows = rule.action !== "deny";
    return { id, label: `Always ${allows ? "allow" : "deny"} ${rule.host}`, effect: allows ? "allow_always" : "deny" };
  }
  const prefix = texts(detail.execpolicy_amendment).join(" ");
  return { id, label: prefix ? `Always allow ${shorten(prefix)}` : `Allow (${id})`, effect: "allow_always" };
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 59)}…` : value;
}

/**
 * The native decision for an answer. A chosen option is used unless it contradicts the decision. Plain decisions never
 * grant more than one call, because Gantry stores session grants, visible and revocable.
 */
export function decide(decisions: Decisions, answer: InputAnswer): unknown {
  const { decision, option } = answer;
  const refuses = decision === "deny" || decision === "cancel";
  if (option !== undefined && Object.hasOwn(decisions, option)) {
    const { effect } = optionOf(option, decisions[option]);
    if (refuses === (effect === "deny" || effect === "deny_and_stop")) return decisions[option];
  }
  const wanted = { allow: accepting, allow_session: accepting, deny: declining, cancel: stopping }[decision];
  const names = refuses && option === "deny_and_stop" ? stopping : wanted;
  const id = names.find((name) => Object.hasOwn(decisions, name));
  return id === undefined ? names[0] : decisions[id];
}

/** Decodes a recorded decision. */
export function readDecision(decisions: Decisions, decision: unknown): InputAnswer {
  const wanted = JSON.stringify(decision);
  const option = Object.keys(decisions).find((id) => JSON.stringify(decisions[id]) === wanted) ?? nameOf(decision);
  if (declining.includes(option)) return { decision: "deny", option };
  if (stopping.includes(option)) return { decision: "cancel", option };
  return { decision: option.endsWith("ession") ? "allow_session" : "allow", option };
}

function nameOf(decision: unknown): string {
  return typeof decision === "string" ? decision : (Object.keys(decision as Fields)[0] ?? "accept");
}
