import type { InputAnswer, InputRequest } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import type { AgentCommand, Channel, Frame, LaunchOptions } from "../../../contract.ts";
import { data, framesOf, launch, outputsOfKind, play } from "../../../json-lines/recordings.fake.ts";
import { streamJsonRpc } from "./channel.ts";
import { rungs } from "./state.ts";

const channel = streamJsonRpc as unknown as Channel<unknown>;
const playFixture = (name: string) => play(streamJsonRpc, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;
const openingFrame = (options: Partial<LaunchOptions>) =>
  channel.open(channel.initial({ ...launch, ...options }))[0]?.msg;
const encodeCommand = (command: AgentCommand, state = channel.initial(launch)) =>
  channel.encode(state, command)?.map(({ msg }) => msg);

describe("opening", () => {
  it("passes the folder, model and mode, or the session to resume", () => {
    expect(openingFrame({ mode: "auto-edit", model: "m" })).toMatchObject({
      method: "droid.initialize_session",
      params: { cwd: "/workspace/project", modelId: "m", autonomyLevel: "low", interactionMode: "auto" },
    });
    expect(openingFrame({ resume: "s-1" })).toMatchObject({
      method: "droid.load_session",
      params: { sessionId: "s-1" },
    });
    expect(channel.launch(launch).args).toEqual([
      ...["exec", "--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc"],
    ]);
  });

  it("ends with the session's id and its models", () => {
    const ready = outputsOfKind(playFixture("shell-allow"), "ready");
    expect(ready).toContainEqual(expect.objectContaining({ handle: "d16eac3d-937d-43fe-9109-e8a38cef9f2d" }));
    expect(ready.at(-1)?.models?.[0]).toMatchObject({ id: "claude-fable-5.1", name: "Fable 5.1" });
  });

  it("reports a missing session as lost", () => {
    const error: Frame = { dir: "out", msg: { type: "response", id: "open", error: { message: "Session not found" } } };
    expect(outputsOfKind(play(streamJsonRpc, [error], { ...launch, resume: "s-1" }).outputs, "lost")).toHaveLength(1);
    expect(data(play(streamJsonRpc, [error]).outputs, "error")).toHaveLength(1);
  });
});

describe("commands", () => {
  it("are encoded in Droid's format", () => {
    expect(encodeCommand({ type: "prompt", message: "msg_1", text: "hi", attachments: [] })).toMatchObject([
      { id: "msg_1", method: "droid.add_user_message", params: { text: "hi" } },
    ]);
    expect(encodeCommand({ type: "interrupt" })).toMatchObject([{ method: "droid.interrupt_session" }]);
    expect(encodeCommand({ type: "set", mode: "full-auto" })).toMatchObject([{ params: { autonomyLevel: "high" } }]);
    expect(encodeCommand({ type: "set", model: "m" })).toMatchObject([{ params: { modelId: "m" } }]);
    expect(encodeCommand({ type: "set", mode: "inherit" })).toBeUndefined();
    expect(encodeCommand({ type: "ping", key: "k" })).toMatchObject([{ id: "k", method: "droid.get_context_stats" }]);
    const picture = { name: "p.png", mime: "image/png", data: "AAAA" };
    expect(
      encodeCommand({ type: "steer", message: "msg_2", text: "x", attachments: [picture, { path: "/a" }] }),
    ).toMatchObject([
      {
        id: "msg_2",
        method: "droid.add_user_message",
        params: {
          messageId: "msg_2",
          text: "x\n\n@/a",
          images: [{ type: "base64", mediaType: "image/png", data: "AAAA" }],
          queuePlacement: "end_of_turn",
        },
      },
    ]);
  });

  it("that answer use Droid's option ids", () => {
    const request = outputsOfKind(playFixture("shell-allow"), "ask")[0]?.request as InputRequest;
    expect(request).toMatchObject({
      kind: "approval",
      tool: { command: expect.stringContaining("echo shell-marker") },
    });
    const answer = (decision: "allow" | "allow_session" | "deny") =>
      encodeCommand({ type: "answer", key: "k", answer: { decision }, request })?.[0];
    expect(answer("allow")).toMatchObject({ type: "response", id: "k", result: { selectedOption: "proceed_once" } });
    expect(answer("allow_session")).toMatchObject({ result: { selectedOption: "proceed_once" } });
    expect(answer("deny")).toMatchObject({ result: { selectedOption: "cancel" } });
  });
});

it("confirms a message when Droid echoes it", () => {
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
  expect(outputsOfKind(outputs, "prompted")).toHaveLength(1);
});

it("reports a denied call and rejects an unknown request at once", () => {
  expect(data(playFixture("write-deny"), "tool.ended")).toMatchObject([{ status: "denied" }]);
  const { outputs } = play(streamJsonRpc, [
    { dir: "out", msg: { type: "request", id: "q", method: "droid.ask_moon" } },
  ]);
  expect(data(outputs, "raw")).toHaveLength(1);
  expect(outputsOfKind(outputs, "send")[0]?.frame.msg).toMatchObject({ id: "q", error: { code: -32601 } });
});

it("keeps a denial and its reason in one turn: Droid queues the reason and works on it after the denial", () => {
  const request = { options: [{ id: "cancel", label: "No", effect: "deny" }] } as unknown as InputRequest;
  const frames = encodeCommand({
    type: "answer",
    key: "k",
    answer: { decision: "deny", message: "Not here." },
    request,
  });
  expect(frames).toMatchObject([
    { id: "reason-k", method: "droid.add_user_message", params: { text: "Not here." } },
    { id: "k", result: { selectedOption: "cancel" } },
  ]);
  const tokenUsage = { inputTokens: 10, outputTokens: 1 };
  const { outputs } = play(streamJsonRpc, [
    ...prompt("msg_1"),
    notification({ type: "tool_call", toolUse: { id: "t", name: "Create", input: { file_path: "/a", content: "x" } } }),
    {
      dir: "out",
      msg: {
        type: "request",
        id: "k",
        method: "droid.request_permission",
        params: {
          toolUses: [{ toolUse: { id: "t", name: "Create", input: { file_path: "/a", content: "x" } }, details: {} }],
          options: [{ label: "No", value: "cancel" }],
        },
      },
    },
    ...(frames ?? []).map((msg): Frame => ({ dir: "in", msg })),
    notification({
      type: "tool_result",
      toolUseId: "t",
      content: "Error: Tool execution cancelled by user",
      isError: true,
    }),
    notification({ type: "agent_turn_completed", reason: "completed", turnId: "msg_1", tokenUsage }),
    echo("reason-k"),
    notification({ type: "assistant_text_delta", messageId: "a", blockIndex: 0, textDelta: "As you wish." }),
    notification({ type: "agent_turn_completed", reason: "completed", turnId: "reason-k", tokenUsage }),
  ]);
  expect(data(outputs, "tool.ended")).toMatchObject([{ status: "denied" }]);
  expect(outputsOfKind(outputs, "begin")).toHaveLength(1);
  expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "completed", usage: { input: 20, output: 2 } }]);
  expect(data(outputs, "message.done")).toMatchObject([{ text: "As you wish." }]);
});

