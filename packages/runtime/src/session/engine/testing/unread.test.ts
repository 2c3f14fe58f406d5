import { beforeEach, describe, expect, it } from "vitest";
import type { Line } from "../../../framing/lines.ts";
import type { DeadlineSettings } from "../state.ts";
import { EngineBench, fakeConversation } from "./engine.fake.ts";

const SETTINGS: DeadlineSettings = {
  handshakeSeconds: 3,
  loginSeconds: 60,
  firstOutputSeconds: 5,
  silenceSeconds: 60,
  retrySeconds: 60,
  interruptSeconds: 60,
  lostOutputSeconds: 7,
  turnSeconds: 600,
  idleSeconds: 600,
};
const channel = {
  ...fakeConversation().channel,
  decode: (state: object, frame: { text?: string; msg?: { outputs?: object[] } }) => [
    state,
    frame.text === undefined && !Array.isArray(frame.msg)
      ? (frame.msg?.outputs ?? [])
      : [
          {
            kind: "event",
            event: { type: "raw", data: { channel: "fake", frame: frame.text ?? frame.msg, reason: "not JSON" } },
          },
        ],
  ],
};

let bench: EngineBench;
let end = 0;
beforeEach(() => {
  bench = new EngineBench();
  bench.state = { ...bench.state, conversation: fakeConversation({ channel: channel as never }) };
  Object.assign(bench.context, { deadlines: SETTINGS });
});

const send = (id = "msg_1") =>
  bench.apply("send", { message: { id, text: "go", attachments: [], delivery: "auto", author: "user" } });
const print = (...texts: string[]) => {
  const lines = texts.map((text): Line => ({ kind: "line", text, end: ++end }));
  bench.apply("stdout", { lines, end });
};
const message = (...outputs: object[]) => JSON.stringify({ outputs });
const lastError = () => bench.view.lastTurn?.error as { message: string } | undefined;
const raws = () => bench.events.filter(({ type }) => type === "raw");

describe("a deadline after output that could not be read", () => {
  it("names the first line as a protocol failure", () => {
    send();
    print('{"jsonrpc":"2.0","id":3,', "garbage");
    bench.apply("deadlinePassed", "firstOutput");
    expect(lastError()).toMatchObject({ category: "protocol", message: expect.stringContaining('{"jsonrpc":"2.0"') });
    expect(lastError()?.message).toContain("2 lines");
  });

  it("names half a line", () => {
    send();
    bench.apply("unfinishedLine", { bytes: 40, head: '{"half' });
    bench.apply("deadlinePassed", "firstOutput");
    expect(lastError()).toMatchObject({ category: "protocol", message: expect.stringContaining("40 bytes of a line") });
  });

  it("stays a timeout if nothing was printed, or only before the prompt", () => {
    print("banner");
    send();
    bench.apply("deadlinePassed", "firstOutput");
    expect(lastError()).toMatchObject({ category: "timeout" });
  });

  it("does not name half a line that was completed before the deadline", () => {
    send();
    bench.apply("unfinishedLine", { bytes: 40, head: '{"half' });
    print(message({ kind: "delta", item: "itm_1", channel: "text", text: "hi" }));
    bench.apply("deadlinePassed", "turn");
    expect(lastError()).toMatchObject({ category: "timeout" });
  });

  it("stays a timeout if the whole turn took too long, because its output was read", () => {
    send();
    print("garbage", message({ kind: "delta", item: "itm_1", channel: "text", text: "hi" }));
    bench.apply("deadlinePassed", "turn");
    expect(lastError()).toMatchObject({ category: "timeout" });
  });

  it.each(["method", "type", "role"])("does not come for a message of an unknown kind, named by its %s", (name) => {
    send();
    print(message({ kind: "delta", item: "itm_1", channel: "text", text: "hi" }));
    const event = { type: "raw", data: { channel: "fake", frame: {}, reason: "unknown frame" } };
    print(JSON.stringify({ [name]: "new", outputs: [{ kind: "event", event }] }));
    expect(raws()).toHaveLength(1);
    expect(bench.state.deadlines.lostOutput).toBeUndefined();
    bench.apply("deadlinePassed", "firstOutput");
    expect(lastError()).toBeUndefined();
  });

  it("does not come for an empty batch, which has no message", () => {
    send();
    print(message({ kind: "delta", item: "itm_1", channel: "text", text: "hi" }));
    print("[]");
    expect(raws()).toHaveLength(1);
    expect(bench.state.deadlines.lostOutput).toBeUndefined();
    print("[1]");
    expect(bench.state.deadlines.lostOutput).toBeDefined();
  });

  it("comes soon if the turn had begun and no tool runs, because the line may have been its end", () => {
    send();
    print(message({ kind: "delta", item: "itm_1", channel: "text", text: "hi" }));
    print("a log message");
    expect(bench.state.deadlines.lostOutput).toBeUndefined();
    print('{"id":3,"result":{"stopReason":');
    const { at } = bench.state.deadlines.lostOutput ?? {};
    print('{"id":3,"result":{"stopReason":');
    expect(bench.state.deadlines.lostOutput?.at).toBe(at);
    bench.apply("deadlinePassed", "lostOutput");
    expect(lastError()).toMatchObject({ category: "protocol", message: expect.stringContaining("stopReason") });
  });
});

