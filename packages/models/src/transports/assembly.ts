import type { AssistantMessage, ProviderFailure, StopReason, TextBlock, ThinkingBlock, ToolCall } from "../messages.ts";
import type { Model, ThinkingLevel } from "../model.ts";
import type { StreamEvent, ToolSpec } from "../stream.ts";
import { parseArguments } from "./partial-json.ts";
import { withoutNulls } from "./schema/strict.ts";
import { type Tokens, usageOf } from "./usage.ts";

type Block = (TextBlock | ThinkingBlock | ToolCall) & { closed: boolean; json: string };
type Extra = { textSignature?: string; thinkingSignature?: string; redacted?: boolean; thoughtSignature?: string };

/** The provider's stop reason, as interpreted by the reader. */
export type Ending = "stop" | "length" | "toolUse" | "refused" | "unknown";

/**
 * Assembles a response from the fragments that a reader reports. The reader chooses a name (`slot`) for each block; the
 * assembly emits the events and finally the message. For any order of calls, the events keep their contract: a block
 * starts before its deltas, ends once, and the last event is one `done` or `error`.
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

  /** The provider has reported a stop reason or a failure. */
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

  /** A fragment of a tool call's arguments. The first id and name are used. */
  call(slot: string, piece: { id?: string; name?: string; delta?: string }): void {
    const index = this.#open(slot, "toolCall", piece);
    const block = this.#blocks[index];
    if (block?.type !== "toolCall" || block.closed || !piece.delta) return;
    block.json += piece.delta;
    this.#events.push({ type: "toolcall_delta", index, delta: piece.delta });
  }

  /** The JSON text of a call's arguments so far. */
  argumentsText(slot: string): string {
    return this.#blocks[this.#slots.get(slot) ?? -1]?.json ?? "";
  }

  /** Adds fields other than content to a block, such as signatures. */
  mark(slot: string, extra: Extra): void {
    const block = this.#blocks[this.#slots.get(slot) ?? -1];
    if (block) Object.assign(block, extra);
  }

  has(slot: string): boolean {
    return this.#slots.has(slot);
  }

  /** Ends a block. A later fragment for the same slot starts a new block. */
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

  /** Keeps the first failure. */
  fail(failure: ProviderFailure): void {
    this.#failure ??= failure;
  }

  take(): StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Ends open blocks and returns the remaining events, with `done` or `error` last. */
  finish(): StreamEvent[] {
    this.closeAll();
    const failure = this.#failure ?? this.#endingFailure();
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
      const invalid = parsed.invalid ?? (block.name === "" ? "The call has no tool name." : undefined);
      this.#events.push({
        type: "toolcall_end",
        index,
        toolCall: publicBlock(block) as ToolCall,
        ...(invalid && { invalid }),
      });
    }
  }

  #endingFailure(): ProviderFailure | undefined {
    const { input, cacheRead, cacheWrite } = this.#tokens;
    const prompt = input + cacheRead + cacheWrite;
    const calls = this.#blocks.some((block) => block.type === "toolCall");
    if (this.#ending === undefined) {
      return { category: "network", message: "The stream ended before the response was complete." };
    }
    if (this.#ending === "refused") {
      return { category: "refused", message: `The model refused to answer${this.#raw ? ` (${this.#raw})` : ""}.` };
    }
    // Some servers silently truncate a prompt that is too long.
    if (!calls && this.#model.contextWindow > 0 && prompt > this.#model.contextWindow) {
      const message = `The prompt has ${prompt} tokens; the model accepts ${this.#model.contextWindow}.`;
      return { category: "overflow", message };
    }
    if (this.#ending === "unknown" && this.#blocks.length === 0) {
      return { category: "unknown", message: `The response is empty (stop reason "${this.#raw ?? ""}").` };
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
      content: this.#blocks.map(publicBlock),
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

function publicBlock(block: Block): TextBlock | ThinkingBlock | ToolCall {
  const { closed: _closed, json: _json, ...rest } = block;
  return rest;
}