it("confirms a message inline in a running turn, and requeues one that Droid dropped", () => {
  const { outputs } = play(streamJsonRpc, [
    ...prompt("msg_1"),
    sentMessage("msg_2"),
    sentMessage("msg_3"),
    echo("msg_2"),
    notification({ type: "queued_messages_discarded", text: "", requestId: "msg_3" }),
  ]);
  expect(outputsOfKind(outputs, "taken")).toEqual([
    { kind: "taken", message: "msg_1", inline: false },
    { kind: "taken", message: "msg_2", inline: true },
  ]);
  expect(outputsOfKind(outputs, "dropped")).toMatchObject([{ message: "msg_3" }]);
});

it("asks about each of several pending calls, so that an approval covers one call", () => {
  const use = (command: string, id: string) => ({
    toolUse: { id, name: "Execute", input: { command } },
    details: { riskLevelReason: "harmless" },
  });
  const params = {
    toolUses: [use("echo one", "a"), use("rm two", "b")],
    options: [{ label: "Yes", value: "proceed_once" }],
  };
  const { outputs } = play(streamJsonRpc, [
    { dir: "out", msg: { type: "request", id: "k", method: "droid.request_permission", params } },
  ]);
  const [asked] = outputsOfKind(outputs, "ask");
  expect(asked?.request).toMatchObject({ title: "echo one and 1 more", tool: { command: "echo one\nrm two" } });
});

it("asks questions and answers them by index", () => {
  const params = {
    toolCallId: "t",
    questions: [{ index: 1, topic: "Colour", question: "Which?", options: ["Red", "Blue"] }],
  };
  const asking: Frame = { dir: "out", msg: { type: "request", id: "q", method: "droid.ask_user", params } };
  const [state, outputs] = channel.decode(channel.initial(launch), asking);
  const request = outputsOfKind(outputs, "ask")[0]?.request as InputRequest;
  expect(request).toMatchObject({ kind: "question", questions: [{ id: "1", header: "Colour", text: "Which?" }] });
  const answer = (given: InputAnswer) => encodeCommand({ type: "answer", key: "q", answer: given, request }, state);
  expect(answer({ decision: "allow", answers: { "1": "Blue" } })).toMatchObject([
    { id: "q", result: { answers: [{ index: 1, question: "Which?", answer: "Blue" }] } },
  ]);
  expect(answer({ decision: "deny" })).toMatchObject([{ result: { cancelled: true } }]);
});

