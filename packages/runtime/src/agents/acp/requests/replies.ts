import type { InputAnswer } from "@gantry/protocol";
import { rpcResult, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound } from "../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, own, text } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import type { Ask } from "../state.ts";
import { REASON } from "../turns/reasons.ts";
import { formContent } from "./elicitation.ts";
import type { Asking } from "./extension.ts";

const cancelled = { outcome: { outcome: "cancelled" } };

/** The frame that answers an open question of the agent. */
export function reply(dialect: Dialect, key: string, ask: Ask, answer: InputAnswer): Outbound {
  const own = ownAsking(dialect, ask);
  const chosen = own?.result(answer, ask.kept ?? {}) ?? commonResult(ask, answer);
  const reason = answer.decision === "deny" && !own ? nonBlank(answer.message) : undefined;
  const result = reason ? { ...chosen, _meta: { [REASON]: reason } } : chosen;
  return { msg: withVersion(rpcResult(ask.id, result)), key: `answer:${key}`, repeat: "safe" };
}

/** The frame that tells the agent that nobody will answer, as it must be told when its turn is stopped. */
export function cancelReply(dialect: Dialect, key: string, ask: Ask): Outbound {
  return reply(dialect, key, ask, { decision: "cancel" });
}

function ownAsking(dialect: Dialect, ask: Ask): Asking | undefined {
  return ask.kind === "extension" ? own(dialect.extensions ?? {}, ask.method)?.ask : undefined;
}

function commonResult(ask: Ask, answer: InputAnswer): Fields {
  return ask.kind === "elicitation" ? elicitationResult(ask, answer) : permissionResult(ask, answer);
}

/** Standing permission is ours to keep, so `allow_session` allows this once; the agent's own way is an option. */
function permissionResult(ask: Ask, answer: InputAnswer): Fields {
  const options = ask.options ?? [];
  const of = (...kinds: string[]) => kinds.flatMap((kind) => options.filter((option) => option[1] === kind))[0]?.[0];
  const named = options.some(([id]) => id === answer.option) ? answer.option : undefined;
  const allowed = answer.decision === "allow" || answer.decision === "allow_session";
  if (answer.decision === "cancel" && named === undefined) return cancelled;
  const optionId = named ?? (allowed ? of("allow_once", "allow_always") : of("reject_once", "reject_always"));
  if (optionId === undefined) return cancelled;
  const outcome = { outcome: { outcome: "selected", optionId } };
  return ask.kind === "questions" && allowed ? { ...outcome, answers: joined(answer) } : outcome;
}

function joined(answer: InputAnswer): Record<string, string> {
  const entries = Object.entries(answer.answers ?? {});
  return Object.fromEntries(entries.map(([id, said]) => [id, [said].flat().join(", ")]));
}

function elicitationResult(ask: Ask, answer: InputAnswer): Fields {
  const allowed = answer.decision === "allow" || answer.decision === "allow_session";
  const action = allowed ? "accept" : answer.decision === "cancel" ? "cancel" : "decline";
  const content = allowed ? formContent(answer.answers ?? {}, ask.form ?? {}) : undefined;
  return compact({ action, content });
}

/** A recorded answer in our words. */
export function readReply(dialect: Dialect, ask: Ask, result: Fields): InputAnswer {
  const own = ownAsking(dialect, ask);
  if (own) return own.read(result, ask.kept ?? {});
  if (ask.kind === "elicitation") return readElicitation(result);
  const { outcome, optionId } = fields(result.outcome);
  if (outcome !== "selected") return { decision: "cancel" };
  const option = text(optionId) ?? "";
  const kind = ask.options?.find(([id]) => id === option)?.[1] ?? "";
  if (!kind.startsWith("allow")) return { decision: "deny", option };
  if (ask.kind !== "questions") return { decision: "allow", option };
  const answers = Object.entries(fields(result.answers)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { decision: "allow", answers: Object.fromEntries(answers) };
}

function readElicitation(result: Fields): InputAnswer {
  if (result.action !== "accept") return { decision: result.action === "cancel" ? "cancel" : "deny" };
  const said = Object.entries(fields(result.content)).map(([id, value]) => [
    id,
    Array.isArray(value) ? list(value).map(String) : typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return { decision: "allow", answers: Object.fromEntries(said) };
}

/** Does a recorded or sent answer refuse the tool call it is about? */
export function denies(answer: InputAnswer): boolean {
  return answer.decision === "deny" || answer.decision === "cancel";
}
