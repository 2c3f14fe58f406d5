import type { InputRequest } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import type { Channel, Frame } from "../contract.ts";
import { data, framesOf, launch, outputsOfKind, play } from "../json-lines/recordings.fake.ts";
import { serverKinds } from "../kit/support.ts";
import { json, rpc } from "./channels.ts";

const channel = rpc as unknown as Channel<unknown>;
const start = channel.initial(launch);
const out = (msg: unknown): Frame => ({ dir: "out", msg });
const sentFrame = (msg: unknown): Frame => ({ dir: "in", msg });
const fixture = (name: string) => framesOf(`${import.meta.dirname}/fixtures`, name);
const playFixture = (name: string) => play(name.includes("rpc-") ? rpc : json, fixture(name)).outputs;
const encodeCommand = (state: unknown, command: Parameters<typeof channel.encode>[1]) =>
  channel.encode(state, command)?.map(({ msg }) => msg);

describe("starting", () => {
  it("passes model, thinking and session, and loads the gate that enforces the mode", () => {
    const wanted = { ...launch, dir: "/given", model: "a/b/c", effort: "high", resume: "s-1" };
    const { args, files } = rpc.launch({ ...wanted, mode: "plan" });
    expect(args).toEqual([
      ...["--mode", "rpc", "--provider", "a", "--model", "b/c", "--thinking", "high"],
      ...["--session", "s-1", "--extension", "/given/gate.mjs"],
    ]);
    expect(files?.["gate.mjs"]).toContain('start: "plan"');
    expect(rpc.launch({ ...wanted, fork: true }).args.slice(-2)).toEqual(["--fork", "s-1"]);
    expect(rpc.launch({ ...launch, mode: "inherit" })).toEqual({ args: ["--mode", "rpc"] });
    expect(channel.perTurn).toBeUndefined();
  });

  it("approves a trusted project and refuses an untrusted one, where the version has the options", () => {
    const trustOf = (more: object) =>
      [rpc, json].map((one) => one.launch({ ...launch, ...more }).args.filter((arg) => arg.includes("approve")));
    expect(trustOf({ project: "untrusted", version: "0.87.1" })).toEqual([["--no-approve"], ["--no-approve"]]);
    expect(trustOf({ project: "trusted", version: "0.88.0" })).toEqual([["--approve"], ["--approve"]]);
    expect(trustOf({ project: "trusted", version: "0.73.1" })).toEqual([[], []]);
    expect(trustOf({ project: "trusted" })).toEqual([[], []]);
    expect(trustOf({ version: "0.87.1" })).toEqual([[], []]);
  });

  it("registers MCP servers with an extension, and only in versions that have them", () => {
    const server = { name: "files", command: ["npx", "files"], env: { TOKEN: "secret" }, enabled: true };
    const kit = { servers: [server], skills: [] };
    const { args, files } = rpc.launch({ ...launch, dir: "/given", mode: "inherit", kit });
    expect(args).toEqual(["--mode", "rpc", "--extension", "/given/servers.mjs"]);
    expect(args.join(" ")).not.toContain("secret");
    expect(files?.["servers.mjs"]).toContain('["files",{"type":"stdio","command":"npx","args":["files"]');
    expect(["0.75.1", "0.87.1", "1.0.3", "1.5.0", undefined].map((version) => serverKinds(rpc, version))).toEqual([
      ...[[], [], ["stdio", "http"], ["stdio", "http"], []],
    ]);
  });

  it("is ready with the agent's open conversation and then lists its models", () => {
    const outputs = playFixture("0.87.1/rpc-basic");
    const [first, second, third] = outputsOfKind(outputs, "ready");
    expect(first).toEqual({ kind: "ready", model: "mock/mock-1" });
    expect(second?.models?.map(({ id }) => id)).toEqual(["mock/mock-1", "mock/mock-2"]);
    // Pi writes nothing to disk before the first answer, so until then there is nothing to resume.
    expect(third?.handle).toBe("01a1e062-a9ca-77b5-a14a-1617b7a1ad9f");
    expect(outputs.findIndex(({ kind, ...more }) => kind === "ready" && "handle" in more)).toBeGreaterThan(
      outputs.findIndex(({ kind }) => kind === "begin"),
    );
    expect(data(outputs, "commands.changed")).toMatchObject([{ list: [{ name: "llama" }, { name: "compact" }] }]);
    expect(channel.open(start).map(({ key }) => key)).toContain("open-get_state");
  });

  it("reports why it cannot start", () => {
    const { outputs } = play(rpc, [
      { dir: "err", text: "No API key found for the selected model." },
      { dir: "end", code: 1, signal: null },
    ]);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "failed", error: { category: "auth" } }]);
    const lost = play(rpc, [{ dir: "err", text: "No session found matching 'x'" }]).outputs;
    expect(outputsOfKind(lost, "lost")).toHaveLength(1);
  });
});

