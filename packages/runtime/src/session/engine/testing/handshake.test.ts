import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Channel } from "../../../agents/contract.ts";
import { builtInAgents } from "../../../agents/registry.ts";
import type { DeadlineSettings } from "../state.ts";
import { EngineBench, fakeChannel, fakeConversation } from "./engine.fake.ts";

const SETTINGS: DeadlineSettings = {
  handshakeSeconds: 60,
  resumeSeconds: 120,
  loginSeconds: 600,
  firstOutputSeconds: 60,
  silenceSeconds: 60,
  retrySeconds: 60,
  interruptSeconds: 60,
  lostOutputSeconds: 7,
  turnSeconds: 600,
  idleSeconds: 600,
};

/** A bench with a running turn and a process whose conversation is not open yet. */
function benchOn(channel: Channel<never>, more: { resume?: string } = {}): EngineBench {
  const bench = new EngineBench();
  Object.assign(bench.context, { deadlines: SETTINGS });
  const message = { id: "msg_1", text: "go", attachments: [], delivery: "auto", author: "user" } as const;
  bench.apply("send", { message: { ...message, attachments: [] } });
  const options = { cwd: "/work", mode: "ask" as const, uuid: "12345678-0000", dir: "/tmp/x", ...more };
  const state = channel.initial(options) as never;
  bench.state = { ...bench.state, conversation: fakeConversation({ channel, state, ready: false }) };
  bench.apply("startHandshake", undefined);
  return bench;
}

const print = (bench: EngineBench, message: object) =>
  bench.apply("stdout", { lines: [{ kind: "line", text: JSON.stringify(message), end: 10 }], end: 10 });

function channelOf(id: string): Channel<never> {
  const [channel] = builtInAgents.find((agent) => agent.id === id)?.channels ?? [];
  if (!channel) throw new Error(`no agent ${id}`);
  return channel;
}

const RPC = { jsonrpc: "2.0" };
const ABLE = { protocolVersion: 1, agentCapabilities: { loadSession: true } };

describe("a handshake names the request that the agent does not answer", () => {
  it("of an ACP agent with a new conversation", () => {
    const bench = benchOn(channelOf("goose"));
    expect(bench.state.deadlines.handshake).toMatchObject({ stage: "initialize", seconds: 60 });
    print(bench, { ...RPC, id: 1, result: ABLE });
    expect(bench.state.deadlines.handshake).toMatchObject({ stage: "session/new", seconds: 60 });
    bench.apply("deadlinePassed", "handshake");
    expect(bench.view.lastTurn).toMatchObject({
      outcome: "failed",
      error: { category: "timeout", stage: "session/new" },
    });
    expect(bench.view.lastTurn?.error).toMatchObject({ message: expect.stringContaining("session/new within 60 s") });
    expect(bench.effects).toContainEqual({ type: "stop", reason: "deadline" });
  });

  it("of an ACP agent that loads a conversation, with more time", () => {
    const bench = benchOn(channelOf("goose"), { resume: "old" });
    print(bench, { ...RPC, id: 1, result: ABLE });
    expect(bench.state.deadlines.handshake).toMatchObject({ stage: "session/load", seconds: 120 });
  });

  it("of an app server that resumes a thread", () => {
    const bench = benchOn(channelOf("codex"), { resume: "0199a213-81c0-7800-8aa1-bbab2a035a53" });
    expect(bench.state.deadlines.handshake).toMatchObject({ stage: "initialize", seconds: 60 });
    print(bench, { id: 1, result: { userAgent: "codex", codexHome: "/h" } });
    expect(bench.state.deadlines.handshake).toMatchObject({ stage: "thread/resume", seconds: 120 });
  });

  it.each([
    ["claude", "initialize"],
    ["pi", "get_state"],
    ["gantry", "get_state"],
    ["droid", "droid.initialize_session"],
  ])("of %s", (id, stage) => {
    expect(benchOn(channelOf(id)).state.deadlines.handshake?.stage).toBe(stage);
  });

  it("and a channel without named stages has one deadline with a plain message", () => {
    const bench = benchOn(fakeChannel);
    expect(bench.state.deadlines.handshake).toMatchObject({ stage: "start", seconds: 60 });
    bench.apply("deadlinePassed", "handshake");
    expect(bench.view.lastTurn?.error).toEqual(
      expect.objectContaining({ message: "The agent did not open the conversation within 60 s." }),
    );
  });
});

it("starts the deadline again only when the stage changes, whatever else the agent prints", () => {
  const staged = {
    ...fakeChannel,
    stage: ({ name }: { name: string }) => ({ name }),
    decode: (state: object, frame: { msg?: { stage?: string } }) => [
      frame.msg?.stage ? { name: frame.msg.stage } : state,
      [],
    ],
    initial: () => ({ name: "a" }),
  } as unknown as Channel<never>;
  fc.assert(
    fc.property(fc.array(fc.option(fc.constantFrom("a", "b", "c"))), (lines) => {
      const bench = benchOn(staged);
      let stage = "a";
      let at = bench.state.deadlines.handshake?.at;
      for (const line of lines) {
        print(bench, line ? { stage: line } : { noise: true });
        const deadline = bench.state.deadlines.handshake;
        expect(deadline?.stage).toBe(line ?? stage);
        if ((line ?? stage) === stage) expect(deadline?.at).toBe(at);
        else expect(deadline?.at).toBeGreaterThan(at ?? Infinity);
        stage = line ?? stage;
        at = deadline?.at;
      }
    }),
  );
});
