import type { InputAnswer } from "@gantry/protocol";
import { rpcResult, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound } from "../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, ownValue, text } from "../../fields.ts";
import type { Dialect, ExtensionInput } from "../dialect.ts";
import type { OpenRequest } from "../state.ts";
import { REASON_META } from "../turns/denial-reasons.ts";
import { formContent } from "./elicitation.ts";

const cancelled = { outcome: { outcome: "cancelled" } };

/** The response to an open request of the agent. */
export function reply(dialect: Dialect, key: string, ask: OpenRequest, answer: InputAnswer): Outbound {
  const own = ownAsking(dialect, ask);
  const chosen = own?.result(answer, ask.data ?? {}) ?? commonResult(ask, answer);
  const reason = answer.decision === "deny" && !own ? nonBlank(answer.message) : undefined;
  const result = reason ? { ...chosen, _meta: { [REASON_META]: reason } } : chosen;
  return { msg: withVersion(rpcResult(ask.id, result)), key: `answer:${key}`, repeat: "safe" };
}

/** The response that cancels an open request, required when the turn is interrupted. */
export function cancelReply(dialect: Dialect, key: string, ask: OpenRequest): Outbound {
  return reply(dialect, key, ask, { decision: "cancel" });
}

function ownAsking(dialect: Dialect, ask: OpenRequest): ExtensionInput | undefined {
  return ask.kind === "extension" ? ownValue(dialect.extensions ?? {}, ask.method)?.ask : undefined;
}

function commonResult(ask: OpenRequest, answer: InputAnswer): Fields {
  if (ask.kind === "elicitation") return elicitationResult(ask, answer);
  return ask.kind === "choice" ? choiceResult(ask, answer) : permissionResult(ask, answer);
}

/** The option that the answer names. */
function choiceResult(ask: OpenRequest, answer: InputAnswer): Fields {
  const [label = ""] = Object.values(joinAnswers(answer));
  const optionId = answer.decision === "allow" ? text(ownValue(ask.data ?? {}, label)) : undefined;
  return optionId === undefined ? cancelled : { outcome: { outcome: "selected", optionId } };
}

/**
 * Gantry stores session grants, so `allow_session` is sent as a single approval. The agent's own session grant is
 * one of the options.
 */
function permissionResult(ask: OpenRequest, answer: InputAnswer): Fields {
  const options = ask.options ?? [];
  const of = (...kinds: string[]) => kinds.flatMap((kind) => options.filter((option) => option[1] === kind))[0]?.[0];
  const named = options.some(([id]) => id === answer.option) ? answer.option : undefined;
  const allowed = answer.decision === "allow" || answer.decision === "allow_session";
  if (answer.decision === "cancel" && named === undefined) return cancelled;
  const optionId = named ?? (allowed ? of("allow_once", "allow_always") : of("reject_once", "reject_always"));
  if (optionId === undefined) return cancelled;
  const outcome = { outcome: { outcome: "selected", optionId } };
  return ask.kind === "questions" && allowed ? { ...outcome, answers: joinAnswers(answer) } : outcome;
}

function joinAnswers(answer: InputAnswer): Record<string, string> {
  const entries = Object.entries(answer.answers ?? {});
  return Object.fromEntries(entries.map(([id, value]) => [id, [value].flat().join(", ")]));
}

function elicitationResult(ask: OpenRequest, answer: InputAnswer): Fields {
  const allowed = answer.decision === "allow" || answer.decision === "allow_session";
  const action = allowed ? "accept" : answer.decision === "cancel" ? "cancel" : "decline";
  const content = allowed ? formContent(answer.answers ?? {}, ask.form ?? {}) : undefined;
  return compact({ action, content });
}

/** Decodes a recorded answer. */
export function readReply(dialect: Dialect, ask: OpenRequest, result: Fields): InputAnswer {
  const own = ownAsking(dialect, ask);
  if (own) return own.read(result, ask.data ?? {});
  if (ask.kind === "elicitation") return readElicitation(result);
  const { outcome, optionId } = fields(result.outcome);
  if (outcome !== "selected") return { decision: "cancel" };
  const option = text(optionId) ?? "";
  const kind = ask.options?.find(([id]) => id === option)?.[1] ?? "";
  if (!kind.startsWith("allow")) return { decision: "deny", option };
  if (ask.kind === "choice") return { decision: "allow", answers: { "0": answerOf(ask, option) } };
  if (ask.kind !== "questions") return { decision: "allow", option };
  const answers = Object.entries(fields(result.answers)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { decision: "allow", answers: Object.fromEntries(answers) };
}

function answerOf({ data = {} }: OpenRequest, option: string): string {
  return Object.entries(data).find(([, id]) => id === option)?.[0] ?? option;
}

function readElicitation(result: Fields): InputAnswer {
  if (result.action !== "accept") return { decision: result.action === "cancel" ? "cancel" : "deny" };
  const answers = Object.entries(fields(result.content)).map(([id, value]) => [
    id,
    Array.isArray(value) ? list(value).map(String) : typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return { decision: "allow", answers: Object.fromEntries(answers) };
}

/** Whether the answer rejects the tool call. */
export function isDenial(answer: InputAnswer): boolean {
  return answer.decision === "deny" || answer.decision === "cancel";
}
