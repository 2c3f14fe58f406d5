import { expect, test } from "vitest";
import { FakeAppServer, THREAD } from "./conversation.ts";

const hello = { id: 1, result: { userAgent: "x", codexHome: "/home/dev/.codex" } };

test("sends the handshake, then opens a thread in the requested mode", () => {
  const conversation = new FakeAppServer({ mode: "ask", model: "m-2" });
  expect(conversation.lastSent).toMatchObject({
    id: 1,
    method: "initialize",
    params: { capabilities: { experimentalApi: true } },
  });
  conversation.receive(hello);
  expect(conversation.sent.slice(1)).toEqual([
    { method: "initialized" },
    {
      id: 2,
      method: "thread/start",
      params: {
        cwd: "/workspace/project",
        model: "m-2",
        approvalPolicy: "untrusted",
        sandbox: "workspace-write",
        approvalsReviewer: "user",
      },
    },
  ]);
  expect(conversation.receive({ id: 2, result: { thread: { id: THREAD }, model: "m-2" } })).toContainEqual({
    kind: "ready",
    handle: THREAD,
    model: "m-2",
  });
});

test.each([
  ["inherit", {}],
  ["auto-edit", { approvalPolicy: "on-request", sandbox: "workspace-write", approvalsReviewer: "user" }],
  ["full-auto", { approvalPolicy: "never", sandbox: "danger-full-access" }],
  ["plan", { approvalPolicy: "on-request", sandbox: "read-only", approvalsReviewer: "user" }],
] as const)("opens a conversation in mode %s with the native settings", (mode, params) => {
  const conversation = new FakeAppServer({ mode });
  conversation.receive(hello);
  expect(conversation.lastSent.params).toEqual({ cwd: "/workspace/project", ...params });
});

test("resumes and forks a thread without requesting its history", () => {
  const resumed = new FakeAppServer({ resume: "old", mode: "inherit" });
  resumed.receive(hello);
  expect(resumed.lastSent).toMatchObject({ method: "thread/resume", params: { threadId: "old", excludeTurns: true } });
  const forked = new FakeAppServer({ resume: "old", fork: true, mode: "inherit" });
  forked.receive(hello);
  expect(forked.lastSent).toMatchObject({ method: "thread/fork", params: { threadId: "old", excludeTurns: true } });
});

test("reports a missing thread as lost, and any other refusal as an error", () => {
  const conversation = new FakeAppServer({ resume: "old" });
  conversation.receive(hello);
  expect(
    conversation.receive({ id: 2, error: { code: -32600, message: "no rollout found for thread id old" } }),
  ).toContainEqual({
    kind: "lost",
    message: "no rollout found for thread id old",
  });
  const other = new FakeAppServer();
  other.receive(hello);
  const [, error] = other.receive({ id: 2, error: { code: -32600, message: "Not initialized" } });
  expect(error).toMatchObject({ event: { type: "error", data: { category: "protocol" } } });
});

test("accepts a repeated handshake and opening after a crash", () => {
  const conversation = FakeAppServer.open();
  expect(conversation.receive({ id: 1, error: { code: -32600, message: "Already initialized" } })).toEqual([]);
  expect(conversation.receive({ id: 2, result: { thread: { id: "thread-2" }, model: "m-1" } })).toEqual([]);
  expect(conversation.state.thread).toBe(THREAD);
  expect(conversation.sent.filter(({ method }) => method === "thread/start")).toHaveLength(1);
});

test("starts a turn with our id for the prompt", () => {
  const conversation = FakeAppServer.open();
  const frames = conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  expect(frames).toEqual([
    {
      msg: {
        id: 3,
        method: "turn/start",
        params: {
          threadId: THREAD,
          clientUserMessageId: "msg_1",
          input: [{ type: "text", text: "hi", text_elements: [] }],
        },
      },
      key: "msg_1",
      repeat: "ask",
    },
  ]);
});

test("sends images inline and names other attachments", () => {
  const conversation = FakeAppServer.open();
  conversation.command({
    type: "prompt",
    message: "msg_1",
    text: "look",
    attachments: [
      { path: "/w/a.png" },
      { mime: "image/jpeg", data: "AAAA" },
      { path: "/w/notes.md" },
      { name: "n.txt", data: Buffer.from("grün").toString("base64") },
    ],
  });
  expect(conversation.lastSent.params?.input).toEqual([
    { type: "text", text: "look", text_elements: [] },
    { type: "localImage", path: "/w/a.png" },
    { type: "image", url: "data:image/jpeg;base64,AAAA" },
    { type: "text", text: "Attached file: /w/notes.md", text_elements: [] },
    { type: "text", text: "Attached file n.txt:\ngrün", text_elements: [] },
  ]);
});

test("sends nothing before a thread is open", () => {
  const conversation = new FakeAppServer();
  expect(conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] })).toBeUndefined();
  expect(conversation.command({ type: "set", model: "m-2" })).toBeUndefined();
  expect(
    conversation.command({ type: "answer", key: "0", answer: { decision: "allow" }, request: {} as never }),
  ).toBeUndefined();
});

