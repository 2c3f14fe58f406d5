import type { InputAnswer } from "@gantry/protocol";
import { type Fields, fingerprint, newestEntries, nonBlank, ownValue, text, withoutKey } from "../../fields.ts";
import { denyTool } from "../calls.ts";
import type { Pass } from "../pass.ts";
import { decisionOf, type OpenRequest, type SentFrame } from "../two-way.ts";
import { isLocal } from "./commands.ts";
import { settle } from "./ending.ts";
import { readGateAnswer } from "./gate/asks.ts";
import { GATE, MODE_COMMAND } from "./gate/extension.ts";
import { startCall } from "./messages.ts";
import type { PiState } from "./state.ts";

const MODE = new RegExp(`^/${MODE_COMMAND} (\\S+)$`);

/** Older requests are forgotten: a late response to them is unknown. */
const MAX_REQUESTS = 50;

const messages = ["prompt", "steer", "follow_up"];

/** Decodes a frame written to the agent: tracks requests and, for recordings, reports prompts and answers. */
export function inbound(pass: Pass<PiState>, line: Fields): void {
  const { state } = pass;
  state.written += 1;
  const id = text(line.id) ?? "";
  const type = text(line.type) ?? "";
  if (state.requests && type !== "extension_ui_response")
    state.requests = newestEntries({ ...withoutKey(state.requests, id), [id]: type }, MAX_REQUESTS);
  const [, mode] = type === "prompt" ? (MODE.exec(text(line.message) ?? "") ?? []) : [];
  if (mode) return remember(pass, id, { field: "mode", value: mode });
  if (messages.includes(type)) return handlePrompt(pass, id, type, text(line.message) ?? "");
  if (type === "extension_ui_response") return handleAnswer(pass, id, line);
  if (type === "compact" && id.startsWith("msg_")) return handleCompact(pass, id, text(line.customInstructions));
  if (type === "abort") state.stopping = true;
  if (type === "cancel_message") remember(pass, id, { value: text(line.messageId) ?? "" });
  if (type === "set_model") remember(pass, id, { field: "model", value: [line.provider, line.modelId].join("/") });
  if (type === "set_mode") remember(pass, id, { field: "mode", value: text(line.mode) ?? "" });
  if (type === "set_thinking_level") remember(pass, id, { field: "effort", value: text(line.level) ?? "" });
}

/** A prompt during a running turn is rejected; steers use dedicated commands. */
function handlePrompt(pass: Pass<PiState>, id: string, type: string, message: string): void {
  const { state } = pass;
  if (type === "prompt" && state.waiting) settle(pass);
  const busy = state.turn === "running";
  const ours = id.startsWith("msg_") ? { message: id } : {};
  const local = type === "prompt" && isLocal(state, message) ? { local: true } : {};
  remember(pass, id, { ...ours, print: fingerprint(message), inline: type !== "prompt", ...local });
  if (type === "prompt" && busy) return;
  if (type === "prompt") state.stopping = false;
  pass.emit({ kind: "prompted", text: message, ...ours, ...(busy ? { steer: true } : {}) });
}

/** A user-requested compaction is a turn, like any other message. */
function handleCompact(pass: Pass<PiState>, message: string, about: string | undefined): void {
  if (pass.state.waiting) settle(pass);
  Object.assign(pass.state, { stopping: false, message, compaction: message, compacted: undefined });
  pass.emit({ kind: "prompted", text: about ? `/compact ${about}` : "/compact", message });
}

function remember({ state }: Pass<PiState>, id: string, sent: SentFrame): void {
  state.sent = newestEntries({ ...state.sent, [id]: sent }, 20);
}

function handleAnswer(pass: Pass<PiState>, id: string, line: Fields): void {
  const ask = ownValue(pass.state.asks, id);
  if (!ask) return;
  pass.state.asks = withoutKey(pass.state.asks, id);
  if (ask.method === GATE) return handleGateAnswer(pass, id, ask, line);
  const value = nonBlank(line.value) ?? (typeof line.confirmed === "boolean" ? String(line.confirmed) : undefined);
  const answer = answerOf(line.cancelled === true ? undefined : value, ask.options.length > 0, decisionOf(value, ask));
  if (ask.tool && answer.decision !== "allow" && answer.decision !== "allow_session") denyTool(pass, ask.tool);
  pass.emit({ kind: "answered", key: id, answer });
}

/** The call continues with the user's edits, or is denied. */
function handleGateAnswer(pass: Pass<PiState>, id: string, { tool: call = "" }: OpenRequest, line: Fields): void {
  const answer = readGateAnswer(text(line.value));
  const tool = ownValue(pass.state.tools, call);
  if (answer.decision !== "allow" && !pass.state.stopping) denyTool(pass, call);
  if (answer.edits && tool) startCall(pass, call, tool.name, answer.edits);
  pass.emit({ kind: "answered", key: id, answer });
}

function answerOf(value: string | undefined, choice: boolean, decision: InputAnswer["decision"]): InputAnswer {
  if (value === undefined) return { decision: "cancel" };
  return choice ? { decision, option: value } : { decision: "allow", answers: { answer: value } };
}
