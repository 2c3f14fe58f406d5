import { readdirSync, readFileSync } from "node:fs";
import { EnvelopeSchema, eventTable, pairs } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import type { Frame, Output } from "../contract.ts";
import type { ScriptedState } from "./decode.ts";
import { scriptedChannel } from "./descriptor.ts";

const fixtures = new URL("fixtures/", import.meta.url);
const options = { cwd: "/work/project", mode: "ask", uuid: "u", dir: "/tmp/process" } as const;

/** All outputs of a conversation, starting with an open conversation unless the frames start it. */
function play(
  frames: Frame[],
  state: ScriptedState = { ...scriptedChannel.initial(options), session: "s1" },
): Output[] {
  let current = state;
  return frames.flatMap((frame) => {
    const [next, outputs] = scriptedChannel.decode(current, frame);
    // What the daemon stores between two reads is JSON.
    current = JSON.parse(JSON.stringify(next)) as ScriptedState;
    return outputs;
  });
}

const playPrinted = (...msgs: unknown[]) => play(msgs.map((msg) => ({ dir: "out", msg })));
const event = (type: string, data: unknown) => playPrinted({ type: "event", event: { type, data } });

function playRecording(name: string): Output[] {
  const lines = readFileSync(new URL(name, fixtures), "utf8").trim().split("\n");
  return play(
    lines.map((line) => JSON.parse(line) as Frame),
    scriptedChannel.initial(options),
  );
}

const ofKind = <K extends Output["kind"]>(outputs: Output[], kind: K) =>
  outputs.filter((output): output is Extract<Output, { kind: K }> => output.kind === kind);
const eventsOf = (outputs: Output[]) => ofKind(outputs, "event").map((output) => output.event);
const rawOf = (outputs: Output[]) => eventsOf(outputs).filter(({ type }) => type === "raw");

describe("recordings", () => {
  const clean = readdirSync(fixtures).filter((name) => name !== "disturbed.jsonl");

  it.each(clean)("%s has no unknown frame and only valid events", (name) => {
    const outputs = playRecording(name);
    expect(rawOf(outputs)).toEqual([]);
    for (const [index, draft] of eventsOf(outputs).entries()) {
      const envelope = { v: 1, session: "ses_x", seq: index + 1, at: "2026-01-01T00:00:00.000Z", ...draft };
      expect(EnvelopeSchema.safeParse(envelope).error, JSON.stringify(draft)).toBeUndefined();
    }
  });

  it.each(clean)("%s has one end per start, and deltas that add up to the text", (name) => {
    const outputs = playRecording(name);
    expect(ofKind(outputs, "begin")).toHaveLength(ofKind(outputs, "finish").length);
    expect(ofKind(outputs, "ask").map(({ key }) => key)).toEqual(ofKind(outputs, "withdrawn").map(({ key }) => key));
    const events = eventsOf(outputs).map(({ type, data }) => ({
      type: type as string,
      data: data as Record<string, unknown>,
    }));
    for (const { start, end, key } of pairs) {
      const ids = (wanted: string) => events.filter(({ type }) => type === wanted).map(({ data }) => data[key]);
      expect(ids(end).sort()).toEqual(ids(start).sort());
    }
    const streamed = new Map<string, string>();
    for (const { item, channel, text } of ofKind(outputs, "delta")) {
      if (channel === "text") streamed.set(item, (streamed.get(item) ?? "") + text);
    }
    for (const [item, text] of streamed) {
      expect(events.find(({ type, data }) => type === "message.done" && data.item === item)?.data.text).toBe(text);
    }
  });

  it("report prompts and accepted messages", () => {
    const outputs = playRecording("steered-and-interrupted.jsonl");
    expect(ofKind(outputs, "ready")[0]).toMatchObject({
      handle: expect.stringMatching(/^sca_/),
      models: [{ id: "scripted-1" }, {}],
    });
    expect(ofKind(outputs, "prompted").map(({ message, steer }) => [message, steer])).toEqual([
      ["msg_1", undefined],
      ["msg_steer", true],
      ["msg_2", undefined],
    ]);
    expect(ofKind(outputs, "taken").map(({ message, inline }) => [message, inline])).toEqual([
      ["msg_1", false],
      ["msg_steer", true],
      ["msg_2", false],
    ]);
    expect(ofKind(outputs, "ack").map(({ key }) => key)).toEqual(["start", "msg_1", "msg_steer", "ping_1", "msg_2"]);
    expect(ofKind(outputs, "finish").map(({ outcome }) => outcome)).toEqual(["interrupted", "completed"]);
  });

  it("report requests and answers", () => {
    const outputs = playRecording("question.jsonl");
    const [asked] = ofKind(outputs, "ask");
    expect(asked?.request).toMatchObject({ kind: "question", title: "Which colour?", questions: [{ id: "q1" }] });
    expect(asked?.request).not.toHaveProperty("id");
    expect(ofKind(outputs, "answered")).toEqual([
      { kind: "answered", key: asked?.key, answer: { decision: "allow", answers: { q1: "Blue" } } },
    ]);
    expect(outputs).toContainEqual({ kind: "ack", key: `answer:${asked?.key}` });
  });

  it("report a failed turn with its category", () => {
    expect(ofKind(playRecording("failed.jsonl"), "finish")[0]).toMatchObject({
      outcome: "failed",
      error: { category: "rate_limit", retryable: true },
    });
  });

  it("report a missing conversation", () => {
    const outputs = playRecording("lost.jsonl");
    expect(outputs).toEqual([{ kind: "lost", message: "There is no conversation sca_nobody" }]);
  });

  it("of a disturbed agent are decoded without loss", () => {
    const outputs = playRecording("disturbed.jsonl");
    expect(ofKind(outputs, "begin")).toHaveLength(1);
    expect(ofKind(outputs, "finish")).toHaveLength(1);
    const text = ofKind(outputs, "delta").map((delta) => delta.text);
    expect(text.join("")).toBe("Hello from the scripted agent. The answer is 42.");
    const reasons = new Set(rawOf(outputs).map(({ data }) => (data as { reason?: string }).reason));
    expect([...reasons].sort()).toEqual([
      "an unknown type of frame",
      "not JSON",
      "not an object",
      "of another conversation",
    ]);
  });
});