test("addresses steer and interrupt to the running turn, and sends no interrupt when idle", () => {
  const conversation = FakeAppServer.startTurn("turn-7");
  conversation.command({ type: "steer", message: "msg_2", text: "left", attachments: [] });
  expect(conversation.lastSent).toMatchObject({
    method: "turn/steer",
    params: { expectedTurnId: "turn-7", clientUserMessageId: "msg_2" },
  });
  conversation.command({ type: "interrupt" });
  expect(conversation.lastSent).toMatchObject({
    method: "turn/interrupt",
    params: { threadId: THREAD, turnId: "turn-7" },
  });
  expect(FakeAppServer.open().command({ type: "interrupt" })).toEqual([]);
  expect(
    conversation.receive({
      id: conversation.lastSent.id,
      error: { code: -32600, message: "no active turn to interrupt" },
    }),
  ).toEqual([]);
});

test("stops a turn that has no id yet", () => {
  const conversation = FakeAppServer.open();
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  conversation.command({ type: "interrupt" });
  expect(conversation.lastSent).toMatchObject({ method: "turn/interrupt", params: { threadId: THREAD, turnId: "" } });
});

test("accepts a result or an error as the answer to a ping, in thread order", () => {
  const early = new FakeAppServer();
  early.command({ type: "ping", key: "k1" });
  expect(early.receive({ id: "ping:k1", error: { code: -32600, message: "Not initialized" } })).toEqual([
    { kind: "ack", key: "k1" },
  ]);
  const conversation = FakeAppServer.open();
  conversation.command({ type: "ping", key: "k2" });
  expect(conversation.lastSent).toEqual({ id: "ping:k2", method: "thread/read", params: { threadId: THREAD } });
  expect(conversation.receive({ id: "ping:k2", result: { thread: { id: THREAD } } })).toEqual([
    { kind: "ack", key: "k2" },
  ]);
});

test("never reuses a request id", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.command({ type: "steer", message: "msg_2", text: "a", attachments: [] });
  conversation.command({ type: "set", effort: "high" });
  conversation.command({ type: "interrupt" });
  const ids = conversation.sent.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
});

test("sets plan mode with the first turn and resets it on leaving", () => {
  const conversation = FakeAppServer.open({ mode: "plan", effort: "low" });
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  const settings = { model: "m-1", reasoning_effort: "low", developer_instructions: null };
  expect(conversation.lastSent.params).toMatchObject({ effort: "low", collaborationMode: { mode: "plan", settings } });
  conversation.receive({ id: conversation.lastSent.id, result: { turn: { id: "turn-1" } } });
  conversation.notify("turn/completed", { turn: { id: "turn-1", status: "completed" } });
  conversation.command({ type: "set", model: "m-2" });
  expect(conversation.lastSent.params).toMatchObject({
    model: "m-2",
    collaborationMode: { mode: "plan", settings: { model: "m-2" } },
  });
  conversation.receive({ id: conversation.lastSent.id, result: {} });
  conversation.command({ type: "set", mode: "auto-edit" });
  expect(conversation.lastSent).toMatchObject({
    method: "thread/settings/update",
    params: {
      approvalPolicy: "on-request",
      sandboxPolicy: { type: "workspaceWrite" },
      collaborationMode: { mode: "default" },
    },
  });
  expect(conversation.receive({ id: conversation.lastSent.id, result: {} })).toEqual([
    { kind: "applied", field: "mode", value: "auto-edit", ok: true, message: "from the next turn on" },
  ]);
  conversation.command({ type: "prompt", message: "msg_2", text: "go", attachments: [] });
  expect(Object.keys(conversation.lastSent.params ?? {})).toEqual(["threadId", "clientUserMessageId", "input"]);
});

test("sends settings with the next turn if the agent cannot change them between turns", () => {
  const conversation = FakeAppServer.open();
  conversation.command({ type: "set", model: "m-9", mode: "full-auto" });
  const refusal = { code: -32600, message: "Invalid request: unknown variant `thread/settings/update`" };
  expect(conversation.receive({ id: conversation.lastSent.id, error: refusal })).toContainEqual({
    kind: "applied",
    field: "model",
    value: "m-9",
    ok: true,
    message: "with the next turn",
  });
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  expect(conversation.lastSent.params).toMatchObject({
    model: "m-9",
    approvalPolicy: "never",
    sandboxPolicy: { type: "dangerFullAccess" },
  });
});

test("reports the controls that a turn carried as applied once the agent has accepted the turn", () => {
  const conversation = FakeAppServer.open({ controls: { fast: "on" } });
  conversation.command({ type: "set", controls: { fast: "off" } });
  const refusal = { code: -32600, message: "Invalid request: unknown variant `thread/settings/update`" };
  conversation.receive({ id: conversation.lastSent.id, error: refusal });
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  expect(conversation.lastSent.params).toMatchObject({ serviceTier: null });
  const accepted = conversation.receive({ id: conversation.lastSent.id, result: { turn: { id: "turn-1" } } });
  expect(accepted).toContainEqual({ kind: "controls", values: expect.objectContaining({ fast: "off" }) });
});

test("reports a rejected setting; inherit cannot be set at run time", () => {
  const conversation = FakeAppServer.open();
  conversation.command({ type: "set", effort: "sky" });
  expect(
    conversation.receive({ id: conversation.lastSent.id, error: { code: -32602, message: "bad effort" } }),
  ).toEqual([{ kind: "applied", field: "effort", value: "sky", ok: false, message: "bad effort" }]);
  expect(conversation.command({ type: "set", mode: "inherit" })).toBeUndefined();
});

test("accepts a model name with a service tier", () => {
  const conversation = new FakeAppServer({ mode: "ask", model: "gpt-5.5@fast" });
  conversation.receive(hello);
  expect(conversation.lastSent).toMatchObject({ params: { model: "gpt-5.5", serviceTier: "fast" } });
});
