import type { ToolResultMessage } from "@gantry/models";
import type { Injection } from "../contract/rules.ts";
import type { ToolOutput } from "../contract/tool.ts";
import type { LoopPorts } from "./ports.ts";
import { type CallBatch, type RequestedCall, runCall } from "./run-call.ts";

export type CallsEnd = { results: ToolResultMessage[]; injections: Injection[]; refusal?: string };

/**
 * Runs the calls of one answer, started in their order: `shared` calls concurrently, an `exclusive` call alone. Results
 * are recorded and published in the same order, each as soon as its predecessors are. A queued message that may
 * interrupt aborts the running calls and skips the rest. Every call gets exactly one result. Never throws.
 */
export async function runCalls(
  ports: LoopPorts,
  wanted: readonly RequestedCall[],
  signal: AbortSignal,
): Promise<CallsEnd> {
  const interrupt = new AbortController();
  const batch = batchOf(signal, interrupt);
  if (ports.queue.interrupts()) interrupt.abort();
  const stopListening = ports.queue.onInterrupt(() => interrupt.abort());
  const results = new OrderedResults(ports, wanted);
  const running: Promise<void>[] = [];
  for (const [place, each] of wanted.entries()) {
    const exclusive = ports.tools().find((tool) => tool.name === each.call.name)?.concurrency === "exclusive";
    if (exclusive) await Promise.all(running);
    const call = runCall(ports, each, batch).then((output) => results.put(place, output));
    running.push(call);
    if (exclusive) await call;
  }
  await Promise.all(running);
  stopListening();
  return { results: results.published, injections: batch.injections, refusal: batch.refusal };
}

function batchOf(run: AbortSignal, interrupt: AbortController): CallBatch {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run,
    calls: AbortSignal.any([run, interrupt.signal]),
    injections: [],
    stop(refusal) {
      this.refusal ??= refusal;
      interrupt.abort();
    },
    inTurn(step) {
      const mine = last.then(step);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** Publishes results in the order of their calls, whatever the order of completion. */
class OrderedResults {
  readonly published: ToolResultMessage[] = [];
  readonly #waiting = new Map<number, ToolOutput>();
  readonly #ports: LoopPorts;
  readonly #wanted: readonly RequestedCall[];

  constructor(ports: LoopPorts, wanted: readonly RequestedCall[]) {
    this.#ports = ports;
    this.#wanted = wanted;
  }

  put(place: number, output: ToolOutput): void {
    this.#waiting.set(place, output);
    for (;;) {
      const next = this.#waiting.get(this.published.length);
      const wanted = this.#wanted[this.published.length];
      if (!next || !wanted) return;
      this.published.push(publishResult(this.#ports, wanted, next));
    }
  }
}

/** Records and publishes the result of a call. */
export function publishResult(ports: LoopPorts, wanted: RequestedCall, output: ToolOutput): ToolResultMessage {
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: wanted.call.id,
    toolName: wanted.call.name,
    content: output.content,
    ...(output.details === undefined ? {} : { details: output.details }),
    isError: output.isError === true,
    timestamp: ports.now(),
  };
  ports.record(message);
  ports.emit({ type: "message_start", message });
  ports.emit({ type: "message_end", message });
  return message;
}
