import {
  type Envelope,
  failure,
  foldSession,
  GantryError,
  type HandoffRequest,
  type SessionView,
} from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Output } from "../../../agents/contract.ts";
import type { PreparedHandoff } from "../../../handoff/handoffs.ts";
import { endProcess } from "../process.ts";
import type { DeadlineKind } from "../state.ts";
import { EngineBench, fakeConversation, faults } from "./engine.fake.ts";

const message = (id: string, delivery: "auto" | "queue" | "steer" | "interrupt" = "auto") => ({
  id: `msg_${id}`,
  text: `text of ${id}`,
  attachments: [],
  delivery,
  author: "user",
});
const send = (bench: EngineBench, id: string, delivery?: Parameters<typeof message>[1]) =>
  bench.apply("send", { message: message(id, delivery) });
const output = (bench: EngineBench, ...outputs: Output[]) => bench.output(...outputs);
const answer = (bench: EngineBench, id: string, given: Parameters<typeof bench.apply<"answerInput">>[1]["answer"]) =>
  bench.apply("answerInput", { id, answer: given });
const exit = (bench: EngineBench, code = 1) => bench.do((step) => endProcess(step, { code, signal: null }));
const pass = (bench: EngineBench, kind: DeadlineKind) => {
  bench.state = { ...bench.state, deadlines: { ...bench.state.deadlines, [kind]: { at: 1, seconds: 1 } } };
  bench.apply("deadlinePassed", kind);
};
type Connection = "ready" | "starting" | "none";
const connect = (bench: EngineBench, connection: Connection) => {
  const conversation = connection === "none" ? undefined : fakeConversation({ ready: connection === "ready" });
  bench.state = { ...bench.state, conversation };
  return bench;
};
const tool = (item: string): Output => ({
  kind: "event",
  event: { type: "tool.started", data: { item, name: "Bash", kind: "execute", title: "ls" } },
});
const toolEnd = (item: string): Output => ({
  kind: "event",
  event: { type: "tool.ended", data: { item, status: "ok" } },
});
const approval: Output = {
  kind: "ask",
  key: "0",
  request: { kind: "approval", title: "Run it?", tool: { name: "Bash", kind: "execute", command: "git status" } },
};

describe("a turn", () => {
  it("starts with a message and ends when the agent reports its end", () => {
    const bench = new EngineBench();
    expect(send(bench, "a")).toEqual({ message: "msg_a", disposition: "started" });
    expect(bench.commands).toMatchObject([{ type: "prompt", message: "msg_a" }]);
    output(bench, { kind: "begin" }, { kind: "taken", message: "msg_a", inline: false });
    output(bench, { kind: "finish", outcome: "completed" });
    expect(bench.types().slice(1)).toEqual([
      "message.user",
      "message.delivery",
      "turn.started",
      "message.delivery",
      "turn.ended",
    ]);
    expect(bench.view.turn).toBeUndefined();
  });

  it("closes the items that the agent left open, stores the text so far and marks the ends synthetic", () => {
    const bench = new EngineBench();
    send(bench, "a");
    output(bench, tool("itm_t"), { kind: "delta", item: "itm_m", channel: "text", text: "half a sen" });
    output(bench, { kind: "event", event: { type: "subagent.started", data: { id: "s", title: "helper" } } }, approval);
    output(bench, { kind: "finish", outcome: "interrupted" });
    const synthetic = bench.events.filter((event) => event.synthetic).map((event) => event.type);
    expect(synthetic).toEqual(["input.resolved", "message.done", "tool.ended", "subagent.ended"]);
    expect(bench.events.find((event) => event.type === "message.done")?.data).toEqual({
      item: "itm_m",
      text: "half a sen",
    });
    expect(faults(bench.events)).toEqual({ broken: [], open: [] });
  });

  it("ends once, even if the agent reports the end twice, and late output does not reopen it", () => {
    const bench = new EngineBench();
    send(bench, "a");
    output(bench, { kind: "finish", outcome: "completed" }, { kind: "finish", outcome: "failed" });
    output(bench, tool("itm_late"), { kind: "delta", item: "itm_m", channel: "text", text: "late" });
    expect(bench.types().filter((type) => type === "turn.ended")).toHaveLength(1);
    expect(bench.events.at(-1)).toMatchObject({ type: "raw", data: { reason: "after the end of the turn" } });
    expect(bench.state.open.size).toBe(0);
  });

  it("stores repeated events as raw", () => {
    const bench = new EngineBench();
    send(bench, "a");
    output(bench, tool("itm_1"), tool("itm_1"), toolEnd("itm_1"), toolEnd("itm_1"), tool("itm_1"));
    expect(bench.types().slice(4)).toEqual(["tool.started", "tool.updated", "tool.ended", "raw"]);
  });

  it("fails as crashed when the process exits during the turn", () => {
    const bench = new EngineBench();
    send(bench, "a");
    exit(bench, 7);
    expect(bench.events.at(-1)).toMatchObject({
      type: "turn.ended",
      synthetic: true,
      data: { outcome: "failed", error: { category: "crashed", message: expect.stringContaining("code 7") } },
    });
  });
});