describe("commands", () => {
  it("are encoded in Pi's format", () => {
    const message = { message: "msg_1", text: "hi", attachments: [{ path: "a.txt" }] };
    expect(encodeCommand(start, { type: "prompt", ...message })).toEqual([
      { id: "msg_1", type: "prompt", message: "hi\n\n@a.txt" },
    ]);
    const image = { data: "AA==", mime: "image/png" };
    expect(encodeCommand(start, { type: "steer", ...message, attachments: [image] })).toEqual([
      { id: "msg_1", type: "steer", message: "hi", images: [{ type: "image", data: "AA==", mimeType: "image/png" }] },
    ]);
    expect(encodeCommand(start, { type: "interrupt" })).toEqual([{ id: "interrupt-0", type: "abort" }]);
    expect(encodeCommand(start, { type: "set", model: "mock/m/1" })).toEqual([
      { id: "set-0", type: "set_model", provider: "mock", modelId: "m/1" },
    ]);
    expect(encodeCommand(start, { type: "set", effort: "low" })).toEqual([
      { id: "set-0", type: "set_thinking_level", level: "low" },
    ]);
    expect(encodeCommand(start, { type: "set", mode: "ask" })).toBeUndefined();
    const gated = channel.initial({ ...launch, mode: "plan" });
    expect(encodeCommand(gated, { type: "set", mode: "ask" })).toEqual([
      { id: "set-0", type: "prompt", message: "/gantry-mode ask" },
    ]);
    expect(
      encodeCommand(start, { type: "prompt", message: "msg_2", text: "/compact the birds", attachments: [] }),
    ).toEqual([{ id: "msg_2", type: "compact", customInstructions: "the birds" }]);
    expect(encodeCommand(start, { type: "ping", key: "k" })).toEqual([{ id: "k", type: "get_state" }]);
  });

  it("are acknowledged, and settings are reported as applied or not", () => {
    const outputs = playFixture("0.87.1/rpc-basic");
    expect(outputsOfKind(outputs, "ack")).toContainEqual({ kind: "ack", key: "r4" });
    expect(outputsOfKind(outputs, "applied")).toMatchObject([
      { field: "model", value: "mock/mock-2", ok: true },
      { field: "model", value: "mock/zzz", ok: false, message: "Model not found: mock/zzz" },
      { field: "effort", value: "high", ok: true },
    ]);
    expect(data(outputs, "model.changed")).toEqual([{ from: "mock/mock-1", to: "mock/mock-2" }]);
  });
});

describe("messages of the user", () => {
  const user = (text: string) =>
    out({ type: "message_start", message: { role: "user", content: [{ type: "text", text }] } });

  it("are confirmed when Pi starts on them, in a new turn or the running one", () => {
    const { outputs } = play(rpc, [
      sentFrame({ id: "msg_1", type: "prompt", message: "one" }),
      out({ type: "agent_start" }),
      user("one"),
      out({ type: "tool_execution_start", toolCallId: "c", toolName: "bash", args: { command: "ls" } }),
      sentFrame({ id: "msg_2", type: "steer", message: "two" }),
      user("two"),
    ]);
    expect(outputsOfKind(outputs, "taken")).toEqual([
      { kind: "taken", message: "msg_1", inline: false },
      { kind: "taken", message: "msg_2", inline: true },
    ]);
  });

  it("that are extension commands end with their response", () => {
    const commands = [
      { name: "llama", source: "extension" },
      { name: "review", source: "prompt" },
    ];
    const { outputs } = play(rpc, [
      out({ type: "response", command: "get_commands", success: true, data: { commands } }),
      sentFrame({ id: "msg_1", type: "prompt", message: "/llama now" }),
      out({ id: "msg_1", type: "response", command: "prompt", success: true }),
      sentFrame({ id: "msg_2", type: "prompt", message: "/review" }),
      out({ id: "msg_2", type: "response", command: "prompt", success: true }),
    ]);
    expect(outputsOfKind(outputs, "taken")).toEqual([{ kind: "taken", message: "msg_1", inline: false }]);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "completed" }]);
  });

  it("that are extension commands and start a run wait for its end", () => {
    const { outputs } = play(rpc, [
      out({
        type: "response",
        command: "get_commands",
        success: true,
        data: { commands: [{ name: "ask", source: "extension" }] },
      }),
      sentFrame({ id: "msg_1", type: "prompt", message: "/ask" }),
      out({ id: "msg_1", type: "response", command: "prompt", success: true, data: { agentInvoked: true } }),
    ]);
    expect(outputsOfKind(outputs, "finish")).toEqual([]);
  });

  it("go back to the queue when Pi is busy, and fail the turn when it cannot work at all", () => {
    const busy = play(rpc, [
      sentFrame({ id: "msg_1", type: "prompt", message: "one" }),
      out({ type: "agent_start" }),
      sentFrame({ id: "msg_2", type: "steer", message: "two" }),
      out({ id: "msg_2", type: "response", command: "steer", success: false, error: "busy" }),
    ]).outputs;
    expect(outputsOfKind(busy, "dropped")).toMatchObject([{ message: "msg_2", reason: "busy" }]);
    const refused = play(rpc, [
      sentFrame({ id: "msg_1", type: "prompt", message: "one" }),
      out({ id: "msg_1", type: "response", command: "prompt", success: false, error: "No API key found" }),
    ]).outputs;
    expect(outputsOfKind(refused, "finish")).toMatchObject([{ outcome: "failed", error: { category: "auth" } }]);
  });
});

