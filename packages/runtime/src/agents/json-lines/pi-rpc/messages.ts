import { count, type Fields, fields, fingerprint, list, nonBlank, number, own, text, without } from "../../fields.ts";
import { startTool, toolInput } from "../calls.ts";
import { blocksText } from "../reading/content.ts";
import { wordsFailure } from "../reading/failures.ts";
import { isUsed, readUsage } from "../reading/usage.ts";
import type { Pass } from "../talk.ts";
import { stream, textItem, whole } from "../texts.ts";
import { begin, prompted, ready, spend } from "../turns.ts";
import { modelId } from "./models.ts";
import type { PiState } from "./state.ts";

export function messageStarted(pass: Pass<PiState>, said: Fields): void {
  const message = fields(said.message);
  if (message.role === "user") return echoed(pass, blocksText(message.content) ?? "");
  if (message.role !== "assistant") return;
  begin(pass);
  Object.assign(pass.state, { current: pass.state.current + 1, calls: {}, spoken: [] });
}

/** The agent takes up a message of the user: ours, known by its words; or one that only the echo tells of. */
function echoed(pass: Pass<PiState>, words: string): void {
  const { state } = pass;
  const print = fingerprint(words);
  const found = Object.entries(state.sent).find(([, sent]) => sent.print === print);
  if (!found) return prompted(pass, words);
  const [id, { message }] = found;
  const inline = state.turn === "running" && state.worked;
  state.sent = without(state.sent, id);
  begin(pass);
  if (message) pass.say({ kind: "taken", message, inline });
}

/** A piece of the model's message. */
export function messageUpdated(pass: Pass<PiState>, said: Fields): void {
  const { state } = pass;
  const event = fields(said.assistantMessageEvent);
  const index = String(number(event.contentIndex) ?? 0);
  const delta = text(event.delta) ?? "";
  switch (event.type) {
    case "text_delta":
      return stream(pass, name(state, index), "text", delta);
    case "thinking_delta":
      return stream(pass, name(state, index), "reasoning", delta);
    case "text_end":
      return told(pass, index, "text", text(event.content) ?? "");
    case "thinking_end":
      return told(pass, index, "reasoning", text(event.content) ?? "");
    case "toolcall_start":
      state.calls = { ...state.calls, [index]: callId(event) };
      return;
    case "toolcall_delta":
      return toolInput(pass, own(state.calls, index) ?? callId(event), delta);
    default:
      return;
  }
}

/** Newer versions name the call; older ones have it in the message so far. */
function callId(event: Fields): string {
  const block = list(fields(event.partial).content)[number(event.contentIndex) ?? 0];
  return nonBlank(event.id) ?? nonBlank(fields(block).id) ?? "call";
}

/** A message in full: what was not streamed of it, what it cost, and why it ended. */
export function messageEnded(pass: Pass<PiState>, said: Fields): void {
  const { state } = pass;
  const message = fields(said.message);
  if (message.role !== "assistant") return;
  saved(pass);
  list(message.content).forEach((entry, index) => {
    const block = fields(entry);
    if (block.type === "text") told(pass, String(index), "text", text(block.text) ?? "");
    if (block.type === "thinking") told(pass, String(index), "reasoning", text(block.thinking) ?? "");
  });
  if (message.stopReason === "toolUse") {
    for (const { type, id, name: tool, arguments: input, intent } of list(message.content).map(fields)) {
      // Some have the model say in every call what it is for; that is no part of the input.
      const wanted = intent === undefined ? input : without(fields(input), "i");
      if (type === "toolCall") called(pass, text(id) ?? "", tool, wanted);
    }
  }
  state.model = modelId({ provider: message.provider, id: message.model }) ?? state.model;
  spent(pass, fields(message.usage));
  const { stopReason } = message;
  if (stopReason !== "error" && stopReason !== "aborted") filled(pass, fields(message.usage));
  state.stop = stopReason === "aborted" || stopReason === "length" ? stopReason : undefined;
  state.failure =
    stopReason === "error" ? wordsFailure(text(message.errorMessage) ?? "", number(message.errorStatus)) : undefined;
}

/** The conversation is on disk from its first answer on, whatever that was. */
function saved(pass: Pass<PiState>): void {
  const { unsaved } = pass.state;
  pass.state.unsaved = undefined;
  if (unsaved) ready(pass, { handle: unsaved });
}

/** How full the context is: all that the last request read and wrote is in the next one. */
function filled(pass: Pass<PiState>, tokens: Fields): void {
  const { input, output } = readUsage(tokens, true);
  const used = count(tokens.totalTokens) || input + output;
  const size = pass.state.window;
  if (used > 0 && size) pass.event("context.usage", { used, size });
}

/** What a request took: of the user's money, and of what the model can hold. */
export function spent(pass: Pass<PiState>, tokens: Fields): void {
  const usage = readUsage(tokens, true);
  if (!isUsed(usage)) return;
  spend(pass, usage);
  pass.state.cost = (pass.state.cost ?? 0) + (number(fields(tokens.cost).total) ?? 0);
}

/** A call of the model's, before it runs and again when it does: a question about it comes in between. */
export function called(pass: Pass<PiState>, native: string, name: unknown, input: unknown): void {
  const print = fingerprint(JSON.stringify(input ?? null));
  const known = own(pass.state.tools, native);
  if (known?.input === print) return;
  startTool(pass, native, { name: nonBlank(name) ?? "tool", input });
  const tool = own(pass.state.tools, native);
  if (tool) pass.state.tools = { ...pass.state.tools, [native]: { ...tool, input: print } };
}

function told(pass: Pass<PiState>, index: string, channel: "text" | "reasoning", content: string): void {
  const { state } = pass;
  const native = name(state, index);
  const item = textItem(pass, native, channel);
  whole(pass, native, channel, content);
  if (content !== "" && !state.spoken.includes(item)) state.spoken = [...state.spoken, item].slice(-10);
}

function name({ current }: PiState, index: string): string {
  return `m${current}.${index}`;
}