describe("sending while a turn runs", () => {
  it("steers if the agent supports it, and queues otherwise", () => {
    const able = new EngineBench({ steer: "inline" });
    send(able, "a");
    expect(send(able, "b")).toMatchObject({ disposition: "steered" });
    const unable = new EngineBench({ steer: "queue" });
    send(unable, "a");
    expect(send(unable, "b", "steer")).toMatchObject({ disposition: "queued", position: 0 });
  });

  it("starts the next queued message however the turn ends", () => {
    const ends: ((bench: EngineBench) => void)[] = [
      (bench) => output(bench, { kind: "finish", outcome: "completed" }),
      (bench) => output(bench, { kind: "finish", outcome: "failed", error: failure("auth", "no key") }),
      (bench) => output(bench, { kind: "finish", outcome: "interrupted" }),
      (bench) => exit(bench),
      (bench) => pass(bench, "turn"),
      (bench) => pass(bench, "interrupt"),
      (bench) => connect(bench, "starting").apply("interrupt", "keep"),
    ];
    for (const end of ends) {
      const bench = new EngineBench();
      send(bench, "a");
      send(bench, "b", "queue");
      end(bench);
      expect(bench.view.turn?.messages).toEqual(["msg_b"]);
      expect(bench.events.at(-1)).toMatchObject({ type: "turn.started", data: { trigger: "queue" } });
    }
  });

  it("queues an interrupting message first and interrupts the turn", () => {
    const bench = new EngineBench();
    send(bench, "a");
    send(bench, "b", "queue");
    expect(send(bench, "c", "interrupt")).toEqual({ message: "msg_c", disposition: "interrupting", position: 0 });
    expect(bench.commands).toEqual([{ type: "interrupt" }]);
    output(bench, { kind: "finish", outcome: "interrupted" });
    expect(bench.view.turn?.messages).toEqual(["msg_c"]);
    expect(bench.view.queue.map((entry) => entry.message)).toEqual(["msg_b"]);
  });

  it("edits, moves and cancels queued messages, and refuses sent ones", () => {
    const bench = new EngineBench();
    for (const id of ["a", "b", "c", "d"]) send(bench, id, "queue");
    bench.apply("editMessage", { message: "msg_b", change: { text: "better" } });
    bench.apply("editMessage", { message: "msg_d", change: { position: 0 } });
    bench.apply("cancelMessage", "msg_c");
    expect(bench.view.queue.map((entry) => [entry.message, entry.text])).toEqual([
      ["msg_d", "text of d"],
      ["msg_b", "better"],
    ]);
    expect(() => bench.apply("cancelMessage", "msg_a")).toThrow(GantryError);
  });

  it("refuses a message when the queue is full, with nothing changed", () => {
    const bench = new EngineBench({ queueLimit: 1 });
    send(bench, "a");
    send(bench, "b", "queue");
    const before = bench.events.length;
    expect(() => send(bench, "c", "queue")).toThrow(/is full \(1 messages\)/);
    expect(bench.events).toHaveLength(before);
  });

  it("starts a turn for a steered message that the agent runs after the turn", () => {
    const bench = new EngineBench();
    send(bench, "a");
    send(bench, "b", "steer");
    output(bench, { kind: "finish", outcome: "completed" });
    expect(bench.view.turn).toBeUndefined();
    output(bench, { kind: "begin", messages: ["msg_b"] });
    expect(bench.view.turn).toMatchObject({ trigger: "steer", messages: ["msg_b"] });
  });

  it("requeues a steered message that the agent never starts on", () => {
    const bench = new EngineBench();
    send(bench, "a");
    send(bench, "b", "steer");
    output(bench, { kind: "finish", outcome: "completed" });
    pass(bench, "settle");
    expect(bench.view.turn?.messages).toEqual(["msg_b"]);
  });
});

