import type { HistoryEntry } from "../../contract.ts";
import { compact, count, type Fields, fields, list, nonBlank, number, ownValue, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import { HistoryDecoder, recordPrompt } from "../../json-lines/history-decoder.ts";
import type { DecoderState, Pass } from "../../json-lines/pass.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { readPlan } from "../../json-lines/reading/plan.ts";
import { completeText, nextText } from "../../json-lines/texts.ts";
import { addTurnUsage, beginTurn, failTurn, finishTurn } from "../../json-lines/turns.ts";
import { readUsage } from "../wire/usage.ts";
import { callEnd, callOf, itemEnd } from "./calls.ts";
import { isAside, messageText, picturesOf } from "./prompts.ts";

/** A user message in the model's input, until it is known whether the log repeats it. */
type CodexHistoryState = DecoderState & {
  waiting?: { text: string; content: unknown };
  recorded?: string;
  /** A model message, until it is known that it is not a compaction summary. */
  held?: { id: string; text: string };
};

const QUIET_ITEMS = [
  "AgentMessage",
  "Reasoning",
  "Plan",
  "HookPrompt",
  "EnteredReviewMode",
  "ExitedReviewMode",
  "Sleep",
];
const QUIET_EVENTS =
  /^(agent_message|agent_reasoning.*|thread_settings_applied|token_count|exec_command_(begin|end)|patch_apply_(begin|end)|mcp_tool_call_(begin|end)|item_started|thread_name_updated|turn_diff|context_compacted|thread_goal_.*|collab_.*|web_search_(begin|end)|view_image_tool_call|raw_response_item|thread_rolled_back|sub_agent_.*|image_generation_(begin|end)|entered_review_mode|exited_review_mode|dynamic_tool_call_.*)$/;
const QUIET_LINES = ["session_meta", "world_state", "session_state", "rollout_reference"];

/** Reads a stored conversation: the model's input and output (`response_item`) and the turn events (`event_msg`). */
export class CodexReader {
  readonly #decoder: HistoryDecoder<CodexHistoryState>;
  /** Newer versions have a separate usage line, older ones only sums. */
  #recorded = false;

  constructor(conversation: string) {
    this.#decoder = new HistoryDecoder<CodexHistoryState>(conversation, {});
  }

  line(value: unknown): void {
    const { type, timestamp, payload } = fields(value);
    const item = fields(payload);
    const counts = type === "token_usage_record" || item.type === "token_count";
    if (type === "compacted") this.#decoder.state.held = undefined;
    else if (!counts) this.#decoder.take(answer);
    this.#decoder.recorder.time(timestamp);
    this.#decoder.take((pass) => {
      if (type === "response_item") return this.#response(pass, item);
      if (type === "event_msg") return this.#event(pass, item);
      if (type === "turn_context") {
        pass.state.model = nonBlank(item.model) ?? pass.state.model;
        return;
      }
      if (type === "compacted") return pass.event("context.compacted", { inferred: false });
      if (type === "token_usage_record") {
        this.#recorded = true;
        return addTurnUsage(pass, readUsage(fields(item.usage)));
      }
      if (!QUIET_LINES.includes(text(type) ?? "")) pass.raw(value, "unknown line");
    });
  }

  finish(): void {
    this.#decoder.take(answer);
    this.#decoder.take(flushPrompt);
  }

  takeEntries(): HistoryEntry[] {
    return this.#decoder.takeEntries();
  }

  #response(pass: Pass<CodexHistoryState>, item: Fields): void {
    switch (item.type) {
      case "message":
        return message(pass, item);
      case "reasoning": {
        flushPrompt(pass);
        const thought = messageText(item.summary) || messageText(item.content);
        return completeText(pass, nonBlank(item.id) ?? nextText(pass), "reasoning", thought);
      }
      case "function_call":
      case "custom_tool_call":
      case "local_shell_call":
      case "web_search_call":
        return startCall(pass, item);
      case "function_call_output":
      case "custom_tool_call_output":
        return endCall(pass, item);
      case "compaction":
      case "compaction_summary":
      case "context_compaction":
      case "ghost_snapshot":
        return;
      default:
        return pass.raw(item, "unknown item");
    }
  }

  #event(pass: Pass<CodexHistoryState>, event: Fields): void {
    switch (event.type) {
      case "task_started":
      case "turn_started":
        return;
      case "user_message":
        return recordUserMessage(pass, text(event.message) ?? "", event.images ? pictures(event.images) : undefined);
      case "item_completed":
        return completeItem(pass, fields(event.item));
      case "task_complete":
      case "turn_complete":
        return endTurn(pass, event);
      case "turn_aborted":
        return interruptTurn(pass);
      case "error":
        pass.state.failure = textFailure(text(event.message) ?? "");
        return;
      case "warning":
        return pass.notice("agent", "warning", text(event.message) ?? "A warning.");
      case "plan_update":
        return pass.event("plan.updated", { entries: readPlan(event) ?? [] });
      case "token_count":
        if (!this.#recorded) addTurnUsage(pass, readUsage(fields(fields(event.info).last_token_usage)));
        return recordUsage(pass, fields(event.info));
      default:
        if (!QUIET_EVENTS.test(text(event.type) ?? "")) pass.raw(event, "unknown event");
    }
  }
}

