import { type Fields, fields, list, newestEntries, nonBlank, ownValue, text, withoutKey } from "../../../fields.ts";
import { denyTool } from "../../../json-lines/calls.ts";
import type { Pass } from "../../../json-lines/pass.ts";
import { decisionOf, type SentFrame } from "../../../json-lines/two-way.ts";
import { steps } from "./opening.ts";
import { type RpcState, rungOf } from "./state.ts";

/** Decodes a frame written to Droid and tracks its request. */
export function inbound(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  state.written += 1;
  const id = text(line.id) ?? "";
  if (line.type === "response") return recordAnswer(pass, id, fields(line.result));
  const params = fields(line.params);
  if (line.method === "droid.add_user_message") return handleUserMessage(pass, id, params);
  if (line.method === "droid.interrupt_session") state.stopping = true;
  if (line.method === "droid.update_session_settings" && id !== steps.settings) remember(pass, id, readSetting(params));
}

function handleUserMessage(pass: Pass<RpcState>, id: string, params: Fields): void {
  const { state } = pass;
  const running = state.turn === "running";
  if (!running) state.stopping = false;
  if (id.startsWith("reason-")) {
    state.explaining = id;
    return;
  }
  const message = id.startsWith("msg_") ? { message: id } : {};
  remember(pass, id, message);
  pass.emit({ kind: "prompted", text: text(params.text) ?? "", ...message, ...(running ? { steer: true } : {}) });
}

function remember({ state }: Pass<RpcState>, id: string, sent: SentFrame): void {
  state.sent = newestEntries({ ...state.sent, [id]: sent }, 20);
}

function readSetting(params: Fields): SentFrame {
  const model = nonBlank(params.modelId);
  if (model) return { field: "model", value: model };
  const effort = nonBlank(params.reasoningEffort);
  if (effort) return { field: "effort", value: effort };
  return { field: "mode", value: rungOf(params) ?? "" };
}

function recordAnswer(pass: Pass<RpcState>, id: string, result: Fields): void {
  const ask = ownValue(pass.state.asks, id);
  if (!ask) return;
  pass.state.asks = withoutKey(pass.state.asks, id);
  if (ask.questions) return pass.emit({ kind: "answered", key: id, answer: answerOf(result) });
  const option = text(result.selectedOption);
  const decision = decisionOf(option, ask);
  if (decision === "deny" || decision === "cancel") for (const tool of ask.tools) denyTool(pass, tool);
  pass.emit({ kind: "answered", key: id, answer: { decision, ...(option ? { option } : {}) } });
}

function answerOf(result: Fields) {
  if (result.cancelled === true) return { decision: "cancel" as const };
  const given = list(result.answers)
    .map(fields)
    .map(({ index, answer }) => [String(index), text(answer) ?? ""] as const);
  return { decision: "allow" as const, answers: Object.fromEntries(given) };
}