describe("inputs", () => {
  const askForInput = () => {
    const bench = new EngineBench();
    send(bench, "a");
    output(bench, approval);
    return bench;
  };

  it("answers the agent under the key of its question", () => {
    const bench = askForInput();
    answer(bench, "inp_1", { decision: "deny", message: "no" });
    expect(bench.commands).toMatchObject([{ type: "answer", key: "0", answer: { decision: "deny" } }]);
    expect(bench.view.inputs).toEqual([]);
  });

  it("grants a permission for its scope and nothing else", () => {
    const bench = askForInput();
    answer(bench, "inp_1", { decision: "allow_session" });
    expect(bench.view.grants).toMatchObject([{ scope: { tool: "Bash", prefix: "git status" } }]);
    const again = (key: string, command: string) =>
      output(bench, {
        kind: "ask",
        key,
        request: { kind: "approval", title: "?", tool: { name: "Bash", kind: "execute", command } },
      });
    again("1", "git status --short");
    expect(bench.view.inputs).toEqual([]);
    expect(bench.commands).toMatchObject([{ type: "answer", key: "1", answer: { decision: "allow" } }]);
    for (const [index, command] of ["git push", "git status; rm -rf /", "git statusx", "git status $(id)"].entries()) {
      again(`x${index}`, command);
      expect(bench.view.inputs).toHaveLength(index + 1);
    }
  });

  it("refuses a changed input if the agent does not support it, and leaves the question open", () => {
    const bench = new EngineBench({ edits: false });
    send(bench, "a");
    output(bench, approval);
    const edited = { decision: "allow" as const, edits: { command: "ls" } };
    expect(() => answer(bench, "inp_1", edited)).toThrow(/does not accept a changed input/);
    expect(bench.view.inputs).toHaveLength(1);
  });

  it("does not store the answer to a secret question", () => {
    const bench = new EngineBench();
    send(bench, "a");
    const question = { id: "q", text: "Token?", options: [], multi: false, freeform: true, secret: true };
    output(bench, { kind: "ask", key: "k", request: { kind: "question", title: "?", questions: [question] } });
    answer(bench, "inp_1", { decision: "allow", answers: { q: "hunter2" } });
    expect(JSON.stringify(bench.events)).not.toContain("hunter2");
    expect(bench.commands).toMatchObject([{ answer: { answers: { q: "hunter2" } } }]);
  });

  it.each([
    [{ decision: "allow" as const, option: "nope" }, /no option/],
    [{ decision: "allow" as const, answers: { z: "1" } }, /no question/],
    [{ decision: "allow" as const }, /has no answer/],
    [{ decision: "allow" as const, answers: { q: ["Red", "Blue"] } }, /one answer only/],
    [{ decision: "allow" as const, answers: { q: "Green" } }, /not among/],
    [{ decision: "allow_session" as const }, /whole session/],
  ])("refuses %j", (given, why) => {
    const bench = new EngineBench();
    send(bench, "a");
    const options = [{ label: "Red" }, { label: "Blue" }];
    const question = { id: "q", text: "Which?", options, multi: false, freeform: false, secret: false };
    output(bench, { kind: "ask", key: "k", request: { kind: "question", title: "?", questions: [question] } });
    expect(() => answer(bench, "inp_1", given)).toThrow(why);
    expect(bench.view.inputs).toHaveLength(1);
  });

  it("asks how to continue when the native conversation is lost, and waits for the answer", () => {
    const bench = new EngineBench();
    send(bench, "a");
    output(bench, { kind: "lost", message: "no such conversation" });
    exit(bench);
    expect(bench.view.turn).toBeDefined();
    answer(bench, "inp_1", { decision: "allow", answers: { continuity: "rebuild" } });
    expect(bench.effects).toEqual([{ type: "rebuild", how: "rebuild" }]);
  });
});

