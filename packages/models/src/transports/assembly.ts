import type { AssistantMessage, ProviderFailure, StopReason, TextBlock, ThinkingBlock, ToolCall } from "../messages.ts";
import type { Model, ThinkingLevel } from "../model.ts";
import type { StreamEvent, ToolSpec } from "../stream.ts";
import { parseArguments } from "./partial-json.ts";
import { withoutNulls } from "./schema/strict.ts";
import { type Tokens, usageOf } from "./usage.ts";

type Block = (TextBlock | ThinkingBlock | ToolCall) & { closed: boolean; json: string };
type Extra = { textSignature?: string; thinkingSignature?: string; redacted?: boolean; thoughtSignature?: string };

/** How an answer ended, as its reader understood the provider's word. */
export type Ending = "stop" | "length" | "toolUse" | "refused" | "unknown";

/**
 * An answer while it comes in. Readers tell it pieces under names of their own for the blocks (`slot`); it makes the
 * events and, at the end, the message. Whatever the order of calls, the events keep their contract: a block starts
 * before its deltas, ends once, and the last event is one `done` or `error`.
 */
export class Assembly {
  readonly #model: Model;
  readonly #level: ThinkingLevel;
  readonly #tools: readonly ToolSpec[];
  readonly #now: () => number;
  readonly #began: number;
  readonly #blocks: Block[] = [];
  readonly #slots = new Map<string, number>();
  #events: StreamEvent[] = [];
  #tokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  #ending: Ending | undefined;
  #raw: string | undefined;
  #failure: ProviderFailure | undefined;
  #first: number | undefined;
  responseId: string | undefined;

  constructor(model: Model, level: ThinkingLevel, tools: readonly ToolSpec[] = [], now: () => number = Date.now) {
    this.#model = model;
    this.#level = level;
    this.#tools = tools;
    this.#now = now;
    this.#began = now();
  }

  /** The provider has said how the answer ended, or why there is none. */
  get settled(): boolean {
    return this.#ending !== undefined || this.#failure !== undefined;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  text(slot: string, delta: string): void {
    const index = this.#open(slot, "text");
    const block = this.#blocks[index];
    if (block?.type !== "text" || block.closed || delta === "") return;
    block.text += delta;
    this.#events.push({ type: "text_delta", index, delta });
  }

  thinking(slot: string, delta: string): void {
    const index = this.#open(slot, "thinking");
    const block = this.#blocks[index];
    if (block?.type !== "thinking" || block.closed || delta === "") return;
    block.thinking += delta;
    this.#events.push({ type: "thinking_delta", index, delta });
  }

  /** A piece of a tool call's arguments. Id and name count when they first come; a call without a name waits for it. */
  call(slot: string, piece: { id?: string; name?: string; delta?: string }): void {
    const index = this.#open(slot, "toolCall", piece);
    const block = this.#blocks[index];
    if (block?.type !== "toolCall" || block.closed || !piece.delta) return;
    block.json += piece.delta;
    this.#events.push({ type: "toolcall_delta", index, delta: piece.delta });
  }

  /** The arguments of a call so far, as text. */
  argumentsText(slot: string): string {
    return this.#blocks[this.#slots.get(slot) ?? -1]?.json ?? "";
  }

  /** What belongs to a block but is no piece of it. */
  mark(slot: string, extra: Extra): void {
    const block = this.#blocks[this.#slots.get(slot) ?? -1];
    if (block) Object.assign(block, extra);
  }

  has(slot: string): boolean {
    return this.#slots.has(slot);
  }

  /** Ends a block; a later piece under the same name begins another. */
  close(slot: string): void {
    const index = this.#slots.get(slot);
    if (index === undefined) return;
    this.#slots.delete(slot);
    this.#end(index);
  }

