import { denyTool } from "../../../json-lines/calls.ts";
import { type Fields, fields, newest, own, text, without, words } from "../../../json-lines/reading/fields.ts";
import type { Pass } from "../../../json-lines/talk.ts";
import { decisionOf, type Sent } from "../../../json-lines/two-way.ts";
import type { RpcState } from "./state.ts";

/** A frame that was written to Droid: what the answer to it will be about. */
export function inbound(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  state.written += 1;
  const id = text(line.id) ?? "";
  if (line.type === "response") return answered(pass, id, text(fields(line.result).selectedOption));
  const params = fields(line.params);
  if (line.method === "droid.add_user_message") {
    remember(pass, id, id.startsWith("msg_") ? { message: id } : {});
    return pass.say({
      kind: "prompted",
      text: text(params.text) ?? "",
      ...(id.startsWith("msg_") ? { message: id } : {}),
    });
  }
  if (line.method === "droid.interrupt_session") state.stopping = true;
  if (line.method === "droid.update_session_settings") remember(pass, id, setting(params));
}

function remember({ state }: Pass<RpcState>, id: string, sent: Sent): void {
  state.sent = newest({ ...state.sent, [id]: sent }, 20);
}

function setting(params: Fields): Sent {
  const model = words(params.modelId);
  if (model) return { field: "model", value: model };
  const effort = words(params.reasoningEffort);
  if (effort) return { field: "effort", value: effort };
  return { field: "mode", value: words(params.autonomyLevel) ?? "" };
}

function answered(pass: Pass<RpcState>, id: string, option: string | undefined): void {
  const ask = own(pass.state.asks, id);
  if (!ask) return;
  pass.state.asks = without(pass.state.asks, id);
  const decision = decisionOf(option, ask);
  if (ask.tool && (decision === "deny" || decision === "cancel")) denyTool(pass, ask.tool);
  pass.say({ kind: "answered", key: id, answer: { decision, ...(option ? { option } : {}) } });
}
