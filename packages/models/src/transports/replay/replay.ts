import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolCall, ToolResultMessage } from "../../messages.ts";
import type { Model } from "../../model.ts";
import type { IdRule } from "./tool-ids.ts";

export type ReplayOptions = {
  ids: IdRule;
  /** The rule counts even for ids that the same model gave. */
  alwaysIds?: boolean;
};

const NO_PICTURE = "[An image was here; this model cannot see images.]";
const NO_RESULT = "No result: the call was not carried out to its end.";
const ABORTED = "Aborted: the call was not carried out.";

/**
 * A conversation as this model may hear it, whoever answered before: every call of an assistant is followed at once by
 * its result, once, under an id of its own that the provider accepts; thoughts of other models are plain text, and
 * nobody's signature goes to anybody else; nothing is empty.
 */
export function replay(messages: readonly Message[], model: Model, options: ReplayOptions): Message[] {
  const replayed: Message[] = [];
  const ids = new Ids(options);
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role !== "assistant") {
      const kept = message.role === "toolResult" ? asWords(message) : message;
      if (message.role !== "toolResult" || !claimed(messages, at)) replayed.push(seen(kept, model));
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
      replayed.push(seen(found ? { ...found, toolCallId: renamed.id } : missing(renamed, message), model));
    }
  }
  return replayed;
}

/** Text of content with its pictures told as words. */
export function textOf(content: string | readonly (TextBlock | ImageBlock)[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : NO_PICTURE)).join("\n");
}

/** Gives every call an id of its own, even where a provider used one twice. */
class Ids {
  readonly #options: ReplayOptions;
  readonly #used = new Set<string>();

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  next(id: string, own: boolean): string {
    const { ids, alwaysIds } = this.#options;
    const rule = own && !alwaysIds ? (same: string) => same : ids;
    const [call = ""] = id.split("|");
    let found = rule(id);
    // The part before the bar is what providers tell calls apart by.
    for (let again = 2; this.#used.has(found.split("|")[0] ?? ""); again++) found = ids(`${call}_${again}`);
    this.#used.add(found.split("|")[0] ?? "");
    return found;
  }
}

function assistantTurn(message: AssistantMessage, model: Model, ids: Ids): AssistantMessage {
  const broken = message.stopReason === "error" || message.stopReason === "aborted";
  const own = message.api === model.api && message.provider === model.provider && message.model === model.id;
  const content = message.content.flatMap((block): AssistantMessage["content"] => {
    if (block.type === "toolCall") {
      const { thoughtSignature, ...call } = block;
      const id = ids.next(block.id, own && !broken);
      return [{ ...call, id, ...(own && !broken && thoughtSignature ? { thoughtSignature } : {}) }];
    }
    if (block.type === "text") {
      if (block.text.trim() === "") return [];
      return own && !broken ? [block] : [{ type: "text", text: block.text }];
    }
    // A thought that was cut off has no valid signature, and no value as words either.
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

/** Has an assistant before it asked for this result, and is it the first answer? */
function claimed(messages: readonly Message[], at: number): boolean {
  const asker = messages.findLastIndex((message, index) => index < at && message.role === "assistant");
  const turn = messages[asker];
  const result = messages[at];
  if (turn?.role !== "assistant" || result?.role !== "toolResult") return false;
  const asked = calls(turn).filter((call) => call.id === result.toolCallId).length;
  const before = messages
    .slice(asker + 1, at)
    .filter((message) => message.role === "toolResult" && message.toolCallId === result.toolCallId).length;
  return before < asked;
}

function missing(call: ToolCall, message: AssistantMessage): ToolResultMessage {
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

/** A result that nobody asked for would be refused; what it says may still matter. */
function asWords(message: ToolResultMessage): Message {
  const text: TextBlock = { type: "text", text: `Result of ${message.toolName}:` };
  return { role: "user", content: [text, ...message.content], timestamp: message.timestamp };
}

function seen(message: Message, model: Model): Message {
  if (message.role === "assistant" || message.role === "developer") return message;
  if (typeof message.content === "string" || model.input.includes("image")) return message;
  let told = false;
  const content = message.content.flatMap((block): TextBlock[] => {
    if (block.type === "text") return [block];
    if (told) return [];
    told = true;
    return [{ type: "text", text: NO_PICTURE }];
  });
  return { ...message, content };
}
