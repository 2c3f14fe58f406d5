import {
  count,
  type Fields,
  fields,
  fingerprint,
  list,
  nonBlank,
  number,
  ownValue,
  text,
  withoutKey,
} from "../../fields.ts";
import { startTool, toolInput } from "../calls.ts";
import type { Pass } from "../pass.ts";
import { blocksText } from "../reading/content.ts";
import { textFailure } from "../reading/failures.ts";
import { isUsed, readUsage } from "../reading/usage.ts";
import { completeText, streamText, textItem } from "../texts.ts";
import { addTurnUsage, beginTurn, reportPrompt, reportReady } from "../turns.ts";
import { modelId } from "./models.ts";
import type { PiState } from "./state.ts";

export function messageStarted(pass: Pass<PiState>, line: Fields): void {
  const message = fields(line.message);
  if (message.role === "user") return handleEcho(pass, blocksText(message.content) ?? "");
  if (message.role !== "assistant") return;
  beginTurn(pass);
  Object.assign(pass.state, { current: pass.state.current + 1, calls: {}, spoken: [] });
}

/** Handles the echo of a user message: ours, matched by its text, or one known only from the echo. */
function handleEcho(pass: Pass<PiState>, prompt: string): void {
  const { state } = pass;
  const print = fingerprint(prompt);
  const found = Object.entries(state.sent).find(([, sent]) => sent.print === print);
  if (!found) return reportPrompt(pass, prompt);
  const [id, { message }] = found;
  const inline = state.turn === "running" && state.worked;
  state.sent = withoutKey(state.sent, id);
  beginTurn(pass);
  if (message) pass.emit({ kind: "taken", message, inline });
}

/** Handles a chunk of the model's message. */
export function messageUpdated(pass: Pass<PiState>, line: Fields): void {
  const { state } = pass;
  const event = fields(line.assistantMessageEvent);
  const index = String(number(event.contentIndex) ?? 0);
  const delta = text(event.delta) ?? "";
  switch (event.type) {
    case "text_delta":
      return streamText(pass, textName(state, index), "text", delta);
    case "thinking_delta":
      return streamText(pass, textName(state, index), "reasoning", delta);
    case "text_end":
      return completeBlock(pass, index, "text", text(event.content) ?? "");
    case "thinking_end":
      return completeBlock(pass, index, "reasoning", text(event.content) ?? "");
    case "toolcall_start":
      state.calls = { ...state.calls, [index]: callId(event) };
      return;
    case "toolcall_delta":
      return toolInput(pass, ownValue(state.calls, index) ?? callId(event), delta);
    default:
      return;
  }
}

/** Newer versions send the call id; older ones have it in the partial message. */
function callId(event: Fields): string {
  const block = list(fields(event.partial).content)[number(event.contentIndex) ?? 0];
  return nonBlank(event.id) ?? nonBlank(fields(block).id) ?? "call";
}

/** Handles a complete message: unstreamed text, usage and stop reason. */
export function messageEnded(pass: Pass<PiState>, line: Fields): void {
  const { state } = pass;
  const message = fields(line.message);
  if (message.role !== "assistant") return;
  confirmHandle(pass);
  list(message.content).forEach((entry, index) => {
    const block = fields(entry);
    if (block.type === "text") completeBlock(pass, String(index), "text", text(block.text) ?? "");
    if (block.type === "thinking") completeBlock(pass, String(index), "reasoning", text(block.thinking) ?? "");
  });
  if (message.stopReason === "toolUse") {
    for (const { type, id, name: tool, arguments: input, intent } of list(message.content).map(fields)) {
      // Some agents add an intent to every call; it is not part of the input.
      const wanted = intent === undefined ? input : withoutKey(fields(input), "i");
      if (type === "toolCall") startCall(pass, text(id) ?? "", tool, wanted);
    }
  }
  state.model = modelId({ provider: message.provider, id: message.model }) ?? state.model;
  addCost(pass, fields(message.usage));
  const { stopReason } = message;
  if (stopReason !== "error" && stopReason !== "aborted") publishContextUsage(pass, fields(message.usage));
  state.stop = stopReason === "aborted" || stopReason === "length" ? stopReason : undefined;
  state.failure =
    stopReason === "error" ? textFailure(text(message.errorMessage) ?? "", number(message.errorStatus)) : undefined;
}

/** The conversation is stored from its first response on. */
function confirmHandle(pass: Pass<PiState>): void {
  const { unsaved } = pass.state;
  pass.state.unsaved = undefined;
  if (unsaved) reportReady(pass, { handle: unsaved });
}

/** Context usage: input and output of the last request are part of the next one. */
function publishContextUsage(pass: Pass<PiState>, tokens: Fields): void {
  const { input, output } = readUsage(tokens, true);
  const used = count(tokens.totalTokens) || input + output;
  const size = pass.state.window;
  if (used > 0 && size) pass.event("context.usage", { used, size });
}

/** Adds the usage and cost of a request. */
export function addCost(pass: Pass<PiState>, tokens: Fields): void {
  const usage = readUsage(tokens, true);
  if (!isUsed(usage)) return;
  addTurnUsage(pass, usage);
  pass.state.cost = (pass.state.cost ?? 0) + (number(fields(tokens.cost).total) ?? 0);
}

/**
 * Starts a tool call. Agents report it before it runs and again when it does; a permission request may come in between.
 */
export function startCall(pass: Pass<PiState>, native: string, name: unknown, input: unknown): void {
  const print = fingerprint(JSON.stringify(input ?? null));
  const known = ownValue(pass.state.tools, native);
  if (known?.input === print) return;
  startTool(pass, native, { name: nonBlank(name) ?? "tool", input });
  const tool = ownValue(pass.state.tools, native);
  if (tool) pass.state.tools = { ...pass.state.tools, [native]: { ...tool, input: print } };
}

function completeBlock(pass: Pass<PiState>, index: string, channel: "text" | "reasoning", content: string): void {
  const { state } = pass;
  const native = textName(state, index);
  const item = textItem(pass, native, channel);
  completeText(pass, native, channel, content);
  if (content !== "" && !state.spoken.includes(item)) state.spoken = [...state.spoken, item].slice(-10);
}

function textName({ current }: PiState, index: string): string {
  return `m${current}.${index}`;
}
