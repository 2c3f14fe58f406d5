import { failure, foldSession, type SessionView } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Output } from "../../../agents/contract.ts";
import type { Breaker } from "../../../limits/breaker/breaker.ts";
import { LimitGate } from "../../../limits/gate.ts";
import { applyOutput } from "../outputs.ts";
import { cancelMessage, drainQueue, sendMessage } from "../queue.ts";
import type { SessionStep } from "../step.ts";
import { EngineBench, faults } from "./engine.fake.ts";

/** An engine behind a gate, with a clock that the test moves. */
class HeldBench {
  readonly bench = new EngineBench({ steer: "queue" });
  readonly breakers = new Map<string, Breaker>();
  now = Date.parse("2026-11-16T10:00:00.000Z");

  do<T>(action: (step: SessionStep) => T): T {
    const gate = new LimitGate({
      now: this.now,
      schedule: { backoffSeconds: [60], overloadSeconds: [10], jitterSeconds: 0 },
      retryMs: 30_000,
      autoResume: true,
      account: () => ({ key: "p", provider: "p" }),
      breaker: (key) => this.breakers.get(key),
      overspent: () => undefined,
      warnings: () => [],
    });
    const turnMessages = (view: SessionView) =>
      this.bench.events.flatMap((event) =>
        event.type === "message.user" && view.turn?.messages.includes(event.data.message) ? [event.data] : [],
      );
    Object.assign(this.bench.context, { gate, turnMessages });
    const result = this.bench.do(action);
    for (const [key, breaker] of gate.changes) this.breakers.set(key, breaker);
    return result;
  }

  send(id: string) {
    const message = {
      id: `msg_${id}`,
      text: `text of ${id}`,
      attachments: [],
      delivery: "auto" as const,
      author: "user",
    };
    return this.do((step) => sendMessage(step, message));
  }

  output(...outputs: Output[]) {
    this.do((step) => {
      for (const output of outputs) applyOutput(step, output);
    });
  }

  get waiting(): string[] {
    return this.bench.view.queue.map(({ message }) => message);
  }
}

const refused: Output = { kind: "finish", outcome: "failed", error: failure("rate_limit", "429") };
const done: Output = { kind: "finish", outcome: "completed" };
const takenOutput = (id: string): Output => ({ kind: "taken", message: `msg_${id}`, inline: false });
const word: Output = { kind: "event", event: { type: "message.done", data: { item: "itm_1", text: "working" } } };

describe("a refused turn", () => {
  it.each([[[refused]], [[takenOutput("a"), refused]]])(
    "requeues its message, whether the agent had it or not",
    (outputs) => {
      const held = new HeldBench();
      held.send("a");
      expect(held.send("b").disposition).toBe("queued");
      held.output(...outputs);
      expect(held.waiting).toEqual(["msg_a", "msg_b"]);
      expect(held.bench.view.queue[0]).toMatchObject({ text: "text of a", tries: 1 });
      expect(held.bench.types().slice(-2)).toEqual(["turn.ended", "limit.reached"]);
      expect(held.breakers.get("p")?.state).toBe("open");
    },
  );

  it("ends a turn that had produced output; only the messages queued behind it stay queued", () => {
    const held = new HeldBench();
    held.send("a");
    held.send("b");
    held.output(takenOutput("a"), word, refused);
    expect(held.waiting).toEqual(["msg_b"]);
  });

  it("is retried by the same session after the back-off, and its success closes the limit", () => {
    const held = new HeldBench();
    held.send("a");
    held.output(takenOutput("a"), refused);
    held.do(drainQueue);
    expect(held.bench.view.turn).toBeUndefined();
    held.now += 60_000;
    held.do(drainQueue);
    expect(held.bench.view).toMatchObject({ turn: { messages: ["msg_a"] }, limit: undefined });
    expect(held.breakers.get("p")).toMatchObject({ state: "half_open", probe: "ses_1" });
    held.output(takenOutput("a"), done);
    expect(held.breakers.get("p")?.state).toBe("closed");
  });

  it("ends at once when the agent retries against a limit of other sessions", () => {
    const held = new HeldBench();
    held.send("a");
    held.output({ kind: "retry", reason: "429", failure: failure("rate_limit", "429"), delayMs: 500 });
    expect(held.bench.view.turn).toBeDefined();
    held.breakers.set("p", { ...(held.breakers.get("p") as Breaker), first: "ses_other" });
    held.output({ kind: "retry", reason: "429", failure: failure("rate_limit", "429"), delayMs: 500 });
    expect(held.bench.view.turn).toBeUndefined();
    expect(held.waiting).toEqual(["msg_a"]);
  });
});

