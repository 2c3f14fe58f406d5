import { expect, test } from "vitest";
import { claudeAgentAcp } from "../../claude-agent-acp/descriptor.ts";
import { copilot } from "../../copilot/descriptor.ts";
import { gemini } from "../../gemini/descriptor.ts";
import { hermes } from "../../hermes/descriptor.ts";
import { kimi } from "../../kimi/descriptor.ts";
import { opencode } from "../../opencode/descriptor.ts";
import { acp } from "../descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

const modes = { currentModeId: "default", availableModes: [{ id: "default" }, { id: "yolo" }, { id: "plan" }] };
const models = { currentModelId: "m-1", availableModels: [{ modelId: "m-1", name: "One" }, { modelId: "m-2" }] };

test("sends the handshake without files or terminals, then opens a conversation", () => {
  const conversation = new FakeConversation(gemini);
  expect(conversation.last).toMatchObject({
    jsonrpc: "2.0",
    method: "initialize",
    params: {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    },
  });
  conversation.answer({ protocolVersion: 1 });
  expect(conversation.last).toMatchObject({
    method: "session/new",
    params: { cwd: "/workspace/project", mcpServers: [] },
  });
  expect(conversation.answer({ sessionId: SESSION, modes, models })).toContainEqual({
    kind: "ready",
    handle: SESSION,
    model: "m-1",
    mode: "ask",
    native: "default",
    models: [
      { id: "m-1", name: "One", default: true, efforts: [] },
      { id: "m-2", name: "m-2", default: false, efforts: [] },
    ],
  });
});

test("is ready only when the requested mode and model are set", () => {
  const conversation = FakeConversation.open(gemini, { mode: "full-auto", model: "m-2" }, { modes, models });
  expect(conversation.methods.slice(2)).toEqual(["session/set_model", "session/set_mode"]);
  const [model, mode] = conversation.sent.slice(2);
  expect(model?.params).toEqual({ sessionId: SESSION, modelId: "m-2" });
  expect(mode?.params).toMatchObject({ sessionId: SESSION, modeId: "yolo" });
  expect(conversation.receive({ id: model?.id, result: {} })).toEqual([
    { kind: "applied", field: "model", value: "m-2", ok: true },
  ]);
  expect(conversation.receive({ id: mode?.id, result: {} })).toMatchObject([
    { kind: "applied", field: "mode", value: "full-auto", ok: true },
    { kind: "ready", handle: SESSION, model: "m-2", mode: "full-auto", models: [{ id: "m-1" }, { id: "m-2" }] },
  ]);
});

test("reports a rejected setting and becomes ready", () => {
  const conversation = FakeConversation.open(gemini, { mode: "full-auto" }, { modes });
  const outputs = conversation.refuse({ code: -32603, message: "Internal error", data: { details: "no such mode" } });
  expect(outputs).toMatchObject([
    { kind: "applied", ok: false, message: expect.stringContaining("no such mode") },
    { kind: "ready" },
  ]);
});

test("reports unsupported settings without delaying the conversation", () => {
  const conversation = new FakeConversation(acp, { model: "m-9" });
  conversation.answer({ protocolVersion: 1 });
  expect(conversation.answer({ sessionId: SESSION })).toMatchObject([
    { kind: "ack" },
    { kind: "applied", field: "model", value: "m-9", ok: false },
    { kind: "ready" },
  ]);
});

test("sets modes that are options as options, and passes their meaning to the process", () => {
  const option = {
    id: "mode",
    category: "mode",
    currentValue: "build",
    options: [{ value: "build" }, { value: "plan" }],
  };
  const conversation = FakeConversation.open(opencode, { mode: "plan" }, { configOptions: [option] });
  expect(conversation.last).toMatchObject({
    method: "session/set_config_option",
    params: { configId: "mode", value: `gantry-plan-${conversation.state.seed}` },
  });
  const [channel] = opencode.channels;
  const { args, env } = channel?.launch({ cwd: "/", mode: "auto-edit", uuid: "u", dir: "/tmp/process" }) ?? {};
  expect(args).toEqual(["acp", "--print-logs", "--log-level", "ERROR"]);
  const { agent } = JSON.parse(env?.OPENCODE_CONFIG_CONTENT ?? "");
  expect(agent["gantry-auto-edit-u"].permission).toMatchObject({ edit: "allow", bash: "ask" });
});