/** Model input in the user's name may come from the program; an event repeats the user's messages. */
function message(pass: Pass<CodexHistoryState>, item: Fields): void {
  if (item.role === "assistant") {
    flushPrompt(pass);
    pass.state.held = { id: nonBlank(item.id) ?? nextText(pass), text: messageText(item.content) };
    return;
  }
  const text = messageText(item.content);
  if (item.role !== "user" || isAside(text)) return;
  flushPrompt(pass);
  if (pass.state.recorded === text) pass.state.recorded = undefined;
  else pass.state.waiting = { text, content: item.content };
}

/** Publishes a model message. */
function answer(pass: Pass<CodexHistoryState>): void {
  const { held } = pass.state;
  pass.state.held = undefined;
  if (!held) return;
  beginTurn(pass);
  completeText(pass, held.id, "text", held.text);
}

/** Versions without the event have the prompt only in the model's input. */
function flushPrompt(pass: Pass<CodexHistoryState>): void {
  const { waiting } = pass.state;
  pass.state.waiting = undefined;
  pass.state.recorded = undefined;
  if (waiting) recordPrompt(pass, waiting.text, picturesOf(waiting.content));
}

function recordUserMessage(
  pass: Pass<CodexHistoryState>,
  prompt: string,
  attached = picturesOf(pass.state.waiting?.content),
): void {
  const known = pass.state.waiting !== undefined;
  pass.state.waiting = undefined;
  recordPrompt(pass, prompt, attached);
  // In some versions the event precedes the item.
  pass.state.recorded = known ? undefined : prompt;
}

function pictures(images: unknown) {
  return picturesOf(list(images).map((image_url) => ({ image_url })));
}

function startCall(pass: Pass<CodexHistoryState>, item: Fields): void {
  flushPrompt(pass);
  beginTurn(pass);
  const native = nonBlank(item.call_id) ?? nonBlank(item.id) ?? nextText(pass);
  startTool(pass, native, callOf(item));
  if (item.type === "web_search_call") endTool(pass, native, { status: "ok" });
}

function endCall(pass: Pass<CodexHistoryState>, item: Fields): void {
  const native = nonBlank(item.call_id) ?? "";
  const tool = ownValue(pass.state.tools, native);
  if (tool) endTool(pass, native, callEnd(tool.kind, item.output));
}

/** Handles a completed item, with exit code, changes and approval. */
function completeItem(pass: Pass<CodexHistoryState>, item: Fields): void {
  if (item.type === "UserMessage") return recordUserMessage(pass, messageText(item.content));
  if (QUIET_ITEMS.includes(text(item.type) ?? "")) return;
  if (item.type === "ContextCompaction") return;
  const native = nonBlank(item.id) ?? "";
  if (ownValue(pass.state.tools, native)) return endTool(pass, native, itemEnd(item));
  if (ownValue(pass.state.tools, native) === undefined && item.type === "CommandExecution") return;
}

function endTurn(pass: Pass<CodexHistoryState>, event: Fields): void {
  flushPrompt(pass);
  const durationMs = number(event.duration_ms);
  const error = nonBlank(fields(event.error).message);
  const failure = error ? textFailure(error, status(fields(event.error))) : pass.state.failure;
  if (failure) return failTurn(pass, failure, compact({ durationMs }));
  finishTurn(pass, compact({ outcome: "completed", durationMs } as const));
}

function status(error: Fields): number | undefined {
  const [detail] = Object.values(fields(error.codex_error_info)).map(fields);
  return number(detail?.http_status_code);
}

function interruptTurn(pass: Pass<CodexHistoryState>): void {
  flushPrompt(pass);
  if (pass.state.turn === "running") finishTurn(pass, { outcome: "interrupted" });
}

function recordUsage(pass: Pass<CodexHistoryState>, info: Fields): void {
  const used = count(fields(info.last_token_usage).total_tokens);
  const size = number(info.model_context_window);
  if (used > 0) pass.event("context.usage", compact({ used, size: size && count(size), origin: "agent" }));
}
