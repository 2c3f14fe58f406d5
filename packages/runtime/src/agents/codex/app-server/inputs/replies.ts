import type { InputAnswer } from "@gantry/protocol";
import { rpcResult } from "../../../../framing/json-rpc.ts";
import type { Outbound } from "../../../contract.ts";
import { type Fields, fields, texts } from "../../../fields.ts";
import type { Ask } from "../state.ts";
import { decide, readDecision } from "./decisions.ts";
import { formContent } from "./forms.ts";

/** The response to an open request. */
export function reply(key: string, ask: Ask, answer: InputAnswer): Outbound {
  return { msg: rpcResult(ask.id, resultFor(ask, answer)), key: `answer:${key}`, repeat: "safe" };
}

function resultFor(ask: Ask, answer: InputAnswer): Fields {
  const allowed = answer.decision === "allow" || answer.decision === "allow_session";
  switch (ask.method) {
    case "item/permissions/requestApproval":
      return permissionsResult(ask, answer, allowed);
    case "item/tool/requestUserInput":
      return { answers: allowed ? questionAnswers(answer) : {} };
    case "mcpServer/elicitation/request":
      return elicitationResult(ask, answer, allowed);
    default:
      return { decision: decide(ask.decisions ?? {}, answer) };
  }
}

function permissionsResult(ask: Ask, answer: InputAnswer, allowed: boolean): Fields {
  if (!allowed || answer.option === "decline") return { permissions: {}, scope: "turn" };
  const granted = Object.entries(ask.permissions ?? {}).filter(([, value]) => value !== null);
  return { permissions: Object.fromEntries(granted), scope: answer.option === "session" ? "session" : "turn" };
}

function questionAnswers(answer: InputAnswer): Fields {
  const entries = Object.entries(answer.answers ?? {});
  return Object.fromEntries(
    entries.map(([id, answer]) => [id, { answers: Array.isArray(answer) ? answer : [answer] }]),
  );
}

function elicitationResult(ask: Ask, answer: InputAnswer, allowed: boolean): Fields {
  const action = allowed ? "accept" : answer.decision === "cancel" ? "cancel" : "decline";
  const content = allowed ? formContent(answer.answers ?? {}, ask.form ?? {}) : null;
  return { action, content, _meta: null };
}

/** Decodes a recorded answer. */
export function readReply(ask: Ask, result: Fields): InputAnswer {
  switch (ask.method) {
    case "item/permissions/requestApproval": {
      const granted = Object.keys(fields(result.permissions)).length > 0;
      if (!granted) return { decision: "deny" };
      return { decision: result.scope === "session" ? "allow_session" : "allow" };
    }
    case "item/tool/requestUserInput": {
      const answers = Object.entries(fields(result.answers));
      if (answers.length === 0) return { decision: "deny" };
      const chosen = answers.map(([id, entry]) => [id, texts(fields(entry).answers)]);
      return { decision: "allow", answers: Object.fromEntries(chosen) };
    }
    case "mcpServer/elicitation/request": {
      if (result.action !== "accept") return { decision: result.action === "cancel" ? "cancel" : "deny" };
      const content = Object.entries(fields(result.content)).map(([id, value]) => [
        id,
        typeof value === "string" ? value : JSON.stringify(value),
      ]);
      return { decision: "allow", answers: Object.fromEntries(content) };
    }
    default:
      return readDecision(ask.decisions ?? {}, result.decision ?? "accept");
  }
}