test("sets a mode's other options only if the agent has them", () => {
  const option = { id: "allow_all", category: "permissions", currentValue: "off", options: [{ value: "on" }] };
  expect(FakeConversation.open(copilot, { mode: "full-auto" }, { configOptions: [option] }).last.params).toMatchObject({
    configId: "allow_all",
    value: "on",
  });
  expect(FakeConversation.open(copilot, { mode: "full-auto" }).methods).toEqual(["initialize", "session/new"]);
});

test.each([
  [{ sessionCapabilities: { resume: {} }, loadSession: true }, "session/resume"],
  [{ loadSession: true }, "session/load"],
])("resumes by the method that the agent supports: %j", (agentCapabilities, method) => {
  const conversation = new FakeConversation(acp, { resume: "old" });
  conversation.answer({ protocolVersion: 1, agentCapabilities });
  expect(conversation.last).toMatchObject({
    method,
    params: { sessionId: "old", cwd: "/workspace/project", mcpServers: [] },
  });
});

test("resumes in version 2 whenever the agent has sessions", () => {
  const conversation = new FakeConversation(claudeAgentAcp, { resume: "old" });
  expect(conversation.last.params).toMatchObject({
    protocolVersion: 2,
    info: { name: "gantry" },
    clientInfo: { name: "gantry" },
  });
  conversation.answer({ protocolVersion: 2, capabilities: { session: {} } });
  expect(conversation.last.method).toBe("session/resume");
  expect(conversation.answer({ configOptions: [] })).toContainEqual({ kind: "ready", handle: "old" });
});

test("forks if the agent supports it, and reports the conversation as lost otherwise", () => {
  const conversation = new FakeConversation(kimi, { resume: "old", fork: true });
  conversation.answer({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { fork: {} } } });
  expect(conversation.last).toMatchObject({ method: "session/fork", params: { sessionId: "old" } });
  expect(conversation.answer({ sessionId: "new" })).toContainEqual({ kind: "ready", handle: "new" });
  const other = new FakeConversation(gemini, { resume: "old", fork: true });
  expect(other.answer({ protocolVersion: 1 })).toContainEqual(expect.objectContaining({ kind: "lost" }));
});