describe("a message of a person", () => {
  it("starts a turn at once if no end of the limit is known", () => {
    const held = new HeldBench();
    held.send("a");
    held.output(takenOutput("a"), word, refused);
    expect(held.send("b").disposition).toBe("started");
    expect(held.breakers.get("p")).toMatchObject({ state: "half_open" });
    held.output(takenOutput("b"), refused);
    expect(held.waiting).toEqual(["msg_b"]);
    expect(held.send("c").disposition).toBe("queued");
    expect(held.bench.view.turn?.messages).toEqual(["msg_b"]);
  });

  it("is held if the end is known, or if another session probes", () => {
    const held = new HeldBench();
    held.send("a");
    const end = { ...failure("rate_limit", "429"), resetsAt: new Date(held.now + 600_000).toISOString() };
    held.output(takenOutput("a"), word, { kind: "finish", outcome: "failed", error: end });
    expect(held.send("b").disposition).toBe("queued");
    const other = new HeldBench();
    other.send("a");
    other.output(takenOutput("a"), word, refused);
    other.breakers.set("p", { ...(other.breakers.get("p") as Breaker), state: "half_open", probe: "ses_other" });
    expect(other.send("b").disposition).toBe("queued");
  });
});

describe("an overloaded provider", () => {
  const overloaded: Output = { kind: "finish", outcome: "failed", error: failure("overloaded", "529 Overloaded") };
  const broken: Output = { kind: "finish", outcome: "failed", error: failure("overloaded", "500 Internal error") };

  it("requeues the message and is tried again after a short time", () => {
    const held = new HeldBench();
    held.send("a");
    held.output(takenOutput("a"), overloaded);
    expect(held.waiting).toEqual(["msg_a"]);
    expect(held.bench.view.limit?.text).toContain("overloaded");
    held.now += 10_000;
    held.do(drainQueue);
    held.output(takenOutput("a"), done);
    expect(held.breakers.get("p")?.state).toBe("closed");
  });

  it("leaves retries to the agent, and an error of the server holds no session", () => {
    const held = new HeldBench();
    held.send("a");
    held.output({ kind: "retry", reason: "529", failure: failure("overloaded", "529 Overloaded"), delayMs: 500 });
    expect(held.breakers.size).toBe(0);
    held.output(takenOutput("a"), broken);
    expect([held.waiting, held.breakers.size]).toEqual([[], 0]);
  });
});

describe("any sequence of moves", () => {
  const move = fc.constantFrom("send", "take", "work", "refuse", "overload", "finish", "later", "drain", "cancel");

  it("loses or duplicates no message, ends every turn once, and folds the log into the view", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const held = new HeldBench();
        const settled = new Set<string>();
        let count = 0;
        let item = 0;
        for (const what of moves) {
          const { turn } = held.bench.view;
          const [running] = turn?.messages ?? [];
          if (what === "send" && held.waiting.length < 10) held.send(String(++count));
          if (what === "take" && running) held.output({ kind: "taken", message: running, inline: false });
          if (what === "work" && turn)
            held.output({ kind: "event", event: { type: "message.done", data: { item: `itm_${++item}`, text: "x" } } });
          if (what === "refuse" && turn) held.output(refused);
          if (what === "overload" && turn)
            held.output({ kind: "finish", outcome: "failed", error: failure("overloaded", "529") });
          if (what === "finish" && turn) held.output(done);
          if (what === "later") held.now += 61_000;
          if (what === "drain") held.do(drainQueue);
          const [next] = held.waiting;
          if (what === "cancel" && next) held.do((step) => cancelMessage(step, next));
          // A message is settled when its turn ended, unless it was requeued, or when it was cancelled.
          for (let id = 1; id <= count; id++) {
            const name = `msg_${id}`;
            const waits = held.waiting.filter((message) => message === name).length;
            const runs = held.bench.view.turn?.messages.includes(name) ? 1 : 0;
            expect(waits + runs).toBeLessThanOrEqual(1);
            if (waits + runs === 0) settled.add(name);
            else expect(settled.has(name)).toBe(false);
          }
        }
        const { broken, open } = faults(held.bench.events);
        expect(broken).toEqual([]);
        expect(open.length).toBeLessThanOrEqual(1);
        let view: SessionView | undefined;
        for (const event of held.bench.events) view = foldSession(view, event);
        expect(held.bench.view).toEqual(view);
      }),
    );
  });
});
