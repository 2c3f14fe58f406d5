import type { Delivery } from "@gantry/protocol";
import { failure } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { EngineBench, fakeConversation } from "./engine.fake.ts";

function send(bench: EngineBench, id: string, delivery: Delivery = "auto", author = "user") {
  return bench.apply("send", { message: { id: `msg_${id}`, text: id, attachments: [], delivery, author } });
}

/** A running turn, one steer that the agent has not read, and two queued messages. */
function busySession(): EngineBench {
  const bench = new EngineBench();
  send(bench, "a");
  bench.output({ kind: "taken", message: "msg_a", inline: false });
  send(bench, "steer", "steer");
  send(bench, "b", "queue");
  send(bench, "c", "queue");
  return bench;
}

const queued = (bench: EngineBench) => bench.view.queue.map(({ message }) => message);
const endTurn = (bench: EngineBench) => bench.output({ kind: "finish", outcome: "interrupted" });

describe("Stop", () => {
  it("holds queued messages and the pending steer, in their order, until the queue is resumed", () => {
    const bench = busySession();
    const held = ["msg_steer", "msg_b", "msg_c"];
    expect(bench.apply("interrupt", "pause")).toEqual({ interrupted: true, paused: true, kept: held, cancelled: [] }); // prose-ignore: a field of the API
    expect(bench.commands.map(({ type }) => type)).toEqual(["retract", "interrupt"]);
    endTurn(bench);
    expect(bench.view).toMatchObject({ turn: undefined, queueState: "paused" });
    expect(queued(bench)).toEqual(held);
    bench.apply("wake", {});
    expect(bench.view.turn).toBeUndefined();
    bench.apply("changeQueue", "running");
    expect(bench.view.turn?.messages).toEqual(["msg_steer"]);
    expect(queued(bench)).toEqual(["msg_b", "msg_c"]);
  });

  it("cancels queued messages and the pending steer with clear", () => {
    const bench = busySession();
    const all = ["msg_steer", "msg_b", "msg_c"];
    expect(bench.apply("interrupt", "clear")).toMatchObject({ paused: false, cancelled: all });
    bench.output({ kind: "dropped", message: "msg_steer", reason: "stopped" });
    endTurn(bench);
    expect(bench.view).toMatchObject({ turn: undefined, queue: [], sent: [] });
  });

  it("runs queued messages and the pending steer next with keep", () => {
    const bench = busySession();
    expect(bench.apply("interrupt", "keep")).toMatchObject({ paused: false });
    endTurn(bench);
    expect(bench.view.turn?.messages).toEqual(["msg_steer"]);
  });

  it("does not pause an empty queue", () => {
    const bench = new EngineBench();
    send(bench, "a");
    expect(bench.apply("interrupt", "pause")).toMatchObject({ interrupted: true, paused: false });
    endTurn(bench);
    send(bench, "b");
    send(bench, "c", "queue");
    bench.output({ kind: "finish", outcome: "completed" });
    expect(bench.view.turn?.messages).toEqual(["msg_c"]);
  });

  it("stops the agent again if it starts on a message that is held", () => {
    const bench = busySession();
    bench.apply("interrupt", "pause");
    endTurn(bench);
    bench.output({ kind: "begin", messages: ["msg_steer"] }, { kind: "taken", message: "msg_steer", inline: false });
    expect(bench.commands).toEqual([{ type: "interrupt" }]);
    endTurn(bench);
    expect(queued(bench)).toEqual(["msg_steer", "msg_b", "msg_c"]);
    expect(bench.view.turn).toBeUndefined();
  });

  it("stops the agent again if it names the held message after it has started", () => {
    const bench = busySession();
    bench.apply("interrupt", "pause");
    endTurn(bench);
    bench.output({ kind: "begin" }, { kind: "taken", message: "msg_steer", inline: false });
    expect(bench.commands).toEqual([{ type: "interrupt" }]);
    endTurn(bench);
    expect(queued(bench)).toEqual(["msg_steer", "msg_b", "msg_c"]);
    expect(bench.view.turn).toBeUndefined();
  });

  it("does not hold a steer that the agent read before it stopped", () => {
    const bench = busySession();
    bench.apply("interrupt", "pause");
    bench.output({ kind: "taken", message: "msg_steer", inline: true });
    endTurn(bench);
    expect(queued(bench)).toEqual(["msg_b", "msg_c"]);
  });

  it("does not run a stopped turn's own message again if the agent drops it", () => {
    const bench = new EngineBench();
    send(bench, "a");
    bench.apply("interrupt", "pause");
    bench.output({ kind: "dropped", message: "msg_a", reason: "stopped" });
    endTurn(bench);
    expect(bench.view).toMatchObject({ turn: undefined, queue: [], sent: [] });
  });

  it("also holds a message that was about to interrupt the turn", () => {
    const bench = new EngineBench();
    send(bench, "a");
    send(bench, "b", "interrupt");
    bench.apply("interrupt", "pause");
    endTurn(bench);
    expect(bench.view.turn).toBeUndefined();
    expect(queued(bench)).toEqual(["msg_b"]);
  });

  it.each(["exit", "stdin", "reported exit"])("ends the turn as interrupted if the agent reacts with: %s", (how) => {
    const bench = new EngineBench();
    send(bench, "a");
    bench.apply("interrupt", "pause");
    if (how === "stdin") bench.apply("stdinClosed", "EPIPE");
    if (how === "exit") bench.apply("processExited", { code: 1, signal: null });
    const crashed = { kind: "finish", outcome: "failed", error: failure("cancelled", "aborted") } as const;
    if (how === "reported exit") bench.output(crashed);
    expect(bench.view.lastTurn?.outcome).toBe("interrupted");
  });

  it("ends a stopped turn after a restart that finds no process", () => {
    const bench = new EngineBench();
    send(bench, "a");
    bench.apply("interrupt", "pause");
    bench.state = { ...bench.state, conversation: undefined };
    bench.apply("wake", {});
    expect(bench.view.lastTurn?.outcome).toBe("interrupted");
  });
});