test("does not publish a replayed history, even after the response", () => {
  const conversation = new FakeConversation(gemini, { resume: "old" });
  conversation.answer({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
  const replay = (update: object) => conversation.update(update, "old");
  expect(replay({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "hi" } })).toEqual([]);
  expect(conversation.answer({ modes })).not.toContainEqual(expect.objectContaining({ kind: "ready" }));
  expect(conversation.last.method).toBe("_gantry/ping");
  expect(replay({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hello" } })).toEqual([]);
  expect(replay({ sessionUpdate: "tool_call", toolCallId: "t", status: "completed" })).toEqual([]);
  expect(conversation.refuse({ code: -32601, message: "Method not found" })).toEqual([
    { kind: "ready", handle: "old", mode: "ask", native: "default" },
  ]);
});

test.each([
  { code: -32002, message: "Resource not found: Session x not found" },
  { code: -32603, message: "Internal error", data: { details: "No previous sessions found for this project." } },
  { code: -32602, message: "Invalid params: Unknown session identifier", data: {} },
])("reports a missing conversation as lost: $message", (error) => {
  const conversation = new FakeConversation(gemini, { resume: "old" });
  conversation.answer({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
  const [acknowledged, lost] = conversation.refuse(error);
  expect(acknowledged).toEqual({ kind: "ack", key: "open" });
  expect(lost).toMatchObject({ kind: "lost" });
});

test.each([
  ["OpenCode 1.18", { message: "Internal error: OpenCode service failure", data: { service: "session" } }, "lost"],
  ["OpenCode 1.3", { message: "Internal error", data: {} }, "lost"],
  ["another failure", { message: "Internal error", data: { details: "The disk is full" } }, "finish"],
])("recognises an agent's own error for a missing conversation: %s", (_, error, kind) => {
  const conversation = new FakeConversation(opencode, { resume: "old" });
  conversation.answer({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } });
  expect(conversation.refuse({ code: -32603, ...error }).at(-1)).toMatchObject({ kind });
});

test("ignores a repeated handshake and opening after a crash", () => {
  const conversation = FakeConversation.open(gemini);
  expect(conversation.receive({ id: 1, result: { protocolVersion: 1 } })).toMatchObject([{ event: { type: "raw" } }]);
  expect(conversation.receive({ id: 2, result: { sessionId: "another" } })).toMatchObject([{ event: { type: "raw" } }]);
  expect(conversation.state.session).toBe(SESSION);
});

test.each([
  ["session/resume", "session/load", acp],
  ["session/load", "session/resume", hermes],
])("opens with the other method if the agent advertises %s and does not have it", (first, second, agent) => {
  const conversation = new FakeConversation(agent, { resume: SESSION });
  conversation.answer({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } },
  });
  expect(conversation.last).toMatchObject({ method: first, params: { sessionId: SESSION } });
  expect(conversation.refuse({ code: -32601, message: '"Method not found": session/x' })).toMatchObject([
    { kind: "ack", key: "open" },
    { kind: "send", frame: { msg: { method: second, params: { sessionId: SESSION } }, key: "open" } },
  ]);
  conversation.answer({ sessionId: SESSION });
  if (second === "session/load") conversation.answer({});
  expect(conversation.state.phase).toBe("open");
});

test("reports the conversation as lost if no advertised method exists", () => {
  const conversation = new FakeConversation(acp, { resume: SESSION });
  conversation.answer({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } });
  expect(conversation.refuse({ code: -32601, message: "Method not found" })).toEqual([
    { kind: "ack", key: "open" },
    { kind: "lost", message: "The agent cannot resume a conversation." },
  ]);
  const copy = new FakeConversation(acp, { resume: SESSION, fork: true });
  copy.answer({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { fork: {} } } });
  expect(copy.refuse({ code: -32601, message: "Method not found" })).toContainEqual({
    kind: "lost",
    message: "The agent cannot copy a conversation.",
  });
});

test("passes further folders to an agent that advertises them, when it opens and when it resumes a conversation", () => {
  const folders = ["/srv/a", "/srv/b"];
  const capabilities = { sessionCapabilities: { additionalDirectories: {}, resume: {} } };
  const conversation = new FakeConversation(claudeAgentAcp, { folders });
  conversation.answer({ protocolVersion: 1, agentCapabilities: capabilities });
  expect(conversation.last).toMatchObject({ method: "session/new", params: { additionalDirectories: folders } });
  const resumed = new FakeConversation(claudeAgentAcp, { folders, resume: SESSION });
  resumed.answer({ protocolVersion: 1, agentCapabilities: capabilities });
  expect(resumed.last).toMatchObject({ method: "session/resume", params: { additionalDirectories: folders } });
});

test("reports further folders that the agent does not accept, and opens the conversation without them", () => {
  const conversation = new FakeConversation(hermes, { folders: ["/srv/a"] });
  const outputs = conversation.answer({ protocolVersion: 1, agentCapabilities: {} });
  expect(JSON.stringify(outputs)).toContain("does not accept further folders");
  expect(conversation.last?.params).not.toHaveProperty("additionalDirectories");
});