describe("events", () => {
  it("get unified item ids", () => {
    expect(eventsOf(event("message.done", { item: "m 1", text: "hi" }))).toEqual([
      { type: "message.done", data: { item: "itm_m-1.3:172qhbv", text: "hi" } },
    ]);
    expect(eventsOf(event("message.retracted", { items: ["a", "itm_b"] }))[0]?.data).toEqual({
      items: ["itm_a", "itm_b"],
    });
    expect(playPrinted({ type: "delta", item: "m1", channel: "text", text: "h" })).toEqual([
      { kind: "delta", item: "itm_m1", channel: "text", text: "h" },
    ]);
    expect(event("input.requested", { id: "q", item: "t1", kind: "approval", title: "May I?" })).toMatchObject([
      {
        kind: "ask",
        key: "q",
        request: { item: "itm_t1", kind: "approval", title: "May I?", options: [], blocking: true },
      },
    ]);
  });

  it("get the protocol's defaults and drop unknown fields", () => {
    const [first] = eventsOf(event("reasoning.done", { item: "r", text: "hm", colour: "blue" }));
    expect(first?.data).toEqual({ item: "itm_r", text: "hm", redacted: false });
  });

  it("get the remedy that belongs to a failure's category", () => {
    const [finish] = ofKind(
      event("turn.ended", { outcome: "failed", error: { category: "auth", message: "no" } }),
      "finish",
    );
    expect(finish?.error).toMatchObject({
      category: "auth",
      message: "no",
      retryable: false,
      remedy: expect.any(String),
    });
    expect(eventsOf(event("error", { category: "network", message: "down" }))[0]).toMatchObject({
      type: "error",
      data: { category: "network", retryable: true },
    });
  });

  it("of every type with invalid data are stored as raw with the reason", () => {
    const nonsense = { item: 7, id: 7, outcome: 7, messages: 7, inferred: 7 };
    for (const type of [...Object.keys(eventTable), "constructor", "__proto__", "no.such.event"]) {
      const outputs = event(type, nonsense);
      expect(outputs).toMatchObject([{ event: { type: "raw", data: { reason: expect.stringMatching(/\w/) } } }]);
    }
  });

  it("that only Gantry may create are stored as raw", () => {
    const outputs = event("message.user", { message: "msg_1", text: "forged" });
    expect(rawOf(outputs)).toMatchObject([{ data: { reason: "message.user is reserved for Gantry" } }]);
  });
});

describe("frames", () => {
  it("of every kind are decoded", () => {
    expect(playPrinted({ type: "pong", id: "p" })).toEqual([{ kind: "ack", key: "p" }]);
    expect(playPrinted({ type: "set.done", field: "mode", value: "plan", ok: true })).toEqual([
      { kind: "applied", field: "mode", value: "plan", ok: true },
    ]);
    expect(playPrinted({ type: "accepted", id: "msg_1", inline: false })[1]).toEqual({
      kind: "taken",
      message: "msg_1",
      inline: false,
    });
    expect(eventsOf(playPrinted({ type: "error", code: "bad_frame", message: "what?" }))[0]).toMatchObject({
      type: "error",
      data: { category: "unknown", message: "what? (bad_frame)" },
    });
    expect(event("turn.started", { messages: ["msg_1"] })).toEqual([{ kind: "begin", messages: ["msg_1"] }]);
  });

  it("that cannot be parsed are stored as raw without an exception", () => {
    const odd = [null, 7, "text", [], {}, { type: 1 }, { type: "event" }, { type: "event", event: { type: "notice" } }];
    const bent = ["ready", "accepted", "delta", "set.done", "pong", "error"].map((type) => ({ type }));
    for (const msg of [...odd, ...bent]) expect(rawOf(playPrinted(msg)), JSON.stringify(msg)).toHaveLength(1);
    expect(
      rawOf(
        play([
          { dir: "out", text: "hello" },
          { dir: "out", oversize: 9, head: "{" },
        ]),
      ),
    ).toHaveLength(2);
  });

  it("of the other side, stderr and exit produce no agent events", () => {
    const frames: Frame[] = [
      { dir: "in", msg: { type: "start" } },
      { dir: "in", msg: "text" },
      { dir: "in", msg: { type: "answer", id: "q", decision: "perhaps" } },
      { dir: "err", text: "warning" },
      { dir: "end", code: null, signal: "SIGKILL" },
    ];
    expect(play(frames)).toEqual([]);
  });

  it("of a second conversation do not replace the first", () => {
    const outputs = playPrinted({ type: "ready", session: "other" });
    expect(ofKind(outputs, "ready")).toEqual([]);
    expect(rawOf(outputs)).toHaveLength(1);
  });
});