describe("a paused queue", () => {
  function pausedSession(): EngineBench {
    const bench = busySession();
    bench.apply("interrupt", "pause");
    endTurn(bench);
    return bench;
  }

  it("lets a person's message start at once, and stays paused", () => {
    const bench = pausedSession();
    expect(send(bench, "d")).toMatchObject({ disposition: "started" });
    bench.output({ kind: "finish", outcome: "completed" });
    expect(bench.view.turn).toBeUndefined();
    expect(queued(bench)).toEqual(["msg_steer", "msg_b", "msg_c"]);
  });

  it("holds messages that are queued explicitly, and messages of schedules and other sessions", () => {
    const bench = pausedSession();
    expect(send(bench, "d", "queue")).toMatchObject({ disposition: "queued", position: 3 });
    expect(send(bench, "e", "auto", "schedule:sch_1")).toMatchObject({ disposition: "queued" });
    expect(send(bench, "f", "auto", "session:ses_2")).toMatchObject({ disposition: "queued" });
    expect(bench.view.turn).toBeUndefined();
  });

  it("ends when its last message is gone", () => {
    const bench = pausedSession();
    for (const message of queued(bench)) bench.apply("cancelMessage", message);
    expect(bench.view.queueState).toBe("running");
  });

  it("sends one message now and holds the others", () => {
    const bench = pausedSession();
    bench.apply("editMessage", { message: "msg_c", change: { delivery: "interrupt" } });
    expect(bench.view.turn?.messages).toEqual(["msg_c"]);
    bench.apply("editMessage", { message: "msg_b", change: { delivery: "steer" } });
    expect(bench.commands).toMatchObject([{ type: "steer", message: "msg_b" }]);
    bench.output({ kind: "taken", message: "msg_b", inline: true }, { kind: "finish", outcome: "completed" });
    expect(bench.view).toMatchObject({ turn: undefined, queueState: "paused" });
    expect(queued(bench)).toEqual(["msg_steer"]);
  });

  it("sends a queued message after an interrupt of the running turn", () => {
    const bench = pausedSession();
    send(bench, "d");
    bench.apply("editMessage", { message: "msg_b", change: { delivery: "interrupt" } });
    expect(bench.commands).toEqual([{ type: "interrupt" }]);
    endTurn(bench);
    expect(bench.view.turn?.messages).toEqual(["msg_b"]);
    expect(queued(bench)).toEqual(["msg_steer", "msg_c"]);
  });
});

describe("taking back a message", () => {
  it("cancels a steer that the agent gives back", () => {
    const bench = busySession();
    expect(bench.apply("cancelMessage", "msg_steer")).toBe("asked");
    expect(bench.commands).toMatchObject([{ type: "retract", message: "msg_steer" }]);
    bench.output({ kind: "retracted", message: "msg_steer", ok: true });
    expect(bench.view.sent.map(({ message }) => message)).toEqual([]);
    expect(bench.events.at(-1)).toMatchObject({ data: { message: "msg_steer", state: "cancelled" } });
  });

  it("leaves a steer that the agent has read", () => {
    const bench = busySession();
    bench.apply("cancelMessage", "msg_steer");
    bench.output({ kind: "retracted", message: "msg_steer", ok: false });
    expect(bench.view.sent).toHaveLength(1);
  });

  it("is refused if the agent cannot give messages back", () => {
    const bench = busySession();
    bench.state = { ...bench.state, conversation: fakeConversation({ ready: false }) };
    expect(() => bench.apply("cancelMessage", "msg_steer")).toThrow(/does not give messages back/);
    expect(() => bench.apply("cancelMessage", "msg_a")).toThrow(/no longer in the queue/);
  });

  it("refuses to steer with a queued message if the agent cannot be steered", () => {
    const bench = new EngineBench({ steer: "queue" });
    send(bench, "a");
    send(bench, "b");
    const change = { delivery: "steer" } as const;
    expect(() => bench.apply("editMessage", { message: "msg_b", change })).toThrow(/during a turn/);
  });
});
