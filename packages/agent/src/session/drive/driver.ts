import type { ProviderFailure } from "@gantry/models";
import { errorText } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";
import type { Incoming, LoopPorts, RunEnd } from "../../loop/ports.ts";
import { run } from "../../loop/run.ts";
import type { Settings } from "../../settings/schema.ts";
import type { MessageQueue } from "../state/queue.ts";
import type { Transcript } from "../state/transcript.ts";
import type { Fallback } from "./fallback.ts";
import { mayFallBack, planRetry } from "./retry.ts";
import { sleep } from "./sleep.ts";

/** Keeps the context small enough. `makeRoom` publishes its own events and never rejects; false: nothing was gained. */
export interface Upkeep {
  due(): boolean;
  makeRoom(reason: "threshold" | "overflow", willRetry: boolean, signal: AbortSignal): Promise<boolean>;
}

export type DriverParts = {
  ports: LoopPorts;
  queue: MessageQueue;
  transcript: Transcript;
  fallback: Fallback;
  upkeep: Upkeep;
  retry(): Settings["retry"];
};

type Plan =
  | { kind: "stop" }
  | { kind: "tidy" }
  | { kind: "again" }
  | { kind: "room"; reason: "threshold" | "overflow" }
  | { kind: "fallback"; failure: ProviderFailure }
  | { kind: "retry"; delayMs: number; error: string };

/** An overflow is retried after each of: a larger model, pruned results, a compaction. */
const OVERFLOWS_MOST = 3;

/**
 * Runs the loop and the follow-up of each run: a retry, a fallback model, a compaction, queued messages. One thing at a
 * time. When the session becomes idle, it publishes one `agent_settled`.
 */