describe("the end of a turn", () => {
  const turn = [
    sentFrame({ id: "msg_1", type: "prompt", message: "one" }),
    out({ type: "agent_start" }),
    out({ type: "message_start", message: { role: "assistant", content: [] } }),
    out({ type: "message_end", message: { role: "assistant", content: [{ type: "text", text: "Hi." }] } }),
    out({ type: "agent_end", messages: [], willRetry: false }),
  ];
  const asked = sentFrame({ id: "settle-1", type: "get_state" });
  const state = (data: object) => out({ id: "settle-1", type: "response", command: "get_state", success: true, data });
  const idle = state({ isStreaming: false, isCompacting: false });
  const busy = state({ isStreaming: true, isCompacting: false });
  const outcomes = (frames: Frame[]) =>
    outputsOfKind(play(rpc, frames).outputs, "finish").map(({ outcome }) => outcome);
  const requests = (frames: Frame[]) => outputsOfKind(play(rpc, frames).outputs, "send").map(({ frame }) => frame.msg);

  it("is asked about, and follows from an idle agent in versions that do not confirm it", () => {
    expect(requests(turn)).toEqual([{ id: "settle-1", type: "get_state" }]);
    expect(outcomes([...turn, asked])).toEqual([]);
    expect(outcomes([...turn, asked, idle])).toEqual(["completed"]);
  });

  it.each([
    ["a state without the usual fields", { success: true, data: {} }],
    ["an error", { success: false, error: "unknown command" }],
  ])("follows from %s", (_, answer) => {
    const response = out({ id: "settle-1", type: "response", command: "get_state", ...answer });
    expect(outcomes([...turn, asked, response])).toEqual(["completed"]);
  });

  it("waits for the confirmation of an agent that still works", () => {
    expect(outcomes([...turn, asked, busy])).toEqual([]);
    expect(outcomes([...turn, asked, busy, out({ type: "agent_settled" })])).toEqual(["completed"]);
  });

  it("is reported once if the confirmation follows the idle state", () => {
    const next = sentFrame({ id: "msg_2", type: "prompt", message: "two" });
    const { outputs } = play(rpc, [
      ...[...turn, asked, idle, next, out({ type: "agent_settled" }), out({ type: "agent_start" })],
      out({ type: "message_start", message: { role: "user", content: [{ type: "text", text: "two" }] } }),
    ]);
    expect(outputsOfKind(outputs, "finish")).toHaveLength(1);
    expect(outputsOfKind(outputs, "taken").map(({ message }) => message)).toEqual(["msg_2"]);
  });

  it("is not asked about again once the agent has confirmed one", () => {
    const next = sentFrame({ id: "msg_2", type: "prompt", message: "two" });
    const frames = [...turn, asked, busy, out({ type: "agent_settled" }), next, ...turn.slice(1)];
    expect(requests(frames)).toHaveLength(1);
  });

  it("waits for a compaction that follows the answer, and is asked about after it", () => {
    const compaction = [
      out({ type: "compaction_start", reason: "threshold" }),
      state({ isStreaming: false, isCompacting: true }),
      out({ type: "compaction_end", reason: "threshold", result: { tokensBefore: 9 }, willRetry: false }),
    ];
    expect(outcomes([...turn, asked, ...compaction])).toEqual([]);
    const [, second] = requests([...turn, asked, ...compaction]);
    expect(second).toEqual({ id: "settle-2", type: "get_state" });
    const settled = out({ id: "settle-2", type: "response", command: "get_state", success: true, data: {} });
    expect(outcomes([...turn, asked, ...compaction, sentFrame(second), settled])).toEqual(["completed"]);
  });

  it("does not follow from a response to another request, or from a second one", () => {
    const reasons = (frames: Frame[]) => data(play(rpc, frames).outputs, "raw").map(({ reason }) => reason);
    for (const id of ["settle-2", "msg_2", 1, null, {}, undefined]) {
      const other = out({ id, type: "response", command: "get_state", success: true, data: {} });
      expect(outcomes([...turn, asked, other])).toEqual([]);
      expect(reasons([...turn, asked, other])).toEqual(["a response for an unknown request"]);
    }
    expect(outcomes([...turn, asked, busy, idle])).toEqual([]);
    expect(reasons([...turn, asked, busy, idle])).toEqual([]);
  });

  it("ignores the error of a version without the command, which does not name the request", () => {
    const error = out({
      type: "response",
      command: "clear_queue",
      success: false,
      error: "Unknown command: clear_queue",
    });
    const cleared = sentFrame({ id: "clear-interrupt-1", type: "clear_queue" });
    const raws = (frames: Frame[]) => data(play(rpc, frames).outputs, "raw");
    expect(raws([...turn, cleared, error])).toEqual([]);
    expect(raws([...turn, error])).toMatchObject([{ reason: "an error for an unknown request" }]);
    expect(raws([...turn, cleared, error, error])).toHaveLength(1);
  });

  it("follows from any response if an older version of Gantry sent the request", () => {
    const { requests: _, ...older } = play(rpc, turn).state as Record<string, unknown>;
    const [, outputs] = channel.decode(channel.decode(older, asked)[0], idle);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "completed" }]);
  });

  it("does not follow from an error for an unknown message", () => {
    const error = { type: "response", command: "prompt", success: false, error: "busy" };
    const prompt = sentFrame({ id: "msg_1", type: "prompt", message: "x" });
    expect(outcomes([prompt, out({ ...error, id: "msg_2" })])).toEqual([]);
    expect(outcomes([prompt, out({ ...error, id: "msg_1" })])).toEqual(["failed"]);
    expect(outcomes([prompt, out({ ...error, id: "msg_1" }), out({ ...error, id: "msg_1" })])).toEqual(["failed"]);
    expect(outcomes([...turn, asked, idle, out({ ...error, id: "msg_1" })])).toEqual(["completed"]);
  });
});

