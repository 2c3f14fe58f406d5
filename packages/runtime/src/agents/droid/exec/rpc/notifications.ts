import { addUsage, type Failure, type FailureCategory, failure, noUsage, type Usage } from "@gantry/protocol";
import {
  compact,
  count,
  type Fields,
  fields,
  list,
  nonBlank,
  number,
  ownValue,
  text,
  withoutKey,
} from "../../../fields.ts";
import type { Pass } from "../../../json-lines/pass.ts";
import { blocksText } from "../../../json-lines/reading/content.ts";
import { textFailure } from "../../../json-lines/reading/failures.ts";
import { readUsage } from "../../../json-lines/reading/usage.ts";
import { closeText, completeText, openItems, retractItems, streamText } from "../../../json-lines/texts.ts";
import {
  addTurnUsage,
  beginTurn,
  failTurn,
  finishTurn,
  reportPrompt,
  reportReady,
  reportRetry,
} from "../../../json-lines/turns.ts";
import { autonomyOf } from "../../controls.ts";
import { settleRequest } from "./asks.ts";
import { type RpcState, rungOf } from "./state.ts";
import { childStarted, endCall, startCall, updateCall } from "./tools.ts";

/** Ignored notifications, with the reason. */
const quiet: Record<string, string> = {
  mcp_status_changed: "about servers that Droid's own configuration names",
  session_title_updated: "Gantry names sessions itself",
  tool_execution_phase_changed: "reported by the call and its result",
  tool_execution_heartbeat: "that Droid lives is seen otherwise",
  hook_execution_started: "hooks are the user's own",
  hook_execution_completed: "hooks are the user's own",
  loop_state_changed: "about a loop of Droid's own interface",
  session_working_directory_changed: "tools report their folder",
  structured_output: "not requested",
};

type Reader = (pass: Pass<RpcState>, line: Fields) => void;

const readers: Record<string, Reader> = {
  settings_updated: settingsUpdated,
  droid_working_state_changed: handleWorkingState,
  create_message: handleMessage,
  assistant_text_delta: (pass, line) => handleDelta(pass, line, "text"),
  thinking_text_delta: (pass, line) => handleDelta(pass, line, "reasoning"),
  assistant_text_complete: (pass, line) => closeText(pass, block(line), "text"),
  thinking_text_complete: (pass, line) => closeText(pass, block(line), "reasoning"),
  assistant_message_retracted: (pass) => retractItems(pass, openItems(pass), "the agent took it back"),
  tool_call: (pass, line) => startCall(pass, fields(line.toolUse)),
  tool_progress_update: updateCall,
  tool_result: endCall,
  child_session_available: childStarted,
  permission_resolved: (pass, line) => settleRequest(pass, text(line.requestId) ?? ""),
  queued_messages_discarded: requeueDiscarded,
  llm_retry: handleRetry,
  session_compacted: (pass) => pass.event("context.compacted", { trigger: "auto" }),
  session_token_usage_changed: reportContextUsage,
  error: (pass, line) => {
    pass.state.failure = textFailure(text(line.message) ?? text(fields(line.error).message) ?? "");
  },
  agent_turn_completed: completeTurn,
};

export function handleNotification(pass: Pass<RpcState>, line: Fields, frame: unknown): void {
  const type = text(line.type) ?? "";
  const reader = ownValue(readers, type);
  if (reader) return reader(pass, line);
  if (!ownValue(quiet, type)) pass.raw(frame, "unknown notification");
}

/** Before the session is open its response reports the settings; while a change is pending, the response to it does. */
function settingsUpdated(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  if (!state.ready) return;
  const settings = fields(line.settings);
  reportReady(pass, compact({ model: nonBlank(settings.modelId) }));
  const level = nonBlank(settings.autonomyLevel);
  if (level) pass.emit({ kind: "controls", values: { autonomy: autonomyOf(level) } });
  const to = rungOf(settings);
  if (!to || to === state.mode) return;
  const ours = Object.values(state.sent).find(({ field }) => field === "mode");
  if (ours && ours.value !== to) return;
  if (!ours) pass.event("mode.changed", compact({ from: state.mode, to, native: nonBlank(settings.autonomyMode) }));
  state.mode = to;
}

/** Texts are named by their index in the message. */
function block(line: Fields): string {
  return `${text(line.messageId) ?? ""}.${number(line.blockIndex) ?? 0}`;
}

function handleDelta(pass: Pass<RpcState>, line: Fields, channel: "text" | "reasoning"): void {
  beginTurn(pass);
  streamText(pass, block(line), channel, text(line.textDelta) ?? "");
}

function handleWorkingState(pass: Pass<RpcState>, line: Fields): void {
  const state = text(line.newState) ?? "";
  if (state !== "idle" && state !== "") pass.emit({ kind: "activity", state });
}

