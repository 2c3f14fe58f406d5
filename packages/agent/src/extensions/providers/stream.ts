import type { AssistantMessage, Model, ModelRequest, ProviderFailure, StreamEvent } from "@gantry/models";
import { errorText } from "../../contract/errors.ts";
import { blankAnswer } from "../../session/drive/ask-model.ts";
import { isRecord } from "../api/extension-tool.ts";
import type { ExtensionProvider, StreamPiece } from "../api/types.ts";

const IDLE_MS = 120_000;

/** Converts what a provider's stream function yields into the events of a request. Never throws. */
export async function* streamFrom(
  provide: NonNullable<ExtensionProvider["stream"]>,
  model: Model,
  request: ModelRequest,
): AsyncGenerator<StreamEvent> {
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const assembly = new Assembly(blankAnswer(model, request.thinking));
  yield { type: "start" };
  try {
    const { system, messages, tools, credential } = request;
    const body = { system, messages, tools };
    const sealed = (request.seal?.(body) ?? body) as typeof body;
    const key = credential.kind === "key" ? credential.key : credential.kind === "oauth" ? credential.token : undefined;
    const pieces = provide({ ...sealed, model: model.id, key, signal })[Symbol.asyncIterator]();
    for (;;) {
      const next = await withIdleLimit(pieces.next(), signal, request.idleMs ?? IDLE_MS);
      if (next.done) break;
      yield* assembly.add(next.value);
    }
    yield* assembly.closeBlock();
    yield { type: "done", message: assembly.message(model) };
  } catch (error) {
    const aborted = request.signal.aborted;
    const failure: ProviderFailure = aborted
      ? { category: "aborted", message: "Aborted." }
      : { category: "unknown", message: `The provider ${model.provider} failed: ${errorText(error)}` };
    const partial = assembly.message(model);
    const stopReason = aborted ? "aborted" : "error";
    yield { type: "error", message: { ...partial, stopReason, errorMessage: failure.message, failure } };
  } finally {
    stop.abort();
  }
}

/** Rejects when the request is aborted or nothing comes for too long. */
async function withIdleLimit<Value>(next: Promise<Value>, signal: AbortSignal, idleMs: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`nothing came for ${idleMs / 1000} s.`)), idleMs);
  const onAbort = () => reject(new Error("Aborted."));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([next, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

type TextPiece = { type: "text" | "thinking"; text: string };

class Assembly {
  readonly #blank: AssistantMessage;
  readonly #content: AssistantMessage["content"] = [];
  #open: TextPiece | undefined;
  #calls = 0;
  #tokens = { input: 0, output: 0 };

  constructor(blank: AssistantMessage) {
    this.#blank = blank;
  }

  *add(piece: StreamPiece): Generator<StreamEvent> {
    if (typeof piece === "string") return yield* this.#addText({ type: "text", text: piece });
    if (!isRecord(piece)) throw new Error("it sent something other than a text or an object.");
    switch (piece.type) {
      case "text":
      case "thinking":
        if (typeof piece.text !== "string") throw new Error(`it sent a piece of ${piece.type} without a text.`);
        return yield* this.#addText(piece);
      case "toolCall":
        return yield* this.#addCall(piece);
      case "usage":
        this.#tokens = { input: Number(piece.input) || 0, output: Number(piece.output) || 0 };
        return;
      default:
        throw new Error(`it sent a piece of an unknown type: ${String((piece as { type: unknown }).type)}.`);
    }
  }

  *#addText({ type, text }: TextPiece): Generator<StreamEvent> {
    if (this.#open?.type !== type) {
      yield* this.closeBlock();
      this.#open = { type, text: "" };
      yield { type: `${type}_start`, index: this.#content.length };
    }
    this.#open.text += text;
    yield { type: `${type}_delta`, index: this.#content.length, delta: text };
  }

  *#addCall(piece: Extract<StreamPiece, { type: "toolCall" }>): Generator<StreamEvent> {
    if (typeof piece.name !== "string" || !isRecord(piece.arguments))
      throw new Error("it sent a tool call without a name or arguments.");
    yield* this.closeBlock();
    this.#calls += 1;
    const id = piece.id ?? `call_${Date.now().toString(36)}_${this.#calls}`;
    const toolCall = { type: "toolCall" as const, id, name: piece.name, arguments: piece.arguments };
    const index = this.#content.length;
    yield { type: "toolcall_start", index, id, name: piece.name };
    yield { type: "toolcall_delta", index, delta: JSON.stringify(piece.arguments) };
    this.#content.push(toolCall);
    yield { type: "toolcall_end", index, toolCall };
  }

  *closeBlock(): Generator<StreamEvent> {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    const index = this.#content.length;
    const { type, text } = open;
    this.#content.push(type === "text" ? { type, text } : { type, thinking: text });
    yield type === "text" ? { type: "text_end", index, text } : { type: "thinking_end", index, thinking: text };
  }

  message(model: Model): AssistantMessage {
    const { input, output } = this.#tokens;
    const cost = { input: (input * model.cost.input) / 1e6, output: (output * model.cost.output) / 1e6 };
    return {
      ...this.#blank,
      content: [...this.#content],
      stopReason: this.#calls > 0 ? "toolUse" : "stop",
      usage: {
        ...this.#blank.usage,
        input,
        output,
        totalTokens: input + output,
        cost: { ...cost, cacheRead: 0, cacheWrite: 0, total: cost.input + cost.output },
      },
    };
  }
}