  closeAll(): void {
    for (const slot of [...this.#slots.keys()]) this.close(slot);
  }

  tokens(tokens: Partial<Tokens>): void {
    this.#tokens = { ...this.#tokens, ...tokens };
  }

  end(ending: Ending, raw?: string): void {
    this.#ending = ending;
    this.#raw = raw ?? this.#raw;
  }

  /** The first failure counts. */
  fail(failure: ProviderFailure): void {
    this.#failure ??= failure;
  }

  take(): StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Ends everything that is open and gives the last events, `done` or `error` at the end. */
  finish(): StreamEvent[] {
    this.closeAll();
    const failure = this.#failure ?? this.#failureOfEnding();
    const message = this.#message(failure);
    this.#events.push({ type: failure ? "error" : "done", message });
    return this.take();
  }

  #open(slot: string, type: Block["type"], call: { id?: string; name?: string } = {}): number {
    const known = this.#slots.get(slot);
    if (known !== undefined && this.#blocks[known]?.type === type) return known;
    if (known !== undefined) this.close(slot);
    this.#first ??= this.#now();
    const index = this.#blocks.length;
    this.#slots.set(slot, index);
    const state = { closed: false, json: "" };
    if (type === "text") {
      this.#blocks.push({ type, text: "", ...state });
      this.#events.push({ type: "text_start", index });
    } else if (type === "thinking") {
      this.#blocks.push({ type, thinking: "", ...state });
      this.#events.push({ type: "thinking_start", index });
    } else {
      const id = call.id || `call_${index}_${this.#began.toString(36)}`;
      const name = call.name ?? "";
      this.#blocks.push({ type, id, name, arguments: {}, ...state });
      this.#events.push({ type: "toolcall_start", index, id, name });
    }
    return index;
  }

  #end(index: number): void {
    const block = this.#blocks[index];
    if (!block || block.closed) return;
    block.closed = true;
    if (block.type === "text") this.#events.push({ type: "text_end", index, text: block.text });
    else if (block.type === "thinking") {
      this.#events.push({ type: "thinking_end", index, thinking: block.thinking });
    } else {
      const parsed = parseArguments(block.json);
      const tool = this.#tools.find(({ name }) => name === block.name);
      block.arguments = tool ? withoutNulls(parsed.arguments, tool.parameters) : parsed.arguments;
      const invalid = parsed.invalid ?? (block.name === "" ? "The call names no tool." : undefined);
      this.#events.push({
        type: "toolcall_end",
        index,
        toolCall: plain(block) as ToolCall,
        ...(invalid && { invalid }),
      });
    }
  }

  #failureOfEnding(): ProviderFailure | undefined {
    const { input, cacheRead, cacheWrite } = this.#tokens;
    const prompt = input + cacheRead + cacheWrite;
    const calls = this.#blocks.some((block) => block.type === "toolCall");
    if (this.#ending === undefined) {
      return { category: "network", message: "The stream ended before the answer was complete." };
    }
    if (this.#ending === "refused") {
      return { category: "refused", message: `The model refused to answer${this.#raw ? ` (${this.#raw})` : ""}.` };
    }
    // Some servers cut a prompt that is too long without a word and answer what is left of it.
    if (!calls && this.#model.contextWindow > 0 && prompt > this.#model.contextWindow) {
      const message = `The prompt has ${prompt} tokens, the model takes ${this.#model.contextWindow}.`;
      return { category: "overflow", message };
    }
    if (this.#ending === "unknown" && this.#blocks.length === 0) {
      return { category: "unknown", message: `The answer ended with "${this.#raw ?? ""}" and nothing in it.` };
    }
    return undefined;
  }

  #stopReason(failure: ProviderFailure | undefined): StopReason {
    if (failure) return failure.category === "aborted" ? "aborted" : "error";
    if (this.#ending === "length") return "length";
    return this.#blocks.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
  }

  #message(failure: ProviderFailure | undefined): AssistantMessage {
    const { api, provider, id } = this.#model;
    return {
      role: "assistant",
      content: this.#blocks.map(plain),
      api,
      provider,
      model: id,
      ...(this.responseId ? { responseId: this.responseId } : {}),
      usage: usageOf(this.#tokens, this.#model.cost),
      stopReason: this.#stopReason(failure),
      ...(this.#raw ? { rawStopReason: this.#raw } : {}),
      ...(failure ? { errorMessage: failure.message, failure } : {}),
      thinkingLevel: this.#level,
      timestamp: this.#began,
      durationMs: this.#now() - this.#began,
      ...(this.#first === undefined ? {} : { ttft: this.#first - this.#began }),
    };
  }
}

function plain(block: Block): TextBlock | ThinkingBlock | ToolCall {
  const { closed: _closed, json: _json, ...rest } = block;
  return rest;
}