/** Anything that can happen to a session, in any order. */
type Happening =
  | { do: "send"; delivery: "auto" | "queue" | "steer" | "interrupt" }
  | { do: "interrupt"; queue: "pause" | "keep" | "clear" }
  | { do: "answer"; decision: "allow" | "allow_session" | "deny" | "cancel" }
  | { do: "handoff"; interrupt: boolean }
  | { do: "cancel" | "crash" | "carry out" | "refuse" }
  | { do: "deadline"; kind: "turn" | "retry" | "interrupt" | "settle" | "silence" | "firstOutput" }
  | { do: "output"; output: Output };

const item = fc.constantFrom("itm_1", "itm_2", "itm_3");
const anyOutput: fc.Arbitrary<Output> = fc.oneof(
  item.map(tool),
  item.map(toolEnd),
  item.map((name): Output => ({ kind: "delta", item: name, channel: "text", text: "x" })),
  item.map((name): Output => ({ kind: "event", event: { type: "message.done", data: { item: name, text: "x" } } })),
  item.map((id): Output => ({ kind: "event", event: { type: "subagent.started", data: { id, title: id } } })),
  item.map((id): Output => ({ kind: "event", event: { type: "subagent.ended", data: { id, status: "ok" } } })),
  fc.constantFrom<Output>(approval, { ...approval, key: "1" }, { kind: "withdrawn", key: "0", reason: "x" }),
  fc.constantFrom<Output>({ kind: "begin" }, { kind: "lost", message: "gone" }, { kind: "ready", handle: "h" }),
  fc
    .constantFrom("completed", "interrupted", "failed")
    .map((outcome): Output => ({ kind: "finish", outcome }) as Output),
  fc.nat(8).map((n): Output => ({ kind: "taken", message: `msg_${n}`, inline: n % 2 === 0 })),
  fc.nat(8).map((n): Output => ({ kind: "dropped", message: `msg_${n}`, reason: "x" })),
);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: anyOutput.map((next): Happening => ({ do: "output", output: next })) },
  fc.constantFrom("auto", "queue", "steer", "interrupt").map((delivery) => ({ do: "send", delivery }) as Happening),
  fc.constantFrom("pause", "keep", "clear").map((queue) => ({ do: "interrupt", queue }) as Happening),
  fc
    .constantFrom("allow", "allow_session", "deny", "cancel")
    .map((decision) => ({ do: "answer", decision }) as Happening),
  fc.constantFrom<Happening>({ do: "cancel" }, { do: "crash" }, { do: "refuse" }),
  fc.boolean().map((interrupt) => ({ do: "handoff", interrupt }) as Happening),
  { weight: 2, arbitrary: fc.constant<Happening>({ do: "carry out" }) },
  fc
    .constantFrom("turn", "retry", "interrupt", "settle", "silence", "firstOutput")
    .map((kind) => ({ do: "deadline", kind }) as Happening),
);

