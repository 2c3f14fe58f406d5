import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolCall, ToolResultMessage } from "../../messages.ts";
import type { Model } from "../../model.ts";
import type { IdRule } from "./tool-ids.ts";

export type ReplayOptions = {
  ids: IdRule;
  /** Apply the rule also to ids that came from the same model. */
  alwaysIds?: boolean;
};

const NO_IMAGE = "[An image was here; this model does not support images.]";
const NO_RESULT = "No result: the call did not finish.";
const ABORTED = "Aborted: the call did not finish.";

/**
 * Adapts a conversation to this model, whichever models produced it: every tool call is followed directly by exactly one
 * result, with a unique id that the provider accepts. Thinking of other models becomes plain text, signatures are sent
 * only to the model that created them, and empty messages are dropped.
 */
export function replay(messages: readonly Message[], model: Model, options: ReplayOptions): Message[] {
  const replayed: Message[] = [];
  const ids = new CallIds(options);
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role !== "assistant") {
      const adapted = message.role === "toolResult" ? resultAsUserMessage(message) : message;
      if (message.role !== "toolResult" || !isFirstResult(messages, at)) replayed.push(replaceImages(adapted, model));
      continue;
    }
    const turn = assistantTurn(message, model, ids);
    const results = resultsOf(messages, at);
    if (turn.content.length > 0) replayed.push(turn);
    for (const [index, call] of calls(message).entries()) {
      const renamed = calls(turn)[index];
      if (!renamed) continue;
      const found = results.find((result) => result.toolCallId === call.id);
      if (found) results.splice(results.indexOf(found), 1);
      replayed.push(
        replaceImages(found ? { ...found, toolCallId: renamed.id } : missingResult(renamed, message), model),
      );
    }
  }
  return replayed;
}

/** The text of content, with images replaced by a note. */
export function textOf(content: string | readonly (TextBlock | ImageBlock)[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : NO_IMAGE)).join("\n");
}

/** Assigns unique ids to calls, even if a provider used an id twice. */
class CallIds {
  readonly #options: ReplayOptions;
  readonly #used = new Set<string>();

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  nextId(id: string, own: boolean): string {
    const { ids, alwaysIds } = this.#options;
    const rule = own && !alwaysIds ? (same: string) => same : ids;
    const [call = ""] = id.split("|");
    let found = rule(id);
    // Providers distinguish calls by the part before the bar.
    for (let again = 2; this.#used.has(found.split("|")[0] ?? ""); again++) found = ids(`${call}_${again}`);
    this.#used.add(found.split("|")[0] ?? "");
    return found;
  }
}

function assistantTurn(message: AssistantMessage, model: Model, ids: CallIds): AssistantMessage {
  const broken = message.stopReason === "error" || message.stopReason === "aborted";
  const own = message.api === model.api && message.provider === model.provider && message.model === model.id;
  const content = message.content.flatMap((block): AssistantMessage["content"] => {
    if (block.type === "toolCall") {
      const { thoughtSignature, ...call } = block;
      const id = ids.nextId(block.id, own && !broken);
      return [{ ...call, id, ...(own && !broken && thoughtSignature ? { thoughtSignature } : {}) }];
    }
    if (block.type === "text") {
      if (block.text.trim() === "") return [];
      return own && !broken ? [block] : [{ type: "text", text: block.text }];
    }
    // Interrupted thinking has no valid signature and is not useful as text.
    if (broken) return [];
    if (own) return block.thinking.trim() === "" && !block.thinkingSignature ? [] : [block];
    return block.redacted || block.thinking.trim() === "" ? [] : [{ type: "text", text: block.thinking }];
  });
  return { ...message, content };
}

function calls(message: AssistantMessage): ToolCall[] {
  return message.content.filter((block) => block.type === "toolCall");
}

/** The results between an assistant's message and the next one. */
function resultsOf(messages: readonly Message[], at: number): ToolResultMessage[] {
  const next = messages.findIndex((message, index) => index > at && message.role === "assistant");
  return messages.slice(at + 1, next < 0 ? undefined : next).filter((message) => message.role === "toolResult");
}

/** Whether this is the first result for a call of the preceding assistant message. */
function isFirstResult(messages: readonly Message[], at: number): boolean {
  const caller = messages.findLastIndex((message, index) => index < at && message.role === "assistant");
  const turn = messages[caller];
  const result = messages[at];
  if (turn?.role !== "assistant" || result?.role !== "toolResult") return false;
  const callCount = calls(turn).filter((call) => call.id === result.toolCallId).length;
  const before = messages
    .slice(caller + 1, at)
    .filter((message) => message.role === "toolResult" && message.toolCallId === result.toolCallId).length;
  return before < callCount;
}

function missingResult(call: ToolCall, message: AssistantMessage): ToolResultMessage {
  const text = message.stopReason === "aborted" ? ABORTED : NO_RESULT;
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text }],
    isError: true,
    timestamp: message.timestamp,
  };
}

/** Providers reject a result without a call, so its content is sent as a user message. */
function resultAsUserMessage(message: ToolResultMessage): Message {
  const text: TextBlock = { type: "text", text: `Result of ${message.toolName}:` };
  return { role: "user", content: [text, ...message.content], timestamp: message.timestamp };
}

function replaceImages(message: Message, model: Model): Message {
  if (message.role === "assistant" || message.role === "developer") return message;
  if (typeof message.content === "string" || model.input.includes("image")) return message;
  let replaced = false;
  const content = message.content.flatMap((block): TextBlock[] => {
    if (block.type === "text") return [block];
    if (replaced) return [];
    replaced = true;
    return [{ type: "text", text: NO_IMAGE }];
  });
  return { ...message, content };
}
