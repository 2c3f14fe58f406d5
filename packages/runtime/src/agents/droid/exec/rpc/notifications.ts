import { addUsage, type Failure, type FailureCategory, failure, noUsage, type Usage } from "@gantry/protocol";
import { compact, count, type Fields, fields, list, nonBlank, number, own, text, without } from "../../../fields.ts";
import { blocksText } from "../../../json-lines/reading/content.ts";
import { wordsFailure } from "../../../json-lines/reading/failures.ts";
import { readUsage } from "../../../json-lines/reading/usage.ts";
import type { Pass } from "../../../json-lines/talk.ts";
import { closeText, openItems, retractItems, stream, whole } from "../../../json-lines/texts.ts";
import { begin, fail, finish, prompted, ready, retry, spend } from "../../../json-lines/turns.ts";
import { settled } from "./asks.ts";
import { type RpcState, rungOf } from "./state.ts";
import { called, childStarted, progressed, returned } from "./tools.ts";

/** Notifications that are understood and say nothing that the log needs, with the reason. */
const quiet: Record<string, string> = {
  mcp_status_changed: "about servers that Droid's own configuration names",
  session_title_updated: "sessions have titles of their own here",
  tool_execution_phase_changed: "told by the call and its result",
  tool_execution_heartbeat: "that Droid lives is seen otherwise",
  hook_execution_started: "hooks are the user's own",
  hook_execution_completed: "hooks are the user's own",
  loop_state_changed: "about a loop of Droid's own interface",
  session_working_directory_changed: "tools tell where they work",
  structured_output: "nobody asked for it",
};

type Reader = (pass: Pass<RpcState>, said: Fields) => void;

const readers: Record<string, Reader> = {
  settings_updated: settingsUpdated,
  droid_working_state_changed: working,
  create_message: created,
  assistant_text_delta: (pass, said) => streamed(pass, said, "text"),
  thinking_text_delta: (pass, said) => streamed(pass, said, "reasoning"),
  assistant_text_complete: (pass, said) => closeText(pass, block(said), "text"),
  thinking_text_complete: (pass, said) => closeText(pass, block(said), "reasoning"),
  assistant_message_retracted: (pass) => retractItems(pass, openItems(pass), "the agent took it back"),
  tool_call: (pass, said) => called(pass, fields(said.toolUse)),
  tool_progress_update: progressed,
  tool_result: returned,
  child_session_available: childStarted,
  permission_resolved: (pass, said) => settled(pass, text(said.requestId) ?? ""),
  queued_messages_discarded: discarded,
  llm_retry: retrying,
  session_compacted: (pass) => pass.event("context.compacted", { trigger: "auto" }),
  session_token_usage_changed: counted,
  error: (pass, said) => {
    pass.state.failure = wordsFailure(text(said.message) ?? text(fields(said.error).message) ?? "");
  },
  agent_turn_completed: completed,
};

export function notified(pass: Pass<RpcState>, said: Fields, frame: unknown): void {
  const type = text(said.type) ?? "";
  const reader = own(readers, type);
  if (reader) return reader(pass, said);
  if (!own(quiet, type)) pass.raw(frame, "unknown notification");
}

/** Before the session is open, its opening tells the same; while a setting of ours is on its way, its answer does. */
function settingsUpdated(pass: Pass<RpcState>, said: Fields): void {
  const { state } = pass;
  if (!state.ready) return;
  const settings = fields(said.settings);
  ready(pass, compact({ model: nonBlank(settings.modelId) }));
  const to = rungOf(settings);
  if (!to || to === state.mode) return;
  const ours = Object.values(state.sent).find(({ field }) => field === "mode");
  if (ours && ours.value !== to) return;
  if (!ours) pass.event("mode.changed", compact({ from: state.mode, to, native: nonBlank(settings.autonomyMode) }));
  state.mode = to;
}

/** Texts of a message are known by their place in it. */
function block(said: Fields): string {
  return `${text(said.messageId) ?? ""}.${number(said.blockIndex) ?? 0}`;
}

function streamed(pass: Pass<RpcState>, said: Fields, channel: "text" | "reasoning"): void {
  begin(pass);
  stream(pass, block(said), channel, text(said.textDelta) ?? "");
}

function working(pass: Pass<RpcState>, said: Fields): void {
  const state = text(said.newState) ?? "";
  if (state !== "idle" && state !== "") pass.say({ kind: "activity", state });
}