describe("many raw events", () => {
  it("are counted after the first ones, with a summary at the end of the turn", () => {
    send();
    for (let batch = 0; batch < 30; batch++) print(...Array.from({ length: 100 }, () => "garbage"));
    expect(raws()).toHaveLength(200);
    print(message({ kind: "finish", outcome: "completed" }));
    expect(raws()).toHaveLength(201);
    expect(raws().at(-1)?.data).toMatchObject({ frame: { lines: 2800, bytes: 2800 * 7, first: "garbage" } });
    send("msg_2");
    print("garbage");
    expect(raws()).toHaveLength(202);
  });

  it("get a summary when the process ends", () => {
    send();
    print(...Array.from({ length: 250 }, () => "garbage"));
    bench.apply("processExited", { code: 1, signal: null });
    expect(raws().at(-1)?.data).toMatchObject({ frame: { lines: 50 } });
  });

  it.each([
    ["it is released", () => bench.apply("beforeRelease", undefined)],
    ["its conversation is lost", () => print(message({ kind: "lost", message: "gone" }))],
  ])("get a summary when the process ends between two turns because %s", (_, release) => {
    print(...Array.from({ length: 250 }, () => "garbage"));
    release();
    expect(raws().at(-1)?.data).toMatchObject({ frame: { lines: 50 } });
  });
});

it("quarantines a line: it becomes raw, and reading continues after it", () => {
  send();
  bench.apply("quarantine", { text: "[".repeat(9000), reason: "could not be processed", end: 9001 });
  expect(raws()).toHaveLength(1);
  expect(JSON.stringify(raws()[0]).length).toBeLessThan(6000);
  expect(bench.state.conversation?.offset).toBe(9001);
  expect(bench.state.deadlines.lostOutput?.seconds).toBe(7);
});

describe("a process that takes no input", () => {
  it("is started again, once, if the prompt was not delivered", () => {
    send();
    bench.apply("promptUndelivered", "it closed its standard input");
    expect(bench.view.turn).toBeDefined();
    expect(bench.effects).toContainEqual({ type: "stop", reason: "deadline" });
    bench.apply("promptUndelivered", "it closed its standard input");
    expect(lastError()).toMatchObject({ category: "protocol", message: expect.stringContaining("standard input") });
  });

  it("fails the turn if the agent had begun to work on it", () => {
    send();
    print(message({ kind: "delta", item: "itm_1", channel: "text", text: "hi" }));
    bench.apply("promptUndelivered", "it closed its standard input");
    expect(bench.view.lastTurn?.outcome).toBe("failed");
  });
});

it("reports that a process never opened the conversation, with the reason from stderr", () => {
  bench.state = { ...bench.state, conversation: fakeConversation({ ready: false }) };
  send();
  bench.apply("processExited", { code: 1, signal: null });
  bench.state = { ...bench.state, conversation: fakeConversation({ ready: false }) };
  const stderr = ["node:internal/x", "Error: Cannot find module 'y'", "    at z"];
  bench.apply(
    "stderr",
    stderr.map((text): Line => ({ kind: "line", text, end: 1 })),
  );
  bench.apply("processExited", { code: 1, signal: null });
  expect(lastError()).toMatchObject({ category: "crashed" });
  expect(lastError()?.message).toMatch(/before it opened the conversation.*Cannot find module 'y'/);
});