it("applies the settings to a resumed session and forks it first if requested", () => {
  const options = { ...launch, resume: "s-1", fork: true, mode: "auto-edit" as const };
  const replies: Record<string, object> = {
    "droid.load_session": { settings: { modelId: "m", interactionMode: "auto", autonomyLevel: "high" } },
    "droid.fork_session": { newSessionId: "s-2" },
    "droid.update_session_settings": {},
  };
  let state = channel.initial(options);
  const asked: unknown[] = [];
  const ready: unknown[] = [];
  const queue = channel.open(state).map(({ msg }) => msg as { id: string; method: string; params: object });
  for (let next = queue.shift(); next; next = queue.shift()) {
    asked.push([next.method, next.params]);
    const result = replies[next.method];
    if (!result) continue;
    const [after, outputs] = channel.decode(state, { dir: "out", msg: { type: "response", id: next.id, result } });
    state = after;
    ready.push(...outputsOfKind(outputs, "ready"));
    queue.push(...outputsOfKind(outputs, "send").map(({ frame }) => frame.msg as (typeof queue)[number]));
  }
  expect(asked.slice(0, 4)).toEqual([
    ["droid.load_session", { sessionId: "s-1", messageLimit: 1 }],
    ["droid.fork_session", {}],
    ["droid.load_session", { sessionId: "s-2", messageLimit: 1 }],
    ["droid.update_session_settings", { interactionMode: "auto", autonomyLevel: "low" }],
  ]);
  expect(ready).toEqual([{ kind: "ready", handle: "s-2", model: "m", mode: "auto-edit" }]);
});

it("changes the mode on plan approval, and reports our setting by its response only", () => {
  const settings = (interactionMode: string, autonomyLevel: string) =>
    notification({ type: "settings_updated", settings: { interactionMode, autonomyLevel, autonomyMode: "x" } });
  const open: Frame = {
    dir: "out",
    msg: { type: "response", id: "open", result: { sessionId: "s", settings: rungs.plan } },
  };
  const set = encodeCommand({ type: "set", mode: "full-auto" })?.[0] as { id: string };
  const { outputs } = play(streamJsonRpc, [
    open,
    settings("auto", "off"),
    { dir: "in", msg: set },
    settings("auto", "off"),
    settings("auto", "high"),
    { dir: "out", msg: { type: "response", id: set.id, result: {} } },
  ]);
  expect(data(outputs, "mode.changed")).toEqual([{ from: "plan", to: "ask", native: "x" }]);
  expect(outputsOfKind(outputs, "applied")).toEqual([{ kind: "applied", field: "mode", value: "full-auto", ok: true }]);
});

it("publishes retries, context usage, command output and failures", () => {
  const { outputs } = play(streamJsonRpc, [
    { dir: "out", msg: { type: "response", id: "open-context", result: { used: 1, limit: 250_000 } } },
    ...prompt("msg_1"),
    notification({ type: "llm_retry", attempt: 1, reason: "overloaded" }),
    notification({ type: "tool_call", toolUse: { id: "t", name: "Execute", input: { command: "false" } } }),
    notification({
      type: "tool_result",
      toolUseId: "t",
      content: "Error: Command failed (exit code: 3)\noops\n\n\n[Process exited with code 3]",
      isError: true,
    }),
    notification({
      type: "session_token_usage_changed",
      lastCallTokenUsage: { inputTokens: 1200, outputTokens: 57, cacheReadTokens: 300 },
    }),
    notification({ type: "error", message: "No access token available" }),
    notification({ type: "agent_turn_completed", reason: "model_authentication_failed", turnId: "msg_1" }),
  ]);
  expect(outputsOfKind(outputs, "retry")).toMatchObject([{ attempt: 1, failure: { category: "overloaded" } }]);
  expect(data(outputs, "context.usage")).toEqual([{ used: 1557, size: 250_000 }]);
  expect(data(outputs, "tool.ended")).toMatchObject([{ status: "error", exitCode: 3, output: "oops\n" }]);
  expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "failed", error: { category: "auth" } }]);
});

it("makes a task of a command that it leaves running, with the process that Gantry watches", () => {
  const [command, file] = ["npm run dev\necho done", "/tmp/droid-bg-1.out"];
  const call = (id: string, output: string) => [
    notification({ type: "tool_call", toolUse: { id, name: "Execute", input: { command, fireAndForget: true } } }),
    notification({ type: "tool_result", toolUseId: id, content: output, isError: false }),
  ];
  const { outputs } = play(streamJsonRpc, [
    ...call("t1", `Background process started (PID: 20184)\nCommand: npm run dev\nOutput: ${file}\nStatus: Running`),
    ...call("t2", "it printed: Background process started (PID: 1)\n"),
    ...call("t3", "Background process started (PID: 0)\n"),
  ]);
  const [tool] = data(outputs, "tool.started");
  expect(data(outputs, "task.started")).toEqual([
    { task: "t1", kind: "command", title: "npm run dev", command, pid: 20184, item: tool?.item, file },
  ]);
});

function sentMessage(id: string): Frame {
  return { dir: "in", msg: { type: "request", id, method: "droid.add_user_message", params: { text: "hi" } } };
}

function echo(id: string): Frame {
  const message = { id, role: "user", content: [{ type: "text", text: "hi" }] };
  return notification({ type: "create_message", requestId: id, message });
}

function prompt(id: string): Frame[] {
  return [sentMessage(id), { dir: "out", msg: { type: "response", id, result: {} } }, echo(id)];
}

function notification(content: object): Frame {
  return {
    dir: "out",
    msg: { type: "notification", method: "droid.session_notification", params: { notification: content } },
  };
}