/** Handles a complete message: the echo of ours, or the model's with all blocks. */
function handleMessage(pass: Pass<RpcState>, line: Fields): void {
  const message = fields(line.message);
  if (message.visibility === "llm_only") return;
  if (message.role === "user") return confirmTaken(pass, text(line.requestId) ?? text(message.id) ?? "", message);
  if (message.role !== "assistant") return;
  list(message.content).forEach((entry, index) => {
    const content = fields(entry);
    const native = `${text(message.id) ?? ""}.${index}`;
    if (content.type === "text") completeText(pass, native, "text", text(content.text) ?? "");
    if (content.type === "thinking") completeText(pass, native, "reasoning", text(content.thinking) ?? "");
    if (content.type === "tool_use") startCall(pass, content);
  });
}

function confirmTaken(pass: Pass<RpcState>, id: string, message: Fields): void {
  const { state } = pass;
  if (id === state.explaining) return;
  const sent = ownValue(state.sent, id);
  state.sent = withoutKey(state.sent, id);
  if (state.turn === "running") {
    if (sent?.message) pass.emit({ kind: "taken", message: sent.message, inline: true });
    return;
  }
  state.message = sent?.message;
  if (sent) return beginTurn(pass);
  // In one-sided recordings the echo is the only source of the prompt; tool results are not prompts.
  const line = list(message.content).map(fields);
  if (line.some((entry) => entry.type === "text")) reportPrompt(pass, blocksText(message.content) ?? "");
}

/** Handles queued messages dropped by an interrupt. */
function requeueDiscarded(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  const id = text(line.requestId) ?? "";
  if (id === state.explaining) state.explaining = undefined;
  const message = ownValue(state.sent, id)?.message;
  state.sent = withoutKey(state.sent, id);
  if (message) pass.emit({ kind: "dropped", message, reason: "the agent dropped it when its turn was stopped" });
}

const troubles: Record<string, [FailureCategory, string]> = {
  rate_limited: ["rate_limit", "The provider's rate limit is reached."],
  overloaded: ["overloaded", "The provider is overloaded."],
  timeout: ["timeout", "The provider did not answer in time."],
  network: ["network", "The provider cannot be reached."],
  empty_response: ["unknown", "The provider's answer was empty."],
};

function handleRetry(pass: Pass<RpcState>, line: Fields): void {
  beginTurn(pass);
  const reason = text(line.reason) ?? "unknown";
  const [category, description] = ownValue(troubles, reason) ?? [
    "unknown",
    `The request to the model failed: ${reason}.`,
  ];
  reportRetry(
    pass,
    compact({ attempt: number(line.attempt), reason: description }),
    failure(category as FailureCategory, description),
  );
}

/** Context usage: the last response plus its input. */
function reportContextUsage(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  const last = fields(line.lastCallTokenUsage);
  const used = count(last.inputTokens) + count(last.cacheReadTokens) + count(last.outputTokens);
  if (used === 0 || used === state.used) return;
  state.used = used;
  pass.event("context.usage", compact({ used, size: state.size }));
}

function completeTurn(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  const tokens = tokensOf(line);
  const stopped = line.reason === "cancelled" || state.stopping;
  if (state.explaining && line.turnId !== state.explaining && !stopped) return addTurnUsage(pass, tokens);
  const usage = addUsage(state.usage ?? noUsage, tokens);
  const more = compact({ usage, durationMs: number(line.durationMs) });
  const reason = text(line.reason) ?? "unknown";
  if (stopped) finishTurn(pass, { outcome: "interrupted", ...more });
  else if (good.includes(reason) && !state.failure) finishTurn(pass, { outcome: "completed", ...more });
  else failTurn(pass, failureOf(reason, state.failure), more);
  Object.assign(state, { stopping: false, asks: {}, explaining: undefined, children: {} });
}

/** Final states that are not failures: a denial, or an approved plan that another session executes. */
const good = ["completed", "permission_rejected", "spec_handoff"];

const reasons: Record<string, FailureCategory> = {
  model_usage_exhausted: "quota",
  model_authentication_failed: "auth",
  model_provider_unreachable: "network",
  model_provider_unavailable: "overloaded",
  model_rate_limited: "rate_limit",
  prompt_rejected: "refused",
};

/** The provider's error text is more specific than Droid's reason, if it is classified. */
function failureOf(reason: string, reported: Failure | undefined): Failure {
  const category = ownValue(reasons, reason);
  if (!reported) return failure(category ?? "unknown", `The turn ended: ${reason}.`);
  return reported.category === "unknown" && category ? failure(category, reported.message) : reported;
}

/** Droid counts the usage of subagents separately. */
function tokensOf(line: Fields): Usage {
  return addUsage(readUsage(fields(line.tokenUsage), true), readUsage(fields(line.childTokenUsage), true));
}