export class Driver {
  readonly #parts: DriverParts;
  readonly #ports: LoopPorts;
  #active: { controller: AbortController; done: Promise<void> } | undefined;
  #waiting: AbortController | undefined;
  #recorded: AgentMessage[] = [];
  #attempt = 0;
  #overflows = 0;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.#ports = {
      ...parts.ports,
      emit: (event) => {
        parts.ports.emit(event);
        this.#onEvent(event);
      },
      record: (message) => {
        parts.ports.record(message);
        this.#recorded.push(message);
      },
    };
  }

  get busy(): boolean {
    return this.#active !== undefined;
  }

  /** The caller ensures that nothing is running. */
  start(first: readonly Incoming[]): void {
    void this.#occupy((signal) => this.#drive([...first], signal));
  }

  /** Releases held messages: they run now, or after the current run. */
  resumeQueue(): void {
    const { queue } = this.#parts;
    queue.resume();
    if (!this.busy && queue.size > 0) this.start([]);
  }

  /** Runs other work that excludes runs. Messages queued in the meantime start a run afterwards. */
  async runExclusively<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    await this.#occupy(async (signal) => {
      try {
        resolve(await work(signal));
      } catch (error) {
        reject(error);
      }
      if (!signal.aborted && this.#parts.queue.size > 0) await this.#drive([], signal);
    });
    return await promise;
  }

  async abort(): Promise<void> {
    const active = this.#active;
    active?.controller.abort();
    await active?.done;
  }

  abortRetry(): void {
    this.#waiting?.abort();
  }

  async waitUntilSettled(): Promise<void> {
    while (this.#active) await this.#active.done;
  }

  #occupy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const done = Promise.resolve().then(() => work(controller.signal));
    const active = { controller, done };
    this.#active = active;
    active.done = done.finally(() => {
      if (this.#active === active) this.#active = undefined;
    });
    return active.done;
  }

  async #drive(first: Incoming[], signal: AbortSignal): Promise<void> {
    let incoming = first.length > 0 ? first : this.#takeQueued();
    this.#attempt = 0;
    this.#overflows = 0;
    this.#parts.fallback.revert();
    for (;;) {
      const end = await this.#run(incoming, signal);
      incoming = [];
      const plan = this.#plan(end);
      const willRetry = plan.kind !== "stop" && plan.kind !== "tidy";
      this.#ports.emit({ type: "agent_end", messages: this.#recorded, willRetry });
      const again = await this.#perform(plan, end, signal);
      if (again && !signal.aborted) continue;
      if (end.reason === "completed" && !signal.aborted && this.#parts.queue.size > 0) {
        incoming = this.#takeQueued();
        continue;
      }
      this.#settle(end, signal);
      return;
    }
  }

  /** The run itself takes steering messages; follow-ups are taken only if there is no steering. */
  #takeQueued(): Incoming[] {
    const { queue } = this.#parts;
    return queue.hasSteering ? [] : queue.takeFollowUps();
  }

  async #run(incoming: Incoming[], signal: AbortSignal): Promise<RunEnd> {
    this.#recorded = [];
    this.#ports.emit({ type: "agent_start" });
    try {
      return await run(this.#ports, incoming, signal);
    } catch (error) {
      return { reason: "error", errorMessage: `The session could not continue: ${errorText(error)}` };
    }
  }

  #plan(end: RunEnd): Plan {
    const { upkeep, fallback, retry } = this.#parts;
    if (end.reason === "paused") return { kind: "room", reason: "threshold" };
    if (end.reason === "completed") return upkeep.due() ? { kind: "tidy" } : { kind: "stop" };
    if (end.reason !== "error" || !end.failed) return { kind: "stop" };
    if (end.degraded) return { kind: "again" };
    const { failure } = end.failed;
    if (failure?.category === "overflow") {
      return this.#overflows < OVERFLOWS_MOST ? { kind: "room", reason: "overflow" } : { kind: "stop" };
    }
    if (failure && retry().enabled && mayFallBack(failure) && fallback.candidate())
      return { kind: "fallback", failure };
    const planned = planRetry(failure, this.#attempt, retry());
    return planned.retry
      ? { kind: "retry", delayMs: planned.delayMs, error: end.errorMessage ?? "" }
      : { kind: "stop" };
  }

  /** Returns whether to run again. */
  async #perform(plan: Plan, end: RunEnd, signal: AbortSignal): Promise<boolean> {
    const { transcript, upkeep, fallback } = this.#parts;
    if (plan.kind !== "stop" && end.failed) transcript.rewindBefore(end.failed);
    switch (plan.kind) {
      case "stop":
        this.#giveUp(end.errorMessage);
        return false;
      case "tidy":
        await upkeep.makeRoom("threshold", false, signal);
        return false;
      case "again":
        return true;
      case "room": {
        if (plan.reason === "overflow") this.#overflows += 1;
        const gained = await upkeep.makeRoom(plan.reason, true, signal);
        return gained || plan.reason === "threshold";
      }
      case "fallback": {
        const model = fallback.candidate();
        if (model) fallback.apply(model, plan.failure);
        return model !== undefined;
      }
      case "retry":
        return await this.#wait(plan.delayMs, plan.error, signal);
    }
  }

  async #wait(delayMs: number, errorMessage: string, signal: AbortSignal): Promise<boolean> {
    this.#attempt += 1;
    const maxAttempts = this.#parts.retry().maxRetries;
    this.#ports.emit({ type: "auto_retry_start", attempt: this.#attempt, maxAttempts, delayMs, errorMessage });
    this.#waiting = new AbortController();
    const waited = await sleep(delayMs, AbortSignal.any([signal, this.#waiting.signal]));
    this.#waiting = undefined;
    if (!waited) this.#giveUp("Retry cancelled");
    return waited;
  }

  #giveUp(finalError: string | undefined): void {
    if (this.#attempt === 0) return;
    const attempt = this.#attempt;
    this.#attempt = 0;
    this.#ports.emit({ type: "auto_retry_end", success: false, attempt, ...(finalError ? { finalError } : {}) });
  }

  #onEvent(event: AgentEvent): void {
    if (event.type !== "message_end" || event.message.role !== "assistant") return;
    if (event.message.stopReason === "error" || event.message.stopReason === "aborted") return;
    this.#parts.fallback.confirmFallback();
    this.#overflows = 0;
    if (this.#attempt === 0) return;
    const attempt = this.#attempt;
    this.#attempt = 0;
    this.#ports.emit({ type: "auto_retry_end", success: true, attempt });
  }

  #settle(end: RunEnd, signal: AbortSignal): void {
    const reason = signal.aborted ? "aborted" : end.reason === "paused" ? "error" : end.reason;
    const errorMessage = reason === "completed" || reason === "aborted" ? undefined : end.errorMessage;
    this.#active = undefined;
    this.#ports.emit({ type: "agent_settled", reason, ...(errorMessage ? { errorMessage } : {}) });
  }
}