describe("questions of extensions", () => {
  const ask = (msg: object) => {
    const { outputs, state } = play(rpc, [out({ type: "extension_ui_request", id: "q", ...msg })]);
    return { request: outputsOfKind(outputs, "ask")[0]?.request as InputRequest, state };
  };
  const answer = (msg: object, given: { decision: "allow" | "deny" | "cancel"; answers?: Record<string, string> }) => {
    const { request, state } = ask(msg);
    const whole = { ...request, options: request.options ?? [], questions: request.questions ?? [] };
    return encodeCommand(state, { type: "answer", key: "q", answer: given, request: whole });
  };

  it("with yes and no are approvals of the pending call", () => {
    const outputs = playFixture("0.87.1/rpc-perm-allow");
    expect(outputsOfKind(outputs, "ask")).toMatchObject([
      { request: { kind: "approval", tool: { name: "write", kind: "edit" }, diff: [{ additions: 1 }] } },
    ]);
    expect(outputsOfKind(outputs, "answered")).toMatchObject([{ answer: { decision: "allow", option: "Allow" } }]);
    expect(data(playFixture("0.87.1/rpc-perm-cancel"), "tool.ended")).toMatchObject([{ status: "denied" }]);
    const select = { method: "select", title: "Allow write?", options: ["Allow", "Deny"] };
    expect(answer(select, { decision: "allow" })).toEqual([{ id: "q", type: "extension_ui_response", value: "Allow" }]);
    expect(answer(select, { decision: "deny" })).toEqual([{ id: "q", type: "extension_ui_response", value: "Deny" }]);
    expect(answer(select, { decision: "cancel" })).toEqual([
      { id: "q", type: "extension_ui_response", cancelled: true },
    ]);
  });

  it("of other kinds are questions", () => {
    const select = { method: "select", title: "Colour?", options: ["Red", "Blue"] };
    expect(ask(select).request).toMatchObject({
      kind: "question",
      questions: [{ options: [{ label: "Red" }, { label: "Blue" }] }],
    });
    expect(answer(select, { decision: "allow", answers: { answer: "Blue" } })).toEqual([
      { id: "q", type: "extension_ui_response", value: "Blue" },
    ]);
    expect(answer({ method: "confirm", title: "Sure?" }, { decision: "allow" })).toEqual([
      { id: "q", type: "extension_ui_response", confirmed: true },
    ]);
    expect(ask({ method: "input", title: "Name?", placeholder: "you" }).request).toMatchObject({
      questions: [{ text: "Name? (you)", freeform: true }],
    });
    expect(ask({ method: "setWidget", widgetKey: "x" }).request).toBeUndefined();
  });
});

