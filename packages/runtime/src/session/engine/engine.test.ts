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
import type { Output } from "../../agents/contract.ts";
import { deadlinePassed } from "./deadlines.ts";
import { EngineBench, faults } from "./engine.fake.ts";
import { askForHandoff, type PreparedHandoff, refuseHandoff, startHandoff } from "./handoff.ts";
import { answerInput } from "./inputs.ts";
import { processEnded, takeOutput } from "./outputs.ts";
import { cancelMessage, editMessage, interrupt, type Link, sendMessage } from "./queue.ts";

const message = (id: string, delivery: "auto" | "queue" | "steer" | "interrupt" = "auto") => ({
  id: `msg_${id}`,
  text: `text of ${id}`,
  attachments: [],
  delivery,
  author: "user",
});
const send = (bench: EngineBench, id: string, delivery?: Parameters<typeof message>[1], link: Link = "ready") =>
  bench.do((step) => sendMessage(step, message(id, delivery), link));
const say = (bench: EngineBench, ...outputs: Output[]) =>
  bench.do((step) => {
    for (const output of outputs) takeOutput(step, output);
  });
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
  it("starts with the message, ends with the agent's word", () => {
    const bench = new EngineBench();
    expect(send(bench, "a")).toEqual({ message: "msg_a", disposition: "started" });
    expect(bench.effects).toMatchObject([{ type: "command", command: { type: "prompt", message: "msg_a" } }]);
    say(bench, { kind: "begin" }, { kind: "taken", message: "msg_a", inline: false });
    say(bench, { kind: "finish", outcome: "completed" });
    expect(bench.types().slice(1)).toEqual([
      "message.user",
      "message.delivery",
      "turn.started",
      "message.delivery",
      "turn.ended",
    ]);
    expect(bench.view.turn).toBeUndefined();
  });

  it("closes what the agent left open, keeps the text so far and marks it as its own", () => {
    const bench = new EngineBench();
    send(bench, "a");
    say(bench, tool("itm_t"), { kind: "delta", item: "itm_m", channel: "text", text: "half a sen" });
    say(bench, { kind: "event", event: { type: "subagent.started", data: { id: "s", title: "helper" } } }, approval);
    say(bench, { kind: "finish", outcome: "interrupted" });
    const synthetic = bench.events.filter((event) => event.synthetic).map((event) => event.type);
    expect(synthetic).toEqual(["input.resolved", "message.done", "tool.ended", "subagent.ended"]);
    expect(bench.events.find((event) => event.type === "message.done")?.data).toEqual({
      item: "itm_m",
      text: "half a sen",
    });
    expect(faults(bench.events)).toEqual({ broken: [], open: [] });
  });

  it("ends once, however often the agent says so, and nothing late reopens it", () => {
    const bench = new EngineBench();
    send(bench, "a");
    say(bench, { kind: "finish", outcome: "completed" }, { kind: "finish", outcome: "failed" });
    say(bench, tool("itm_late"), { kind: "delta", item: "itm_m", channel: "text", text: "late" });
    expect(bench.types().filter((type) => type === "turn.ended")).toHaveLength(1);
    expect(bench.events.at(-1)).toMatchObject({ type: "raw", data: { reason: "after the end of the turn" } });
    expect(bench.open.size).toBe(0);
  });

  it("keeps what is said twice aside", () => {
    const bench = new EngineBench();
    send(bench, "a");
    say(bench, tool("itm_1"), tool("itm_1"), toolEnd("itm_1"), toolEnd("itm_1"), tool("itm_1"));
    expect(bench.types().slice(4)).toEqual(["tool.started", "tool.updated", "tool.ended", "raw"]);
  });

  it("fails as crashed when the process ends in the middle", () => {
    const bench = new EngineBench();
    send(bench, "a");
    bench.do((step) => processEnded(step, { code: 7, signal: null }));
    expect(bench.events.at(-1)).toMatchObject({
      type: "turn.ended",
      synthetic: true,
      data: { outcome: "failed", error: { category: "crashed", message: expect.stringContaining("code 7") } },
    });
  });
});

