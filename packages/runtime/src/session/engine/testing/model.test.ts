import {
  type Envelope,
  foldSession,
  GantryError,
  type QueueOnStop,
  runningTasks,
  type SessionView,
} from "@gantry/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Agent, AgentCommand, Output } from "../../../agents/contract.ts";
import { encodeMark, restoreConversation } from "../../connection/mark.ts";
import { type InputOf, type InputType, step } from "../engine.ts";
import { disconnect, needsProcess } from "../process.ts";
import { type DeadlineKind, type EngineState, initialState } from "../state.ts";
import type { SessionStep } from "../step.ts";
import { EngineBench, fakeChannel, fakeConversation, faults } from "./engine.fake.ts";

/*
 * Generated sequences of inputs with a crash between any two of them. A crash loses everything but the committed events
 * and the mark; the restored session must obey the same laws as one that never crashed.
 */

const deadlines = {
  handshakeSeconds: 10,
  loginSeconds: 10,
  firstOutputSeconds: 20,
  silenceSeconds: 30,
  retrySeconds: 40,
  interruptSeconds: 5,
  lostOutputSeconds: 5,
  turnSeconds: 600,
  idleSeconds: 60,
};
const agent = { channels: [fakeChannel] } as unknown as Agent;

type Move =
  | { do: "send"; delivery: "auto" | "queue" | "steer" | "interrupt" }
  | { do: "print"; outputs: Output[] }
  | { do: "interrupt"; queue: QueueOnStop }
  | { do: "queue"; state: "paused" | "running" }
  | { do: "sendNow"; delivery: "steer" | "interrupt"; nth: number }
  | { do: "takeBack"; nth: number }
  | { do: "answer"; decision: "allow" | "allow_session" | "deny" }
  | { do: "cancel" | "exit" | "stdinClosed" | "crash" | "open" | "restartDaemonTwice" }
  | { do: "stopTask"; task: string }
  | { do: "deadline"; nth: number };

/** An actor without I/O: it commits into arrays and performs effects on the state. */
class ModelSession {
  readonly events: Envelope[];
  state: EngineState;
  /** The stop that was requested last: its turn, and when it must have taken effect. */
  stop: { turn: string; at: number } | undefined;
  /** Messages that a Stop holds: none of them may be sent to the agent before a person resumes or sends it. */
  readonly #held = new Set<string>();
  #mark: string | undefined;
  /** Output of steps that committed nothing: a restart reads it again. */
  #uncommitted: Output[][] = [];
  /** Prompts that this process got, with the length of the log at the time. */
  #prompts = new Map<string, number>();
  #offset = 0;
  readonly #bench = new EngineBench({ queueLimit: 4 });

  constructor() {
    Object.assign(this.#bench.context, { deadlines });
    this.events = [...this.#bench.events];
    this.state = initialState(this.#bench.view);
  }

  play(move: Move, number: number): void {
    try {
      this.#play(move, number);
    } catch (error) {
      // A refusal must have changed nothing, which the laws check.
      if (!(error instanceof GantryError)) throw error;
    }
    this.#launch();
    this.#check();
  }

  #play(move: Move, number: number): void {
    const { view } = this.state;
    if (move.do === "send") {
      const message = { id: `msg_${number}`, text: "x", attachments: [], delivery: move.delivery, author: "user" };
      this.#apply("send", { message });
    }
    if (move.do === "print" && this.state.conversation) this.#print(move.outputs);
    if (move.do === "open" && this.state.conversation) this.#print([{ kind: "ready", handle: "h" }]);
    if (move.do === "interrupt") this.#interrupt(move.queue);
    const [input] = view.inputs;
    if (move.do === "answer" && input) {
      const answers = input.questions.length > 0 ? { continuity: "new" } : undefined;
      this.#apply("answerInput", { id: input.id, answer: { decision: move.decision, answers } });
    }
    if (move.do === "queue") {
      this.#held.clear();
      this.#apply("changeQueue", move.state);
      if (move.state === "paused") this.#holdQueue();
    }
    if (move.do === "sendNow") this.#sendNow(move);
    const steered = view.sent[move.do === "takeBack" ? move.nth % Math.max(1, view.sent.length) : 0];
    if (move.do === "takeBack" && steered) this.#apply("cancelMessage", steered.message);
    if (move.do === "cancel" && view.queue[0]) this.#apply("cancelMessage", view.queue[0].message);
    if (move.do === "exit" && this.state.conversation) this.#apply("processExited", { code: 1, signal: null });
    if (move.do === "stdinClosed" && this.state.conversation) this.#apply("stdinClosed", "EPIPE");
    if (move.do === "deadline") this.#passDeadline(move.nth);
    if (move.do === "stopTask") this.#apply("stopTask", move.task);
    if (move.do === "crash" || move.do === "restartDaemonTwice") this.#crash();
    if (move.do === "restartDaemonTwice") this.#crash();
  }

  #print(outputs: Output[]): void {
    this.#offset++;
    const line = { kind: "line" as const, text: JSON.stringify({ outputs }), end: this.#offset };
    const committed = this.#apply("stdout", { lines: [line], end: this.#offset });
    if (!committed) this.#uncommitted.push(outputs);
  }

  #holdQueue(): void {
    for (const { message } of this.state.view.queue) this.#held.add(message);
  }

  #sendNow({ delivery, nth }: Extract<Move, { do: "sendNow" }>): void {
    const { queue } = this.state.view;
    const entry = queue[nth % Math.max(1, queue.length)];
    if (!entry) return;
    const wasHeld = this.#held.delete(entry.message);
    try {
      this.#apply("editMessage", { message: entry.message, change: { delivery } });
    } catch (error) {
      if (wasHeld) this.#held.add(entry.message);
      throw error;
    }
  }

