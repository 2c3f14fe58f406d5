import { beforeEach, describe, expect, it } from "vitest";
import type { DeadlineSettings } from "../state.ts";
import { EngineBench } from "./engine.fake.ts";

const SETTINGS: DeadlineSettings = {
  handshakeSeconds: 60,
  loginSeconds: 60,
  firstOutputSeconds: 60,
  silenceSeconds: 60,
  retrySeconds: 60,
  interruptSeconds: 60,
  lostOutputSeconds: 7,
  turnSeconds: 600,
  idleSeconds: 600,
};
const SINCE = "2026-01-01T00:00:00.000Z";

let bench: EngineBench;
beforeEach(() => {
  bench = new EngineBench();
  Object.assign(bench.context, { deadlines: SETTINGS });
  const message = { id: "msg_1", text: "go", attachments: [], delivery: "auto", author: "user" } as const;
  bench.apply("send", { message: { ...message, attachments: [] } });
});

const print = (...outputs: object[]) =>
  bench.apply("stdout", {
    lines: [{ kind: "line", text: JSON.stringify({ outputs }), end: 10 }],
    end: 10,
  });
const notices = () => bench.events.flatMap((event) => (event.type === "notice" ? [event.data.kind] : []));

describe.each([
  ["a full disk", () => bench.apply("diskFreed", { since: SINCE })],
  ["a truncated recording", () => bench.apply("outputCut", { from: 100, to: 3 })],
])("after %s", (_, lose) => {
  it("records a notice, and ends a turn that stays silent as failed", () => {
    lose();
    expect(notices()).toEqual(["storage"]);
    expect(bench.state.deadlines.lostOutput?.seconds).toBe(7);
    bench.apply("deadlinePassed", "lostOutput");
    expect(bench.view.turn).toBeUndefined();
    expect(bench.view.lastTurn).toMatchObject({ outcome: "failed", error: { category: "protocol" } });
    expect(bench.effects).toContainEqual({ type: "stop", reason: "deadline" });
  });

  it("lets a turn continue whose agent prints again", () => {
    lose();
    print({ kind: "delta", item: "itm_1", channel: "text", text: "still here" });
    expect(bench.state.deadlines.lostOutput).toBeUndefined();
    expect(bench.view.turn).toBeDefined();
  });

  it("sets no deadline for a session without a turn", () => {
    print({ kind: "finish", outcome: "completed" });
    lose();
    expect(notices()).toEqual(["storage"]);
    expect(bench.state.deadlines.lostOutput).toBeUndefined();
  });
});

it("continues at the new end of a truncated recording", () => {
  bench.apply("outputCut", { from: 100, to: 3 });
  expect(bench.state.conversation?.offset).toBe(3);
});

const done = (item: string, text: string) => ({ kind: "event", event: { type: "message.done", data: { item, text } } });

it("retracts a streamed text that lost a piece, and stores the whole text as another item", () => {
  print({ kind: "delta", item: "itm_1", channel: "text", text: "one " });
  print({ kind: "delta", item: "itm_1", channel: "text", text: "three" }, done("itm_1", "one two three"));
  print(done("itm_1", "repeated"));
  const stored = bench.events.flatMap(({ type, data }) =>
    /^(message\.(done|retracted)|raw)$/.test(type) ? [[type, data]] : [],
  );
  expect(stored).toMatchObject([
    ["message.retracted", { items: ["itm_1"] }],
    ["message.done", { item: "itm_1.again", text: "one two three" }],
    ["raw", { reason: "repeated" }],
  ]);
});

it("stores the pieces of more texts than can be open as raw", () => {
  for (let index = 0; index <= 2000; index++)
    print({ kind: "delta", item: `itm_${index}`, channel: "text", text: "piece" });
  expect(bench.state.open.size).toBe(2000);
  expect(bench.events.filter(({ type }) => type === "raw")).toHaveLength(1);
});
