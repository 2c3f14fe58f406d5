import { expect, test } from "vitest";
import { Conversation, THREAD } from "./conversation.ts";

const hello = { id: 1, result: { userAgent: "x", codexHome: "/home/dev/.codex" } };

test("greets, then opens a thread on the wanted rung", () => {
  const talk = new Conversation({ mode: "ask", model: "m-2" });
  expect(talk.lastSent).toMatchObject({
    id: 1,
    method: "initialize",
    params: { capabilities: { experimentalApi: true } },
  });
  talk.hear(hello);
  expect(talk.sent.slice(1)).toEqual([
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
  expect(talk.hear({ id: 2, result: { thread: { id: THREAD }, model: "m-2" } })).toContainEqual({
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
] as const)("opens in %s with its own words", (mode, params) => {
  const talk = new Conversation({ mode });
  talk.hear(hello);
  expect(talk.lastSent.params).toEqual({ cwd: "/workspace/project", ...params });
});

test("resumes and copies without the history", () => {
  const resumed = new Conversation({ resume: "old", mode: "inherit" });
  resumed.hear(hello);
  expect(resumed.lastSent).toMatchObject({ method: "thread/resume", params: { threadId: "old", excludeTurns: true } });
  const forked = new Conversation({ resume: "old", fork: true, mode: "inherit" });
  forked.hear(hello);
  expect(forked.lastSent).toMatchObject({ method: "thread/fork", params: { threadId: "old", excludeTurns: true } });
});

test("a thread that is not there is lost, another refusal an error", () => {
  const talk = new Conversation({ resume: "old" });
  talk.hear(hello);
  expect(talk.hear({ id: 2, error: { code: -32600, message: "no rollout found for thread id old" } })).toContainEqual({
    kind: "lost",
    message: "no rollout found for thread id old",
  });
  const other = new Conversation();
  other.hear(hello);
  const [, error] = other.hear({ id: 2, error: { code: -32600, message: "Not initialized" } });
  expect(error).toMatchObject({ event: { type: "error", data: { category: "protocol" } } });
});

test("greeting and opening twice, as after a crash, count once", () => {
  const talk = Conversation.opened();
  expect(talk.hear({ id: 1, error: { code: -32600, message: "Already initialized" } })).toEqual([]);
  expect(talk.hear({ id: 2, result: { thread: { id: "thread-2" }, model: "m-1" } })).toEqual([]);
  expect(talk.state.thread).toBe(THREAD);
  expect(talk.sent.filter(({ method }) => method === "thread/start")).toHaveLength(1);
});

test("a prompt starts a turn under our name for it", () => {
  const talk = Conversation.opened();
  const frames = talk.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
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

test("attachments go as images or are named", () => {
  const talk = Conversation.opened();
  talk.command({
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
  expect(talk.lastSent.params?.input).toEqual([
    { type: "text", text: "look", text_elements: [] },
    { type: "localImage", path: "/w/a.png" },
    { type: "image", url: "data:image/jpeg;base64,AAAA" },
    { type: "text", text: "Attached file: /w/notes.md", text_elements: [] },
    { type: "text", text: "Attached file n.txt:\ngrün", text_elements: [] },
  ]);
});

test("nothing is sent before there is a thread", () => {
  const talk = new Conversation();
  expect(talk.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] })).toBeUndefined();
  expect(talk.command({ type: "set", model: "m-2" })).toBeUndefined();
  expect(
    talk.command({ type: "answer", key: "0", answer: { decision: "allow" }, request: {} as never }),
  ).toBeUndefined();
});

test("steer and interrupt name the running turn; an idle interrupt is nothing", () => {
  const talk = Conversation.running("turn-7");
  talk.command({ type: "steer", message: "msg_2", text: "left", attachments: [] });
  expect(talk.lastSent).toMatchObject({
    method: "turn/steer",
    params: { expectedTurnId: "turn-7", clientUserMessageId: "msg_2" },
  });
  talk.command({ type: "interrupt" });
  expect(talk.lastSent).toMatchObject({ method: "turn/interrupt", params: { threadId: THREAD, turnId: "turn-7" } });
  expect(Conversation.opened().command({ type: "interrupt" })).toEqual([]);
  expect(talk.hear({ id: talk.lastSent.id, error: { code: -32600, message: "no active turn to interrupt" } })).toEqual(
    [],
  );
});

test("a turn can be stopped before it has an id", () => {
  const talk = Conversation.opened();
  talk.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  talk.command({ type: "interrupt" });
  expect(talk.lastSent).toMatchObject({ method: "turn/interrupt", params: { threadId: THREAD, turnId: "" } });
});

test("a ping is answered by result or error, in the order of the thread", () => {
  const early = new Conversation();
  early.command({ type: "ping", key: "k1" });
  expect(early.hear({ id: "ping:k1", error: { code: -32600, message: "Not initialized" } })).toEqual([
    { kind: "ack", key: "k1" },
  ]);
  const talk = Conversation.opened();
  talk.command({ type: "ping", key: "k2" });
  expect(talk.lastSent).toEqual({ id: "ping:k2", method: "thread/read", params: { threadId: THREAD } });
  expect(talk.hear({ id: "ping:k2", result: { thread: { id: THREAD } } })).toEqual([{ kind: "ack", key: "k2" }]);
});

test("ids are never used twice", () => {
  const talk = Conversation.running();
  talk.command({ type: "steer", message: "msg_2", text: "a", attachments: [] });
  talk.command({ type: "set", effort: "high" });
  talk.command({ type: "interrupt" });
  const ids = talk.sent.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
});

test("planning is said with the first turn, and taken back on leaving", () => {
  const talk = Conversation.opened({ mode: "plan", effort: "low" });
  talk.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  const settings = { model: "m-1", reasoning_effort: "low", developer_instructions: null };
  expect(talk.lastSent.params).toMatchObject({ effort: "low", collaborationMode: { mode: "plan", settings } });
  talk.hear({ id: talk.lastSent.id, result: { turn: { id: "turn-1" } } });
  talk.notify("turn/completed", { turn: { id: "turn-1", status: "completed" } });
  talk.command({ type: "set", model: "m-2" });
  expect(talk.lastSent.params).toMatchObject({
    model: "m-2",
    collaborationMode: { mode: "plan", settings: { model: "m-2" } },
  });
  talk.hear({ id: talk.lastSent.id, result: {} });
  talk.command({ type: "set", mode: "auto-edit" });
  expect(talk.lastSent).toMatchObject({
    method: "thread/settings/update",
    params: {
      approvalPolicy: "on-request",
      sandboxPolicy: { type: "workspaceWrite" },
      collaborationMode: { mode: "default" },
    },
  });
  expect(talk.hear({ id: talk.lastSent.id, result: {} })).toEqual([
    { kind: "applied", field: "mode", value: "auto-edit", ok: true, message: "from the next turn on" },
  ]);
  talk.command({ type: "prompt", message: "msg_2", text: "go", attachments: [] });
  expect(Object.keys(talk.lastSent.params ?? {})).toEqual(["threadId", "clientUserMessageId", "input"]);
});

test("an agent that cannot change settings between turns gets them with the next", () => {
  const talk = Conversation.opened();
  talk.command({ type: "set", model: "m-9", mode: "full-auto" });
  const refusal = { code: -32600, message: "Invalid request: unknown variant `thread/settings/update`" };
  expect(talk.hear({ id: talk.lastSent.id, error: refusal })).toContainEqual({
    kind: "applied",
    field: "model",
    value: "m-9",
    ok: true,
    message: "with the next turn",
  });
  talk.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  expect(talk.lastSent.params).toMatchObject({
    model: "m-9",
    approvalPolicy: "never",
    sandboxPolicy: { type: "dangerFullAccess" },
  });
});

test("a refused setting says so, and inherit cannot be set on the way", () => {
  const talk = Conversation.opened();
  talk.command({ type: "set", effort: "sky" });
  expect(talk.hear({ id: talk.lastSent.id, error: { code: -32602, message: "bad effort" } })).toEqual([
    { kind: "applied", field: "effort", value: "sky", ok: false, message: "bad effort" },
  ]);
  expect(talk.command({ type: "set", mode: "inherit" })).toBeUndefined();
});

test("a model may be named with its service tier", () => {
  const talk = new Conversation({ mode: "ask", model: "gpt-5.5@fast" });
  talk.hear(hello);
  expect(talk.lastSent).toMatchObject({ params: { model: "gpt-5.5", serviceTier: "fast" } });
});