/** A message in full: the echo of ours, which the agent has now, or the model's with all its blocks. */
function created(pass: Pass<RpcState>, said: Fields): void {
  const message = fields(said.message);
  if (message.visibility === "llm_only") return;
  if (message.role === "user") return taken(pass, text(said.requestId) ?? text(message.id) ?? "", message);
  if (message.role !== "assistant") return;
  list(message.content).forEach((entry, index) => {
    const content = fields(entry);
    const native = `${text(message.id) ?? ""}.${index}`;
    if (content.type === "text") whole(pass, native, "text", text(content.text) ?? "");
    if (content.type === "thinking") whole(pass, native, "reasoning", text(content.thinking) ?? "");
    if (content.type === "tool_use") called(pass, content);
  });
}

function taken(pass: Pass<RpcState>, id: string, message: Fields): void {
  const { state } = pass;
  if (id === state.explaining) return;
  const sent = own(state.sent, id);
  state.sent = without(state.sent, id);
  if (state.turn === "running") {
    if (sent?.message) pass.say({ kind: "taken", message: sent.message, inline: true });
    return;
  }
  state.message = sent?.message;
  if (sent) return begin(pass);
  // Without our own frames the echo is all that tells what the person said; results of tools are no such thing.
  const said = list(message.content).map(fields);
  if (said.some((entry) => entry.type === "text")) prompted(pass, blocksText(message.content) ?? "");
}

/** Messages that waited for their turn when the running one was stopped. */
function discarded(pass: Pass<RpcState>, said: Fields): void {
  const { state } = pass;
  const id = text(said.requestId) ?? "";
  if (id === state.explaining) state.explaining = undefined;
  const message = own(state.sent, id)?.message;
  state.sent = without(state.sent, id);
  if (message) pass.say({ kind: "dropped", message, reason: "the agent dropped it when its turn was stopped" });
}

const troubles: Record<string, [FailureCategory, string]> = {
  rate_limited: ["rate_limit", "The provider's rate limit is reached."],
  overloaded: ["overloaded", "The provider is overloaded."],
  timeout: ["timeout", "The provider did not answer in time."],
  network: ["network", "The provider cannot be reached."],
  empty_response: ["unknown", "The provider's answer was empty."],
};

function retrying(pass: Pass<RpcState>, said: Fields): void {
  begin(pass);
  const reason = text(said.reason) ?? "unknown";
  const [category, words] = own(troubles, reason) ?? ["unknown", `The request to the model failed: ${reason}.`];
  retry(pass, compact({ attempt: number(said.attempt), reason: words }), failure(category as FailureCategory, words));
}

/** What the model's last answer and all that it was given take up. */
function counted(pass: Pass<RpcState>, said: Fields): void {
  const { state } = pass;
  const last = fields(said.lastCallTokenUsage);
  const used = count(last.inputTokens) + count(last.cacheReadTokens) + count(last.outputTokens);
  if (used === 0 || used === state.used) return;
  state.used = used;
  pass.event("context.usage", compact({ used, size: state.size }));
}

function completed(pass: Pass<RpcState>, said: Fields): void {
  const { state } = pass;
  const tokens = tokensOf(said);
  const stopped = said.reason === "cancelled" || state.stopping;
  if (state.explaining && said.turnId !== state.explaining && !stopped) return spend(pass, tokens);
  const usage = addUsage(state.usage ?? noUsage, tokens);
  const more = compact({ usage, durationMs: number(said.durationMs) });
  const reason = text(said.reason) ?? "unknown";
  if (stopped) finish(pass, { outcome: "interrupted", ...more });
  else if (good.includes(reason) && !state.failure) finish(pass, { outcome: "completed", ...more });
  else fail(pass, failureOf(reason, state.failure), more);
  Object.assign(state, { stopping: false, asks: {}, explaining: undefined, children: {} });
}

/** Ends that are none of a failure: a person said no, or approved a plan that another session carries out. */
const good = ["completed", "permission_rejected", "spec_handoff"];

const reasons: Record<string, FailureCategory> = {
  model_usage_exhausted: "quota",
  model_authentication_failed: "auth",
  model_provider_unreachable: "network",
  model_provider_unavailable: "overloaded",
  model_rate_limited: "rate_limit",
  prompt_rejected: "refused",
};

/** The provider's words tell more than Droid's reason; where they tell nothing, that does. */
function failureOf(reason: string, told: Failure | undefined): Failure {
  const category = own(reasons, reason);
  if (!told) return failure(category ?? "unknown", `The turn ended: ${reason}.`);
  return told.category === "unknown" && category ? failure(category, told.message) : told;
}

/** Droid counts what its subagents took apart from its own. */
function tokensOf(said: Fields): Usage {
  return addUsage(readUsage(fields(said.tokenUsage), true), readUsage(fields(said.childTokenUsage), true));
}