it("interrupts a turn whose agent exits after a Stop", () => {
  send();
  print(message({ kind: "delta", item: "itm_1", channel: "text", text: "hi" }));
  bench.apply("interrupt", "pause");
  bench.apply("processExited", { code: 1, signal: null });
  expect(bench.view.lastTurn?.outcome).toBe("interrupted");
});

it("names what the process printed to stderr when it crashes, also after an empty line", () => {
  send();
  const lines = ["", "out of file handles"].map((text): Line => ({ kind: "line", text, end: ++end }));
  bench.apply("stderr", lines);
  bench.apply("processExited", { code: 1, signal: null });
  expect(lastError()?.message).toContain("It printed: out of file handles");
});

describe("output without bounds", () => {
  const long = "x".repeat(1_000_000);

  it("is cut in failures, and stored whole as raw", () => {
    send();
    print(message({ kind: "finish", outcome: "failed", error: { category: "unknown", message: long } }));
    expect(lastError()?.message.length).toBeLessThan(20_000);
    expect(JSON.stringify(bench.view).length).toBeLessThan(100_000);
    expect(raws()).toHaveLength(1);
  });

  it("is cut in a plan only far above the length of a plan, because a person approves all of it", () => {
    send();
    const plan = (detail: string) => ({ kind: "ask", key: "1", request: { kind: "plan", title: "Plan", detail } });
    print(message(plan("x".repeat(100_000))));
    expect(bench.view.inputs[0]?.detail).toHaveLength(100_000);
    print(message({ kind: "withdrawn", key: "1", reason: "again" }, plan(long)));
    expect(bench.view.inputs[0]?.detail?.length).toBeLessThan(300_000);
    print(
      message({ kind: "finish", outcome: "completed" }, { kind: "plan", item: "itm_9", title: "Plan", text: long }),
    );
    expect(bench.view.inputs[0]?.detail?.length).toBeLessThan(300_000);
  });

  it("is cut in notices, inputs and lists", () => {
    send();
    const commands = Array.from({ length: 5000 }, (_, index) => ({ name: `c${index}` }));
    print(
      message(
        { kind: "event", event: { type: "notice", data: { kind: "agent", severity: "info", text: long } } },
        { kind: "event", event: { type: "commands.changed", data: { commands } } },
        { kind: "ask", key: "1", request: { kind: "approval", title: "t", detail: long, options: [] } },
      ),
    );
    const plugins = commands.map(({ name }) => name);
    print(message({ kind: "controls", values: { style: long }, plugins }));
    expect(bench.view.plugins).toHaveLength(2000);
    const others = bench.events.filter(({ type }) => type !== "raw");
    expect(JSON.stringify(others).length).toBeLessThan(200_000);
    expect(raws()).toHaveLength(4);
  });
});

it("grants no command for the session that was cut, because another one can have the same beginning", () => {
  send();
  const ask = (key: string, end: string) => {
    const tool = { name: "bash", kind: "execute", command: `echo '${"x".repeat(20_000)}'; ${end}` };
    print(message({ kind: "ask", key, request: { kind: "approval", title: "Run", tool, options: [] } }));
  };
  ask("1", "ls -l");
  const [input] = bench.view.inputs;
  expect(input?.scope).toBeUndefined();
  const answer = (decision: "allow" | "allow_session") =>
    bench.apply("answerInput", { id: input?.id ?? "", answer: { decision } });
  expect(() => answer("allow_session")).toThrow("cannot be allowed for a whole session");
  answer("allow");
  ask("2", "rm -r");
  expect(bench.view.inputs).toHaveLength(1);
});

it("refuses to allow a request that offers no option to allow it", () => {
  send();
  const options = [{ id: "no", label: "No", effect: "deny" }];
  print(message({ kind: "ask", key: "1", request: { kind: "approval", title: "t", options } }));
  const [input] = bench.view.inputs;
  const answer = (decision: "allow" | "deny") =>
    bench.apply("answerInput", { id: input?.id ?? "", answer: { decision } });
  expect(() => answer("allow")).toThrow("no option that allows it");
  answer("deny");
  expect(bench.view.inputs).toEqual([]);
});