  #interrupt(queue: QueueOnStop): void {
    const { turn, queue: waiting, sent } = this.state.view;
    this.#apply("interrupt", queue);
    if (queue === "pause") this.#holdQueue();
    const steers = sent.filter((entry) => entry.turn !== turn?.id);
    if (queue === "pause" && waiting.length + steers.length > 0)
      expect(this.state.view.queueState, "a Stop pauses a queue with messages").toBe("paused");
    const { interrupt } = this.state.deadlines;
    if (!turn || this.state.view.turn?.id !== turn.id) return;
    expect(interrupt, "a Stop that waits for the agent has a deadline").toBeDefined();
    if (this.stop?.turn !== turn.id) this.stop = { turn: turn.id, at: interrupt?.at ?? 0 };
  }

  #passDeadline(nth: number): void {
    const kinds = Object.keys(this.state.deadlines) as DeadlineKind[];
    const kind = kinds[nth % kinds.length];
    if (kind) this.#apply("deadlinePassed", kind);
  }

  /** The daemon dies. The next one restores the session from the log and the mark. */
  #crash(): void {
    const before = this.state;
    const view = foldAll(JSON.parse(JSON.stringify(this.events)) as Envelope[]);
    this.state = initialState(view, closedItems(this.events, view));
    if (this.#mark) {
      const row = { process: "prc", session: view.id, offset: 0, errOffset: 0, mark: this.#mark, markOffset: 0 };
      const restored = restoreConversation(agent, view, row, "", 1000);
      expect(restored, "the mark can be read").toBeDefined();
      this.state = { ...this.state, ...restored };
    }
    this.#apply("wake", {});
    for (const kind of ["turn", "interrupt", "firstOutput"] as const) {
      const [was, is] = [before.deadlines[kind], this.state.deadlines[kind]];
      if (was && this.#mark && this.#uncommitted.length === 0) expect(is?.at, `${kind} survives`).toBe(was.at);
    }
    for (const outputs of this.#uncommitted.splice(0)) this.#print(outputs);
  }

  /** Returns whether anything was committed. */
  #apply<T extends InputType>(type: T, input: InputOf<T>): boolean {
    const { step: next } = step(this.state, this.#bench.context, type, input);
    const commits = next.events.length + next.frames.length > 0 || next.needsMark;
    this.#checkHeld(next);
    if (next.events.some((event) => event.type === "task.ended" && event.synthetic))
      expect(["processExited", "processReleased"], "a task is lost only with its process").toContain(type);
    this.events.push(...next.events);
    this.#checkPrompts(next);
    this.state = next.end();
    if (commits) this.#uncommitted = [];
    if (commits || !next.conversation)
      this.#mark = next.conversation && encodeMark(next.conversation, next.open, next.deadlines);
    for (const effect of next.effects) {
      if (effect.type === "stop" || effect.type === "release") this.#disconnect();
      if (effect.type === "rebuild") this.#apply("resetConversation", effect.how);
    }
    return commits;
  }

  #disconnect(): void {
    this.state = disconnect(this.state);
    this.#mark = undefined;
    this.#uncommitted = [];
    // As the actor does when the process is gone, before it starts the next one.
    this.#apply("processReleased", "closed");
  }

  #launch(): void {
    if (this.state.conversation || !needsProcess(this.state.view)) return;
    this.#prompts.clear();
    this.#uncommitted = [];
    this.#offset = 0;
    this.state = { ...this.state, conversation: fakeConversation({ ready: false }) };
    this.#mark = encodeMark(fakeConversation({ ready: false }), new Map());
    this.#apply("processLaunched", { notices: [] });
  }

  /** No held message starts a turn or reaches the agent. One that the agent read inline, or that was cancelled, is gone. */
  #checkHeld(next: SessionStep): void {
    for (const event of next.events) {
      if (event.type === "turn.started") {
        const started = event.data.messages.filter((message) => this.#held.has(message));
        expect(started, "a held message started a turn").toEqual([]);
      }
      if (event.type !== "message.delivery" || event.data.state === "edited") continue;
      if (event.data.state === "inline" || event.data.state === "cancelled") this.#held.delete(event.data.message);
      else if (this.#held.has(event.data.message))
        expect(event.data.state, "a held message stays queued").toBe("queued");
    }
  }

  /** A process gets a message twice only if the message was queued again in between. */
  #checkPrompts(next: SessionStep): void {
    for (const { msg } of next.frames) {
      const command = msg as AgentCommand;
      if (command.type !== "prompt" && command.type !== "steer") continue;
      const last = this.#prompts.get(command.message);
      if (last !== undefined) {
        const requeued = this.events.slice(last).some((event) => isRequeued(event, command.message));
        expect(requeued, `${command.message} was sent twice`).toBe(true);
      }
      this.#prompts.set(command.message, this.events.length - next.events.length);
    }
  }

  /** A task ends when the agent reports it, or with the process: never at the end of a turn. */
  #checkTasks(): void {
    const { view, conversation, deadlines: current } = this.state;
    const running = runningTasks(view).map(({ task: name }) => name);
    expect(new Set(running)).toEqual(openTasks(this.events));
    if (!conversation) expect(running, "no task outlives its process").toEqual([]);
    if (running.length > 0) expect(current.idle, "a session with a task is not released").toBeUndefined();
    for (const event of this.events) {
      if (event.type === "task.ended" && event.synthetic) expect(event.data.status).toBe("lost");
    }
  }

  #check(): void {
    const { view, conversation, deadlines: current } = this.state;
    expect(faults(this.events).broken).toEqual([]);
    expect(foldAll(this.events)).toEqual(view);
    if (conversation?.ready && view.turn) {
      const unsent = view.sent.filter(
        ({ turn, message }) => turn === view.turn?.id && !conversation.prompted.includes(message),
      );
      expect(unsent, "every message of the turn was sent to the process").toEqual([]);
    }
    this.#checkTasks();
    if (!view.turn && view.sent.length === 0 && view.queueState !== "paused")
      expect(view.queue, "an idle session has an empty queue").toEqual([]);
    const queued = view.queue.map(({ message }) => message);
    for (const message of this.#held) expect(queued, "a held message stays queued").toContain(message);
    if (this.stop && view.turn?.id === this.stop.turn)
      expect(current.interrupt?.at, "Stop is durable").toBe(this.stop.at);
    else this.stop = undefined;
  }
}

