import { endTool, startTool, toolOutput } from "../../../json-lines/calls.ts";
import { wordsFailure } from "../../../json-lines/reading/failures.ts";
import {
  compact,
  contentText,
  type Fields,
  fields,
  list,
  number,
  own,
  text,
  without,
  words,
} from "../../../json-lines/reading/fields.ts";
import { readUsage } from "../../../json-lines/reading/usage.ts";
import type { Pass } from "../../../json-lines/talk.ts";
import { closeText, stream, whole } from "../../../json-lines/texts.ts";
import { begin, fail, finish, prompted, ready } from "../../../json-lines/turns.ts";
import { settled } from "./asks.ts";
import type { RpcState } from "./state.ts";

/** Notifications that are understood and say nothing that the log needs, with the reason. */
const quiet: Record<string, string> = {
  mcp_status_changed: "about servers that Droid's own configuration names",
  session_token_usage_changed: "the turn's own sum comes with its end",
  session_title_updated: "sessions have titles of their own here",
  tool_execution_phase_changed: "told by the call and its result",
};

type Reader = (pass: Pass<RpcState>, said: Fields) => void;

const readers: Record<string, Reader> = {
  // Before the session is open, its opening tells the same.
  settings_updated: (pass, said) => {
    if (pass.state.ready) ready(pass, compact({ model: words(fields(said.settings).modelId) }));
  },
  droid_working_state_changed: working,
  create_message: created,
  assistant_text_delta: (pass, said) => stream(pass, block(said), "text", text(said.textDelta) ?? ""),
  thinking_text_delta: (pass, said) => stream(pass, block(said), "reasoning", text(said.textDelta) ?? ""),
  assistant_text_complete: (pass, said) => closeText(pass, block(said), "text"),
  thinking_text_complete: (pass, said) => closeText(pass, block(said), "reasoning"),
  tool_call: (pass, said) => called(pass, fields(said.toolUse)),
  tool_progress_update: (pass, said) =>
    toolOutput(pass, text(said.toolUseId) ?? "", text(fields(said.update).text) ?? ""),
  tool_result: (pass, said) =>
    endTool(
      pass,
      text(said.toolUseId) ?? "",
      compact({ status: said.isError === true ? "error" : "ok", output: contentText(said.content) } as const),
    ),
  permission_resolved: (pass, said) => settled(pass, text(said.requestId) ?? ""),
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

/** Texts of a message are known by their place in it. */
function block(said: Fields): string {
  return `${text(said.messageId) ?? ""}.${number(said.blockIndex) ?? 0}`;
}

function working(pass: Pass<RpcState>, said: Fields): void {
  const state = text(said.newState) ?? "";
  if (state !== "idle" && state !== "") pass.say({ kind: "activity", state });
}

/** A message in full: the echo of ours, which the agent has now, or the model's with all its blocks. */
function created(pass: Pass<RpcState>, said: Fields): void {
  const message = fields(said.message);
  if (message.visibility === "llm_only") return;
  if (message.role === "user") return taken(pass, text(said.requestId) ?? "", message);
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
  const sent = own(state.sent, id);
  state.sent = without(state.sent, id);
  state.message = sent?.message;
  if (sent || state.turn === "running") return begin(pass);
  // Without our own frames the echo is all that tells what the person said; results of tools are no such thing.
  const said = list(message.content).map(fields);
  if (said.some((entry) => entry.type === "text")) prompted(pass, contentText(message.content) ?? "");
}

/** Announced first without an input, and then, at most twice, with it. */
function called(pass: Pass<RpcState>, use: Fields): void {
  const native = text(use.id) ?? "";
  const empty = Object.keys(fields(use.input)).length === 0;
  const known = own(pass.state.tools, native);
  if (known && (empty || known.told)) return;
  if (!native) return;
  startTool(pass, native, { name: words(use.name) ?? "tool", input: use.input });
  const tool = own(pass.state.tools, native);
  if (tool && !empty) pass.state.tools = { ...pass.state.tools, [native]: { ...tool, told: true } };
}

function completed(pass: Pass<RpcState>, said: Fields): void {
  const { state } = pass;
  const more = compact({
    usage: said.tokenUsage === undefined ? undefined : readUsage(fields(said.tokenUsage), true),
    durationMs: number(said.durationMs),
  });
  const stopped = said.reason === "cancelled" || state.stopping;
  if (stopped) finish(pass, { outcome: "interrupted", ...more });
  else if (said.reason === "completed" && !state.failure) finish(pass, { outcome: "completed", ...more });
  else fail(pass, state.failure ?? wordsFailure(`The turn ended: ${text(said.reason) ?? "unknown"}.`), more);
  Object.assign(state, { stopping: false, asks: {} });
}
