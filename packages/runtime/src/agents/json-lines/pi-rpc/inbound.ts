import type { InputAnswer } from "@gantry/protocol";
import { type Fields, fingerprint, newest, nonBlank, own, text, without } from "../../fields.ts";
import { denyTool } from "../calls.ts";
import type { Pass } from "../talk.ts";
import { type Ask, decisionOf, type Sent } from "../two-way.ts";
import { isLocal } from "./commands.ts";
import { settle } from "./ending.ts";
import { decidedIn } from "./gate/asks.ts";
import { GATE, MODE_COMMAND } from "./gate/extension.ts";
import { called } from "./messages.ts";
import type { PiState } from "./state.ts";

const MODE = new RegExp(`^/${MODE_COMMAND} (\\S+)$`);

const messages = ["prompt", "steer", "follow_up"];

/** A frame that was written to the agent: what its answer will be about, and for recordings what a person said. */
export function inbound(pass: Pass<PiState>, said: Fields): void {
  const { state } = pass;
  state.written += 1;
  const id = text(said.id) ?? "";
  const type = text(said.type) ?? "";
  const [, mode] = type === "prompt" ? (MODE.exec(text(said.message) ?? "") ?? []) : [];
  if (mode) return remember(pass, id, { field: "mode", value: mode });
  if (messages.includes(type)) return spoken(pass, id, type, text(said.message) ?? "");
  if (type === "extension_ui_response") return answered(pass, id, said);
  if (type === "compact" && id.startsWith("msg_")) return compacts(pass, id, text(said.customInstructions));
  if (type === "abort") state.stopping = true;
  if (type === "set_model") remember(pass, id, { field: "model", value: [said.provider, said.modelId].join("/") });
  if (type === "set_mode") remember(pass, id, { field: "mode", value: text(said.mode) ?? "" });
  if (type === "set_thinking_level") remember(pass, id, { field: "effort", value: text(said.level) ?? "" });
}

/** A prompt while the agent works is refused; what is said into the turn has commands of its own. */
function spoken(pass: Pass<PiState>, id: string, type: string, message: string): void {
  const { state } = pass;
  if (type === "prompt" && state.waiting) settle(pass);
  const busy = state.turn === "running";
  const ours = id.startsWith("msg_") ? { message: id } : {};
  const local = type === "prompt" && isLocal(state, message) ? { local: true } : {};
  remember(pass, id, { ...ours, print: fingerprint(message), inline: type !== "prompt", ...local });
  if (type === "prompt" && busy) return;
  if (type === "prompt") state.stopping = false;
  pass.say({ kind: "prompted", text: message, ...ours, ...(busy ? { steer: true } : {}) });
}

/** A person asked for a compaction: a turn of its own, as any other message makes one. */
function compacts(pass: Pass<PiState>, message: string, about: string | undefined): void {
  if (pass.state.waiting) settle(pass);
  Object.assign(pass.state, { stopping: false, message, compaction: message, compacted: undefined });
  pass.say({ kind: "prompted", text: about ? `/compact ${about}` : "/compact", message });
}

function remember({ state }: Pass<PiState>, id: string, sent: Sent): void {
  state.sent = newest({ ...state.sent, [id]: sent }, 20);
}

function answered(pass: Pass<PiState>, id: string, said: Fields): void {
  const ask = own(pass.state.asks, id);
  if (!ask) return;
  pass.state.asks = without(pass.state.asks, id);
  if (ask.method === GATE) return answeredGate(pass, id, ask, said);
  const value = nonBlank(said.value) ?? (typeof said.confirmed === "boolean" ? String(said.confirmed) : undefined);
  const answer = answerOf(said.cancelled === true ? undefined : value, ask.options.length > 0, decisionOf(value, ask));
  if (ask.tool && answer.decision !== "allow" && answer.decision !== "allow_session") denyTool(pass, ask.tool);
  pass.say({ kind: "answered", key: id, answer });
}

/** The call goes on as the person changed it, or not at all. */
function answeredGate(pass: Pass<PiState>, id: string, { tool: call = "" }: Ask, said: Fields): void {
  const answer = decidedIn(text(said.value));
  const tool = own(pass.state.tools, call);
  if (answer.decision !== "allow" && !pass.state.stopping) denyTool(pass, call);
  if (answer.edits && tool) called(pass, call, tool.name, answer.edits);
  pass.say({ kind: "answered", key: id, answer });
}

function answerOf(value: string | undefined, choice: boolean, decision: InputAnswer["decision"]): InputAnswer {
  if (value === undefined) return { decision: "cancel" };
  return choice ? { decision, option: value } : { decision: "allow", answers: { answer: value } };
}
