import type { InputRequest } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import type { AgentCommand, Channel, Frame, LaunchOptions } from "../../../contract.ts";
import { data, framesOf, launch, only, play } from "../../../json-lines/recordings.fake.ts";
import { streamJsonRpc } from "./channel.ts";

const channel = streamJsonRpc as unknown as Channel<unknown>;
const played = (name: string) => play(streamJsonRpc, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;
const opening = (options: Partial<LaunchOptions>) => channel.open(channel.initial({ ...launch, ...options }))[0]?.msg;
const encoded = (command: AgentCommand, state = channel.initial(launch)) =>
  channel.encode(state, command)?.map(({ msg }) => msg);

describe("opening", () => {
  it("names folder, model and rung, or the session to go on with", () => {
    expect(opening({ mode: "auto-edit", model: "m" })).toMatchObject({
      method: "droid.initialize_session",
      params: { cwd: "/workspace/project", modelId: "m", autonomyLevel: "low", interactionMode: "auto" },
    });
    expect(opening({ resume: "s-1" })).toMatchObject({ method: "droid.load_session", params: { sessionId: "s-1" } });
    expect(channel.launch(launch).args).toEqual([
      ...["exec", "--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc"],
    ]);
  });

  it("is done with the session's name and its models", () => {
    const ready = only(played("shell-allow"), "ready");
    expect(ready).toContainEqual(expect.objectContaining({ handle: "d16eac3d-937d-43fe-9109-e8a38cef9f2d" }));
    expect(ready.at(-1)?.models?.[0]).toMatchObject({ id: "claude-fable-5.1", name: "Fable 5.1" });
  });

  it("of a session that is not there loses it", () => {
    const error: Frame = { dir: "out", msg: { type: "response", id: "open", error: { message: "Session not found" } } };
    expect(only(play(streamJsonRpc, [error], { ...launch, resume: "s-1" }).outputs, "lost")).toHaveLength(1);
    expect(data(play(streamJsonRpc, [error]).outputs, "error")).toHaveLength(1);
  });
});

describe("commands", () => {
  it("are told in Droid's words", () => {
    expect(encoded({ type: "prompt", message: "msg_1", text: "hi", attachments: [] })).toMatchObject([
      { id: "msg_1", method: "droid.add_user_message", params: { text: "hi" } },
    ]);
    expect(encoded({ type: "interrupt" })).toMatchObject([{ method: "droid.interrupt_session" }]);
    expect(encoded({ type: "set", mode: "full-auto" })).toMatchObject([{ params: { autonomyLevel: "high" } }]);
    expect(encoded({ type: "set", model: "m" })).toMatchObject([{ params: { modelId: "m" } }]);
    expect(encoded({ type: "set", mode: "inherit" })).toBeUndefined();
    expect(encoded({ type: "ping", key: "k" })).toMatchObject([{ id: "k", method: "droid.get_context_stats" }]);
    expect(encoded({ type: "compact" })).toBeUndefined();
    expect(encoded({ type: "steer", message: "m", text: "x", attachments: [] })).toBeUndefined();
  });

  it("that answer use Droid's own options", () => {
    const request = only(played("shell-allow"), "ask")[0]?.request as InputRequest;
    expect(request).toMatchObject({
      kind: "approval",
      tool: { command: expect.stringContaining("echo shell-marker") },
    });
    const answer = (decision: "allow" | "allow_session" | "deny") =>
      encoded({ type: "answer", key: "k", answer: { decision }, request })?.[0];
    expect(answer("allow")).toMatchObject({ type: "response", id: "k", result: { selectedOption: "proceed_once" } });
    expect(answer("allow_session")).toMatchObject({ result: { selectedOption: "proceed_always" } });
    expect(answer("deny")).toMatchObject({ result: { selectedOption: "cancel" } });
  });
});

it("a message is taken when Droid echoes it", () => {
  const { outputs } = play(streamJsonRpc, [
    { dir: "in", msg: { type: "request", id: "msg_1", method: "droid.add_user_message", params: { text: "hi" } } },
    { dir: "out", msg: { type: "response", id: "msg_1", result: {} } },
    notification({
      type: "create_message",
      requestId: "msg_1",
      message: { role: "user", content: [{ type: "text", text: "hi" }] },
    }),
  ]);
  expect(outputs).toContainEqual({ kind: "taken", message: "msg_1", inline: false });
  expect(only(outputs, "prompted")).toHaveLength(1);
});

it("a denied call says so, and an unknown request is refused and not left to wait", () => {
  expect(data(played("write-deny"), "tool.ended")).toMatchObject([{ status: "denied" }]);
  const { outputs } = play(streamJsonRpc, [
    { dir: "out", msg: { type: "request", id: "q", method: "droid.ask_moon" } },
  ]);
  expect(data(outputs, "raw")).toHaveLength(1);
  expect(only(outputs, "send")[0]?.frame.msg).toMatchObject({ id: "q", error: { code: -32601 } });
});

function notification(said: object): Frame {
  return {
    dir: "out",
    msg: { type: "notification", method: "droid.session_notification", params: { notification: said } },
  };
}
