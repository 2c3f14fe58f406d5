import type { AssistantMessage, StreamEvent, ToolChoice } from "@gantry/models";
import { errorText } from "../contract/errors.ts";
import type { Intervention } from "../contract/rules.ts";
import { Draft, distinctCalls } from "./draft.ts";
import type { LoopPorts } from "./ports.ts";
import { toModelMessages } from "./to-model.ts";

/** `invalid(n)`: why the arguments of the nth call cannot be parsed. */
export type ModelAnswer = {
  message: AssistantMessage;
  invalidReason(place: number): string | undefined;
  intervention?: Intervention;
};

const ABANDONED = Symbol("abandoned");

/**
 * Sends one request to the model and publishes `message_start` and the pieces of the answer. The caller records the
 * message and then publishes `message_end`. Never throws; always returns a message, whatever the stream did.
 */
export async function requestAnswer(
  ports: LoopPorts,
  toolChoice: ToolChoice | undefined,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const draft = new Draft();
  const blank = ports.makeBlankAnswer();
  ports.watch?.begin();
  ports.emit({ type: "message_start", message: blank });
  const invalidReason = (place: number) => draft.invalidReason(place);
  const grace = new AbortGrace(signal, ports.graceMs);
  try {
    const stream = ports.ask({ messages: toModelMessages(ports.conversation()), toolChoice, signal: both });
    const pieces = stream[Symbol.asyncIterator]();
    for (;;) {
      const next = await grace.wait(pieces.next());
      if (next === ABANDONED || next.done) break;
      const event: StreamEvent = next.value;
      if (event.type === "start") continue;
      if (event.type === "done" || event.type === "error")
        return { message: distinctCalls(event.message), invalidReason };
      draft.add(event);
      ports.emit({ type: "message_update", piece: event });
      const intervention = ports.watch?.feed(event);
      if (!intervention) continue;
      stop.abort();
      pieces.return?.().catch(() => undefined);
      return { message: partialMessage(blank, draft, "aborted", "Stopped by a rule."), invalidReason, intervention };
    }
  } catch (error) {
    stop.abort();
    return { message: partialMessage(blank, draft, "error", errorText(error)), invalidReason };
  } finally {
    grace.end();
  }
  stop.abort();
  const message = signal.aborted
    ? partialMessage(blank, draft, "aborted", "Aborted.")
    : partialMessage(blank, draft, "error", "The stream ended before the answer was complete.");
  return { message, invalidReason };
}

/** Waits for a step of the stream. After an abort, it waits only for the grace period. */
class AbortGrace {
  readonly #expired: Promise<typeof ABANDONED>;
  #timer: NodeJS.Timeout | undefined;
  readonly #signal: AbortSignal;
  readonly #begin: () => void;

  constructor(signal: AbortSignal, graceMs: number) {
    this.#signal = signal;
    const { promise, resolve } = Promise.withResolvers<typeof ABANDONED>();
    this.#expired = promise;
    this.#begin = () => {
      this.#timer = setTimeout(() => resolve(ABANDONED), graceMs);
    };
    if (signal.aborted) this.#begin();
    else signal.addEventListener("abort", this.#begin, { once: true });
  }

  wait<Value>(step: Promise<Value>): Promise<Value | typeof ABANDONED> {
    return Promise.race([step, this.#expired]);
  }

  end(): void {
    this.#signal.removeEventListener("abort", this.#begin);
    clearTimeout(this.#timer);
  }
}

function partialMessage(
  blank: AssistantMessage,
  draft: Draft,
  stopReason: "aborted" | "error",
  message: string,
): AssistantMessage {
  const failure = { category: stopReason === "aborted" ? ("aborted" as const) : ("network" as const), message };
  return distinctCalls({ ...blank, content: draft.content(), stopReason, errorMessage: message, failure });
}