function happen(bench: EngineBench, event: Happening, number: number, connection: Connection): void {
  connect(bench, connection);
  try {
    if (event.do === "send") send(bench, String(number), event.delivery);
    if (event.do === "interrupt") bench.apply("interrupt", event.queue);
    if (event.do === "answer" && bench.view.inputs[0]) {
      const { id } = bench.view.inputs[0];
      answer(bench, id, { decision: event.decision });
    }
    if (event.do === "cancel" && bench.view.queue[0]) {
      const { message: id } = bench.view.queue[0];
      bench.apply("cancelMessage", id);
    }
    const { handingTo, turn } = bench.view;
    if (event.do === "handoff") {
      const request = { id: `hnd_${number}`, agent: number % 2 ? "other" : "scripted" };
      bench.apply("requestHandoff", { request, interrupt: event.interrupt });
    }
    if (event.do === "carry out" && handingTo && !turn) bench.apply("startHandoff", prepareHandoff(handingTo));
    if (event.do === "refuse" && handingTo && !turn) {
      bench.apply("refuseHandoff", { request: handingTo, reason: "no" });
    }
    if (event.do === "crash") exit(bench);
    if (event.do === "deadline") pass(bench, event.kind);
    if (event.do === "output") output(bench, event.output);
  } catch (error) {
    // A refusal is an answer too; it must have changed nothing, which the laws below would show.
    if (!(error instanceof GantryError)) throw error;
  }
}

/** The agent that the session is with: that of the last handoff which did not come to nothing. */
function lastCompleted({ events, view }: EngineBench): string | undefined {
  const done = events.filter((event) => event.type === "handoff.ended" && event.data.outcome === "completed");
  return view.handoff?.to ?? (done.at(-1) as Envelope<"handoff.ended"> | undefined)?.data.to;
}

function prepareHandoff(request: HandoffRequest): PreparedHandoff {
  const settings = { mode: "plan", modeApplied: "plan", model: "m" } as const;
  const plan = { strategy: "brief", brief: "b", receipts: [], text: "b", handles: {}, dropped: [] } as const;
  return { request, ...plan, receipts: [], agent: { id: request.agent }, settings };
}

describe("the laws", () => {
  it("hold for any sequence: no gap in seq, one end per start, the view is the fold, no message is lost", () => {
    const run = fc.tuple(
      fc.array(happening, { maxLength: 60 }),
      fc.constantFrom<Connection>("ready", "starting", "none"),
    );
    fc.assert(
      fc.property(run, ([happenings, connection]) => {
        const bench = new EngineBench({ queueLimit: 3 });
        for (const [index, event] of happenings.entries()) happen(bench, event, index, connection);
        expect(faults(bench.events).broken).toEqual([]);
        const folded = bench.events.reduce<SessionView | undefined>(
          (view, event) => foldSession(view, event),
          undefined,
        );
        expect(folded).toEqual(bench.view);
        const settled = new Map<string, string>();
        for (const event of bench.events) {
          if (event.type === "message.user") settled.set(event.data.message, "sent");
          if (event.type === "message.delivery") settled.set(event.data.message, event.data.state);
        }
        const waiting = [...bench.view.queue, ...bench.view.sent].map((entry) => entry.message);
        for (const [id, state] of settled) {
          const over = ["delivered", "inline", "cancelled", "failed"].includes(state);
          expect(waiting.includes(id)).toBe(!over);
        }
        const { turn, sent, handingTo, handoff, agent } = bench.view;
        const paused = bench.view.queueState === "paused";
        if (!turn && sent.length === 0 && !handingTo && !paused) expect(bench.view.queue).toEqual([]);
        if (handoff) expect([turn?.trigger, agent]).toEqual(["handoff", handoff.to]);
        expect(agent).toBe(lastCompleted(bench) ?? "scripted");
      }),
      { numRuns: 400 },
    );
  });

  it("leave nothing open after the process has ended", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const bench = new EngineBench();
        const known = happenings.filter((event) => event.do !== "output" || event.output.kind !== "lost");
        for (const [index, event] of known.entries()) happen(bench, event, index, "ready");
        do exit(bench);
        while (
          bench.view.turn ||
          (bench.view.handingTo && happen(bench, { do: "carry out" }, 0, "ready") === undefined)
        );
        expect(faults(bench.events)).toEqual({ broken: [], open: [] });
      }),
      { numRuns: 200 },
    );
  });
});