describe("sending while a turn runs", () => {
  it("steers where the agent can, queues where it cannot", () => {
    const able = new EngineBench({ steer: "inline" });
    send(able, "a");
    expect(send(able, "b")).toMatchObject({ disposition: "steered" });
    const unable = new EngineBench({ steer: "queue" });
    send(unable, "a");
    expect(send(unable, "b", "steer")).toMatchObject({ disposition: "queued", position: 0 });
  });

  it("drains the queue on every way a turn can end", () => {
    const ends: ((bench: EngineBench) => void)[] = [
      (bench) => say(bench, { kind: "finish", outcome: "completed" }),
      (bench) => say(bench, { kind: "finish", outcome: "failed", error: failure("auth", "no key") }),
      (bench) => say(bench, { kind: "finish", outcome: "interrupted" }),
      (bench) => bench.do((step) => processEnded(step, { code: 1, signal: null })),
      (bench) => bench.do((step) => deadlinePassed(step, "turn", 1)),
      (bench) => bench.do((step) => deadlinePassed(step, "interrupt", 1)),
      (bench) => bench.do((step) => interrupt(step, "keep", "starting")),
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

  it("puts an interrupting message first and stops the turn", () => {
    const bench = new EngineBench();
    send(bench, "a");
    send(bench, "b", "queue");
    expect(send(bench, "c", "interrupt")).toEqual({ message: "msg_c", disposition: "interrupting", position: 0 });
    expect(bench.effects).toEqual([{ type: "command", command: { type: "interrupt" } }]);
    say(bench, { kind: "finish", outcome: "interrupted" });
    expect(bench.view.turn?.messages).toEqual(["msg_c"]);
    expect(bench.view.queue.map((entry) => entry.message)).toEqual(["msg_b"]);
  });

  it("edits, moves and cancels what waits, and refuses what has gone", () => {
    const bench = new EngineBench();
    for (const id of ["a", "b", "c", "d"]) send(bench, id, "queue");
    bench.do((step) => editMessage(step, "msg_b", { text: "better" }));
    bench.do((step) => editMessage(step, "msg_d", { position: 0 }));
    bench.do((step) => cancelMessage(step, "msg_c"));
    expect(bench.view.queue.map((entry) => [entry.message, entry.text])).toEqual([
      ["msg_d", "text of d"],
      ["msg_b", "better"],
    ]);
    expect(() => bench.do((step) => cancelMessage(step, "msg_a"))).toThrow(GantryError);
  });

  it("refuses one more than the queue holds and changes nothing", () => {
    const bench = new EngineBench({ queueLimit: 1 });
    send(bench, "a");
    send(bench, "b", "queue");
    const before = bench.events.length;
    expect(() => send(bench, "c", "queue")).toThrow(/holds 1/);
    expect(bench.events).toHaveLength(before);
  });

  it("gives a steered message that the agent runs later a turn of its own", () => {
    const bench = new EngineBench();
    send(bench, "a");
    send(bench, "b", "steer");
    say(bench, { kind: "finish", outcome: "completed" });
    expect(bench.view.turn).toBeUndefined();
    say(bench, { kind: "begin", messages: ["msg_b"] });
    expect(bench.view.turn).toMatchObject({ trigger: "steer", messages: ["msg_b"] });
  });

  it("queues a steered message again when nothing comes of it", () => {
    const bench = new EngineBench();
    send(bench, "a");
    send(bench, "b", "steer");
    say(bench, { kind: "finish", outcome: "completed" });
    bench.do((step) => deadlinePassed(step, "settle", 5));
    expect(bench.view.turn?.messages).toEqual(["msg_b"]);
  });
});

describe("inputs", () => {
  const asked = () => {
    const bench = new EngineBench();
    send(bench, "a");
    say(bench, approval);
    return bench;
  };

  it("answers the agent with its own key", () => {
    const bench = asked();
    bench.do((step) => answerInput(step, "inp_1", { decision: "deny", message: "no" }));
    expect(bench.effects).toMatchObject([
      { type: "command", command: { type: "answer", key: "0", answer: { decision: "deny" } } },
    ]);
    expect(bench.view.inputs).toEqual([]);
  });

  it("remembers an allowance for what it covers and nothing else", () => {
    const bench = asked();
    bench.do((step) => answerInput(step, "inp_1", { decision: "allow_session" }));
    expect(bench.view.grants).toMatchObject([{ scope: { tool: "Bash", prefix: "git status" } }]);
    const again = (key: string, command: string) =>
      say(bench, {
        kind: "ask",
        key,
        request: { kind: "approval", title: "?", tool: { name: "Bash", kind: "execute", command } },
      });
    again("1", "git status --short");
    expect(bench.view.inputs).toEqual([]);
    expect(bench.effects).toMatchObject([{ command: { type: "answer", key: "1", answer: { decision: "allow" } } }]);
    for (const [index, command] of ["git push", "git status; rm -rf /", "git statusx", "git status $(id)"].entries()) {
      again(`x${index}`, command);
      expect(bench.view.inputs).toHaveLength(index + 1);
    }
  });

  it("refuses a changed input where the agent would run its own, and leaves the question open", () => {
    const bench = new EngineBench({ edits: false });
    send(bench, "a");
    say(bench, approval);
    const answer = { decision: "allow" as const, edits: { command: "ls" } };
    expect(() => bench.do((step) => answerInput(step, "inp_1", answer))).toThrow(/cannot take a changed input/);
    expect(bench.view.inputs).toHaveLength(1);
  });

  it("never stores the answer to a secret question", () => {
    const bench = new EngineBench();
    send(bench, "a");
    const question = { id: "q", text: "Token?", options: [], multi: false, freeform: true, secret: true };
    say(bench, { kind: "ask", key: "k", request: { kind: "question", title: "?", questions: [question] } });
    bench.do((step) => answerInput(step, "inp_1", { decision: "allow", answers: { q: "hunter2" } }));
    expect(JSON.stringify(bench.events)).not.toContain("hunter2");
    expect(bench.effects).toMatchObject([{ command: { answer: { answers: { q: "hunter2" } } } }]);
  });

  it.each([
    [{ decision: "allow" as const, option: "nope" }, /no option/],
    [{ decision: "allow" as const, answers: { z: "1" } }, /no question/],
    [{ decision: "allow" as const }, /has no answer/],
    [{ decision: "allow" as const, answers: { q: ["Red", "Blue"] } }, /one answer only/],
    [{ decision: "allow" as const, answers: { q: "Green" } }, /not among/],
    [{ decision: "allow_session" as const }, /whole session/],
  ])("refuses %j", (answer, why) => {
    const bench = new EngineBench();
    send(bench, "a");
    const options = [{ label: "Red" }, { label: "Blue" }];
    const question = { id: "q", text: "Which?", options, multi: false, freeform: false, secret: false };
    say(bench, { kind: "ask", key: "k", request: { kind: "question", title: "?", questions: [question] } });
    expect(() => bench.do((step) => answerInput(step, "inp_1", answer))).toThrow(why);
    expect(bench.view.inputs).toHaveLength(1);
  });

  it("asks the person how to go on when the native conversation is lost, and waits", () => {
    const bench = new EngineBench();
    send(bench, "a");
    say(bench, { kind: "lost", message: "no such conversation" });
    bench.do((step) => processEnded(step, { code: 1, signal: null }));
    expect(bench.view.turn).toBeDefined();
    bench.do((step) => answerInput(step, "inp_1", { decision: "allow", answers: { continuity: "rebuild" } }));
    expect(bench.effects).toEqual([{ type: "restart", how: "rebuild" }]);
  });
});

/** Anything that can happen to a session, in any order. */
type Happening =
  | { do: "send"; delivery: "auto" | "queue" | "steer" | "interrupt" }
  | { do: "interrupt"; queue: "keep" | "clear" }
  | { do: "answer"; decision: "allow" | "allow_session" | "deny" | "cancel" }
  | { do: "handoff"; interrupt: boolean }
  | { do: "cancel" | "crash" | "carry out" | "refuse" }
  | { do: "deadline"; kind: "turn" | "retry" | "interrupt" | "settle" | "silence" | "firstOutput" }
  | { do: "say"; output: Output };

const item = fc.constantFrom("itm_1", "itm_2", "itm_3");
const output: fc.Arbitrary<Output> = fc.oneof(
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
  { weight: 6, arbitrary: output.map((said): Happening => ({ do: "say", output: said })) },
  fc.constantFrom("auto", "queue", "steer", "interrupt").map((delivery) => ({ do: "send", delivery }) as Happening),
  fc.constantFrom("keep", "clear").map((queue) => ({ do: "interrupt", queue }) as Happening),
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

function happen(bench: EngineBench, event: Happening, number: number, link: Link): void {
  try {
    if (event.do === "send") send(bench, String(number), event.delivery, link);
    if (event.do === "interrupt") bench.do((step) => interrupt(step, event.queue, link));
    if (event.do === "answer" && bench.view.inputs[0]) {
      const { id } = bench.view.inputs[0];
      bench.do((step) => answerInput(step, id, { decision: event.decision }));
    }
    if (event.do === "cancel" && bench.view.queue[0]) {
      const { message: id } = bench.view.queue[0];
      bench.do((step) => cancelMessage(step, id));
    }
    const { handingTo, turn } = bench.view;
    if (event.do === "handoff") {
      const request = { id: `hnd_${number}`, agent: number % 2 ? "other" : "scripted" };
      bench.do((step) => askForHandoff(step, request, event.interrupt, link));
    }
    if (event.do === "carry out" && handingTo && !turn) bench.do((step) => startHandoff(step, prepared(handingTo)));
    if (event.do === "refuse" && handingTo && !turn) {
      bench.do((step) => refuseHandoff(step, handingTo, "no"));
    }
    if (event.do === "crash") bench.do((step) => processEnded(step, { code: 1, signal: null }));
    if (event.do === "deadline") bench.do((step) => deadlinePassed(step, event.kind, 1));
    if (event.do === "say") say(bench, event.output);
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

function prepared(request: HandoffRequest): PreparedHandoff {
  const settings = { mode: "plan", modeApplied: "plan", model: "m" } as const;
  const said = { strategy: "brief", brief: "b", receipts: [], text: "b", handles: {}, dropped: [] } as const;
  return { request, ...said, receipts: [], agent: { id: request.agent }, settings };
}

describe("the laws, whatever happens", () => {
  it("hold for any sequence: no gap, one end for each start, the view is the fold, no message is lost", () => {
    const run = fc.tuple(fc.array(happening, { maxLength: 60 }), fc.constantFrom<Link>("ready", "starting", "none"));
    fc.assert(
      fc.property(run, ([happenings, link]) => {
        const bench = new EngineBench({ queueLimit: 3 });
        for (const [index, event] of happenings.entries()) happen(bench, event, index, link);
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
        if (!turn && sent.length === 0 && !handingTo) expect(bench.view.queue).toEqual([]);
        if (handoff) expect([turn?.trigger, agent]).toEqual(["handoff", handoff.to]);
        expect(agent).toBe(lastCompleted(bench) ?? "scripted");
      }),
      { numRuns: 400 },
    );
  });

  it("leave nothing open after the end of a process", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const bench = new EngineBench();
        const known = happenings.filter((event) => event.do !== "say" || event.output.kind !== "lost");
        for (const [index, event] of known.entries()) happen(bench, event, index, "ready");
        do bench.do((step) => processEnded(step, { code: 1, signal: null }));
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