describe("turns", () => {
  it("end as interrupted with the text so far", () => {
    const outputs = playFixture("0.73.1/rpc-abort");
    expect(outputsOfKind(outputs, "finish").map(({ outcome }) => outcome)).toEqual(["interrupted", "completed"]);
    expect(data(outputs, "message.done")[0]?.text).toMatch(/^word0 word1/);
    expect(data(playFixture("0.73.1/rpc-abort-shell"), "tool.ended")).toMatchObject([{ status: "interrupted" }]);
  });

  it("retract the text of a failed request and retry", () => {
    const outputs = playFixture("0.87.1/json-drop");
    expect(outputsOfKind(outputs, "retry").map(({ attempt, max, delayMs }) => [attempt, max, delayMs])).toEqual([
      [1, 3, 2000],
      [2, 3, 4000],
      [3, 3, 8000],
    ]);
    expect(data(outputs, "message.retracted")).toHaveLength(3);
  });

  it("of the oldest version that failed end with the response to a status request", () => {
    const failed = out({
      type: "message_end",
      message: { role: "assistant", content: [], stopReason: "error", errorMessage: "429" },
    });
    const frames = [
      sentFrame({ id: "msg_1", type: "prompt", message: "x" }),
      out({ type: "agent_start" }),
      failed,
      out({ type: "agent_end", messages: [] }),
    ];
    const { outputs } = play(rpc, frames);
    const [question] = outputsOfKind(outputs, "send");
    expect(outputsOfKind(outputs, "finish")).toEqual([]);
    frames.push(sentFrame(question?.frame.msg));
    const answer = out({ type: "response", command: "get_state", success: true, data: {}, id: question?.frame.key });
    expect(outputsOfKind(play(rpc, [...frames, answer]).outputs, "finish")).toMatchObject([
      { error: { category: "rate_limit" } },
    ]);
    const retry = out({ type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 1, errorMessage: "429" });
    expect(outputsOfKind(play(rpc, [...frames, retry, answer]).outputs, "finish")).toEqual([]);
  });

  it("stream a command's output once", () => {
    const outputs = playFixture("0.87.1/rpc-busy-steer");
    const printed = outputsOfKind(outputs, "delta").filter(({ channel: kind }) => kind === "output");
    expect(printed).toHaveLength(20);
    expect(printed.map(({ text }) => text).join("")).toBe(data(outputs, "tool.ended")[0]?.output);
  });

  it("count their tokens, with those from the cache", () => {
    expect(outputsOfKind(playFixture("0.87.1/json-multi"), "finish")[0]?.usage).toEqual({
      ...{ input: 3600, output: 102, cacheRead: 300, cacheWrite: 0, reasoning: 21 },
    });
  });

  it("publish compactions", () => {
    expect(data(playFixture("0.73.1/rpc-compact"), "context.compacted")).toEqual([{ trigger: "manual", before: 1234 }]);
    expect(data(playFixture("0.87.1/rpc-compact"), "notice")).toMatchObject([{ kind: "compaction" }]);
  });

  it("show an edit as a diff", () => {
    expect(data(playFixture("0.73.1/json-edit"), "tool.ended")[1]?.changes).toMatchObject([
      { additions: 1, deletions: 1, diff: "@@ -1,2 +1,2 @@\n-seed line 1\n+EDITED line 1\n seed line 2\n" },
    ]);
  });
});