/** The tasks with a start and no end in the log. */
function openTasks(events: readonly Envelope[]): Set<string> {
  const running = new Set<string>();
  for (const event of events) {
    if (event.type === "task.started") running.add(event.data.task);
    if (event.type === "task.ended") running.delete(event.data.task);
  }
  return running;
}

function isRequeued(event: Envelope, message: string): boolean {
  return event.type === "message.delivery" && event.data.message === message && event.data.state === "queued";
}

function foldAll(events: readonly Envelope[]): SessionView {
  return events.reduce<SessionView | undefined>((view, event) => foldSession(view, event), undefined) as SessionView;
}

function closedItems(events: readonly Envelope[], view: SessionView): Set<string> {
  const closed = new Set<string>();
  for (const event of [...events].reverse()) {
    if (!view.turn || (event.type === "turn.started" && event.turn === view.turn.id)) break;
    if (event.type === "tool.ended" || event.type === "message.done" || event.type === "reasoning.done")
      closed.add(event.data.item);
  }
  return closed;
}

const item = fc.constantFrom("itm_1", "itm_2");
const task = fc.constantFrom("t1", "t2", "t3");
const taskOutput: fc.Arbitrary<Output> = fc.oneof(
  fc.tuple(task, item).map(
    ([name, by]): Output => ({
      kind: "event",
      event: { type: "task.started", data: { task: name, kind: "command", title: "build", item: by } },
    }),
  ),
  task.map((name): Output => ({ kind: "event", event: { type: "task.updated", data: { task: name, activity: "x" } } })),
  fc
    .tuple(task, fc.constantFrom("ok", "error", "stopped"))
    .map(([name, status]): Output => ({ kind: "event", event: { type: "task.ended", data: { task: name, status } } })),
  fc.tuple(task, item).map(
    ([name, parent]): Output => ({
      kind: "event",
      event: { type: "subagent.started", data: { id: name, title: "sub", parent } },
    }),
  ),
  fc.tuple(item, item).map(
    ([name, parent]): Output => ({
      kind: "event",
      event: {
        type: "tool.started",
        data: { item: `${name}.${parent}`, name: "Bash", kind: "execute", title: "ls", parent },
      },
    }),
  ),
);
const output: fc.Arbitrary<Output> = fc.oneof(
  taskOutput,
  item.map(
    (name): Output => ({
      kind: "event",
      event: { type: "tool.started", data: { item: name, name: "Bash", kind: "execute", title: "ls" } },
    }),
  ),
  item.map((name): Output => ({ kind: "event", event: { type: "tool.ended", data: { item: name, status: "ok" } } })),
  item.map((name): Output => ({ kind: "delta", item: name, channel: "text", text: "x" })),
  item.map((name): Output => ({ kind: "event", event: { type: "message.done", data: { item: name, text: "x" } } })),
  fc.constantFrom<Output>(
    {
      kind: "ask",
      key: "0",
      request: { kind: "approval", title: "?", tool: { name: "Bash", kind: "execute", command: "ls" } },
    },
    { kind: "withdrawn", key: "0", reason: "x" },
    { kind: "begin" },
    { kind: "lost", message: "gone" },
    { kind: "retry", reason: "overloaded" },
    { kind: "finish", outcome: "completed" },
    { kind: "finish", outcome: "interrupted" },
    { kind: "finish", outcome: "failed" },
  ),
  fc.nat(30).map((n): Output => ({ kind: "taken", message: `msg_${n}`, inline: n % 2 === 0 })),
  fc.nat(30).map((n): Output => ({ kind: "dropped", message: `msg_${n}`, reason: "x" })),
  fc.nat(30).map((n): Output => ({ kind: "begin", messages: [`msg_${n}`] })),
  item.map((name): Output => ({ kind: "plan", item: name, title: "?", text: "1. do it" })),
  fc.nat(30).map((n): Output => ({ kind: "retracted", message: `msg_${n}`, ok: n % 2 === 0 })),
);
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(output, { minLength: 1, maxLength: 3 }).map((outputs): Move => ({ do: "print", outputs })),
  },
  { weight: 3, arbitrary: fc.constant<Move>({ do: "open" }) },
  { weight: 3, arbitrary: fc.constant<Move>({ do: "crash" }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("auto", "queue", "steer", "interrupt")
      .map((delivery) => ({ do: "send", delivery }) as Move),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("pause", "keep", "clear").map((queue) => ({ do: "interrupt", queue }) as Move),
  },
  fc.constantFrom("allow", "allow_session", "deny").map((decision) => ({ do: "answer", decision }) as Move),
  fc.constantFrom<Move>({ do: "cancel" }, { do: "exit" }, { do: "stdinClosed" }, { do: "restartDaemonTwice" }),
  fc.nat(8).map((nth): Move => ({ do: "deadline", nth })),
  fc.nat(3).map((nth): Move => ({ do: "takeBack", nth })),
  fc.constantFrom("paused", "running").map((state) => ({ do: "queue", state }) as Move),
  fc
    .tuple(fc.constantFrom("steer", "interrupt"), fc.nat(3))
    .map(([delivery, nth]) => ({ do: "sendNow", delivery, nth }) as Move),
  task.map((name): Move => ({ do: "stopTask", task: name })),
);

test("keeps the laws through any sequence of inputs and crashes", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const session = new ModelSession();
      for (const [index, next] of moves.entries()) session.play(next, index);
    }),
    { numRuns: 600 },
  );
});

test("ends a stopped turn as interrupted after any crashes, if the agent never reacts", () => {
  fc.assert(
    fc.property(
      fc.nat(3),
      fc.array(fc.constantFrom<Move>({ do: "crash" }, { do: "open" }), { maxLength: 6 }),
      (before, after) => {
        const session = new ModelSession();
        session.play({ do: "send", delivery: "auto" }, 0);
        session.play({ do: "open" }, 1);
        for (let index = 0; index < before; index++) session.play({ do: "crash" }, 2);
        session.play({ do: "interrupt", queue: "keep" }, 3);
        for (const next of after) session.play(next, 4);
        const nth = Object.keys(session.state.deadlines).indexOf("interrupt");
        expect(nth).toBeGreaterThanOrEqual(0);
        session.play({ do: "deadline", nth }, 5);
        expect(session.events.findLast(({ type }) => type === "turn.ended")).toMatchObject({
          type: "turn.ended",
          data: { outcome: "interrupted" },
        });
      },
    ),
  );
});
