import { expect, test } from "vitest";
import type { Channel, Output } from "../../../contract.ts";
import { eventsOf, ofKind } from "../../replay.ts";
import { appServer } from "../channel.ts";
import { FakeAppServer, THREAD } from "../conversation.ts";
import { MAX_OPEN_TEXTS, MAX_SUBAGENTS, type State } from "../state.ts";

type Item = { type: string; [key: string]: unknown };

/** Starts and completes an item; `end` overrides its fields at completion. */
function run(item: Item, end: object = {}): { started: Output[]; ended: Output[]; conversation: FakeAppServer } {
  const conversation = FakeAppServer.startTurn();
  const started = conversation.notify("item/started", { item: { id: "i", ...item } });
  const ended = conversation.notify("item/completed", { item: { id: "i", ...item, ...end } });
  return { started, ended, conversation };
}

const data = (outputs: Output[], type: string) => eventsOf(outputs, type)[0]?.data;

test("publishes a command unwrapped, with output, exit code and duration, and a declined one as denied", () => {
  const item = { type: "commandExecution", command: "/bin/bash -lc 'make all'", cwd: "/w", commandActions: [] };
  const end = { aggregatedOutput: "ok\n", exitCode: 0, durationMs: 7, status: "completed" };
  const { started, ended } = run(item, end);
  expect(data(started, "tool.started")).toEqual({
    item: "itm_i",
    name: "shell",
    kind: "execute",
    title: "make all",
    input: { command: "make all", cwd: "/w" },
  });
  expect(data(ended, "tool.ended")).toEqual({
    item: "itm_i",
    status: "ok",
    output: "ok\n",
    exitCode: 0,
    durationMs: 7,
  });
  expect(data(run(item, { exitCode: 2, status: "failed" }).ended, "tool.ended")).toMatchObject({ status: "error" });
  expect(data(run(item, { status: "declined" }).ended, "tool.ended")).toMatchObject({ status: "denied" });
});

test("streams the output of an open command and drops that of an unknown one", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.notify("item/started", { item: { type: "commandExecution", id: "c", command: "make" } });
  expect(conversation.notify("item/commandExecution/outputDelta", { itemId: "c", delta: "a\n" })).toEqual([
    { kind: "delta", item: "itm_c", channel: "output", text: "a\n" },
  ]);
  expect(conversation.notify("item/commandExecution/outputDelta", { itemId: "d", delta: "a\n" })).toEqual([]);
});

test("publishes the server and error of an MCP call", () => {
  const item = { type: "mcpToolCall", server: "docs", tool: "search", arguments: { q: 1 } };
  const { started, ended } = run(item, {
    status: "completed",
    result: { content: [{ type: "text", text: "found" }], structuredContent: { n: 1 } },
  });
  expect(data(started, "tool.started")).toMatchObject({
    name: "search",
    mcp: { server: "docs", tool: "search" },
    input: { q: 1 },
  });
  expect(data(ended, "tool.ended")).toMatchObject({ status: "ok", output: "found", structured: { n: 1 } });
  const failed = run(item, { status: "failed", error: { message: "down" } }).ended;
  expect(data(failed, "tool.ended")).toMatchObject({ status: "error", output: "down" });
});

test.each<[Item, object]>([
  [
    { type: "imageView", path: "/w/a.png" },
    { name: "view_image", kind: "read", locations: [{ path: "/w/a.png" }] },
  ],
  [
    { type: "webSearch", query: "cats", action: { type: "search" } },
    { name: "web_search", kind: "search", title: "cats" },
  ],
  [
    { type: "webSearch", query: "", action: { type: "open_page", url: "http://x/" } },
    { kind: "fetch", title: "http://x/" },
  ],
  [
    { type: "dynamicToolCall", namespace: "ns", tool: "t", arguments: {} },
    { name: "ns.t", kind: "other" },
  ],
  [
    { type: "imageGeneration", revisedPrompt: "a cat", result: "aGk=" },
    { name: "image_generation", title: "a cat" },
  ],
  [{ type: "sleep", durationMs: 5 }, { name: "sleep" }],
  [{ type: "functionCallOutput", name: "f", output: "done" }, { name: "f" }],
])("maps %j to a tool call", (item, start) => {
  const { started, ended } = run(item);
  expect(data(started, "tool.started")).toMatchObject(start);
  expect(data(ended, "tool.ended")).toMatchObject({ item: "itm_i", status: "ok" });
});

test("starts an unannounced tool call when it ends", () => {
  const conversation = FakeAppServer.startTurn();
  const outputs = conversation.notify("item/completed", { item: { type: "imageView", id: "i", path: "/w/a.png" } });
  expect(ofKind(outputs, "event").map(({ event }) => event.type)).toEqual(["tool.started", "tool.ended"]);
});

test("separates reasoning parts and publishes only the first stream", () => {
  const conversation = FakeAppServer.startTurn();
  const piece = (summaryIndex: number, delta: string) =>
    conversation.notify("item/reasoning/summaryTextDelta", { itemId: "r", summaryIndex, delta });
  const outputs = [...piece(0, "one"), ...piece(0, "!"), ...piece(2, "two")];
  expect(conversation.notify("item/reasoning/textDelta", { itemId: "r", contentIndex: 0, delta: "raw" })).toEqual([]);
  const item = { type: "reasoning", id: "r", summary: ["one!", "", "two", "three"], content: ["raw"] };
  const done = conversation.notify("item/completed", { item });
  expect(data(done, "reasoning.done")).toMatchObject({ text: "one!\n\ntwo\n\nthree", redacted: false });
  expect(
    ofKind([...outputs, ...done], "delta")
      .map((delta) => delta.text)
      .join(""),
  ).toBe("one!\n\ntwo\n\nthree");
  expect(eventsOf(done, "reasoning.done")[0]?.ext).toEqual({ codex: { content: "raw" } });
});

test("streams raw reasoning if there is no summary", () => {
  const conversation = FakeAppServer.startTurn();
  expect(conversation.notify("item/reasoning/textDelta", { itemId: "r", contentIndex: 0, delta: "hm" })).toMatchObject([
    { text: "hm" },
  ]);
  const done = conversation.notify("item/completed", {
    item: { type: "reasoning", id: "r", summary: [], content: ["hm", "so"] },
  });
  expect(data(done, "reasoning.done")).toMatchObject({ text: "hm\n\nso" });
  const hidden = conversation.notify("item/completed", {
    item: { type: "reasoning", id: "s", summary: [], content: [] },
  });
  expect(data(hidden, "reasoning.done")).toMatchObject({ text: "", redacted: true });
});

test("publishes unstreamed text before a message's end, and its phase", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.notify("item/agentMessage/delta", { itemId: "m", delta: "Hel" });
  const done = conversation.notify("item/completed", {
    item: { type: "agentMessage", id: "m", text: "Hello", phase: "final_answer" },
  });
  expect(done).toMatchObject([
    { kind: "delta", text: "lo" },
    { event: { type: "message.done", data: { text: "Hello", phase: "final" } } },
  ]);
  const plan = conversation.notify("item/completed", { item: { type: "plan", id: "p", text: "1. do" } });
  expect(eventsOf(plan, "message.done")[0]).toMatchObject({ data: { text: "1. do" }, ext: { codex: { plan: true } } });
});

test("publishes the turn's plan and diff, and ignores a repeated diff", () => {
  const conversation = FakeAppServer.startTurn();
  const plan = [
    { step: "a", status: "inProgress" },
    { step: "b", status: "pending" },
  ];
  expect(data(conversation.notify("turn/plan/updated", { plan, explanation: "why" }), "plan.updated")).toEqual({
    entries: [
      { text: "a", status: "in_progress" },
      { text: "b", status: "pending" },
    ],
    explanation: "why",
  });
  const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n";
  expect(data(conversation.notify("turn/diff/updated", { diff }), "diff.updated")).toEqual({
    files: [{ path: "x", kind: "update", additions: 2, deletions: 1 }],
  });
  expect(conversation.notify("turn/diff/updated", { diff })).toEqual([]);
  expect(data(conversation.notify("turn/diff/updated", { diff: "" }), "diff.updated")).toEqual({ files: [] });
});

test("publishes a compaction once, whichever frames report it", () => {
  const { ended, conversation } = run({ type: "contextCompaction" });
  expect(data(ended, "context.compacted")).toMatchObject({ trigger: "auto" });
  expect(conversation.notify("thread/compacted")).toEqual([]);
});

test("marks the items of a subagent's thread with its id", () => {
  const conversation = FakeAppServer.startTurn();
  const started = conversation.receive({
    method: "thread/started",
    params: { thread: { id: "sub", parentThreadId: THREAD, agentNickname: "Ada" } },
  });
  expect(data(started, "subagent.started")).toMatchObject({ id: "sub", title: "Ada" });
  const outputs = conversation.notify("item/completed", {
    threadId: "sub",
    turnId: "t",
    item: { type: "agentMessage", id: "m", text: "hi" },
  });
  expect(data(outputs, "message.done")).toMatchObject({ parent: "sub" });
  const [asked] = ofKind(
    conversation.receive({
      id: 1,
      method: "item/commandExecution/requestApproval",
      params: { threadId: "sub", command: "ls" },
    }),
    "ask",
  );
  expect(asked?.request.subagent).toBe("sub");
  const turn = { id: "t", status: "completed", items: [{ type: "agentMessage", text: "hi" }] };
  const ended = conversation.notify("turn/completed", { threadId: "sub", turn });
  expect(data(ended, "subagent.ended")).toMatchObject({ id: "sub", status: "ok", summary: "hi" });
  expect(conversation.state.turn).toBe("turn-1");
});

test("publishes other agents' activity lines as subagent events", () => {
  const activity = (kind: string) => ({
    type: "subAgentActivity",
    kind,
    agentThreadId: "sub",
    agentPath: "/root/ada",
    model: "m",
  });
  const conversation = FakeAppServer.startTurn();
  const notifyActivity = (kind: string) =>
    conversation.notify("item/completed", { item: { id: kind, ...activity(kind) } });
  expect(data(notifyActivity("started"), "subagent.started")).toEqual({ id: "sub", title: "/root/ada", model: "m" });
  expect(data(notifyActivity("interacted"), "subagent.updated")).toEqual({ id: "sub", progress: "interacted" });
  expect(data(notifyActivity("interrupted"), "subagent.ended")).toEqual({ id: "sub", status: "interrupted" });
});

test.each([
  ["warning", { message: "careful" }, "warning"],
  ["deprecationNotice", { summary: "old", details: "soon" }, "info"],
  ["configWarning", { summary: "could not find bubblewrap on PATH" }, "info"],
  ["configWarning", { summary: "unknown key" }, "warning"],
  ["mcpServer/startupStatus/updated", { name: "docs", status: "failed", error: "x" }, "warning"],
  ["hook/completed", { run: { status: "blocked", eventName: "preToolUse", statusMessage: "no" } }, "warning"],
  ["item/autoApprovalReview/completed", { review: { status: "denied", rationale: "risky" } }, "warning"],
])("publishes %s as a notice", (method, params, severity) => {
  const conversation = FakeAppServer.startTurn();
  expect(data(conversation.notify(method, params), "notice")).toMatchObject({ severity });
});

test("stores an unknown item type as raw", () => {
  for (const type of ["brandNew", "constructor"]) {
    const { started, ended } = run({ type });
    expect([...started, ...ended]).toMatchObject([{ event: { type: "raw" } }, { event: { type: "raw" } }]);
  }
});

test("recognises a subagent that starts before its announcement and outlives the turn", () => {
  const conversation = FakeAppServer.startTurn();
  const rootTurnId = conversation.state.turn;
  const begun = conversation.notify("turn/started", {
    threadId: "child",
    turn: { id: "t", rootTurnId, status: "inProgress" },
  });
  expect(begun).toMatchObject([{ event: { type: "subagent.started", data: { id: "child" } } }]);
  conversation.notify("turn/completed", { turn: { id: rootTurnId, status: "completed" } });
  const item = { type: "agentMessage", id: "late", text: "done at last" };
  const late = conversation.notify("item/completed", { threadId: "child", turnId: "t", item });
  expect(late).toMatchObject([{ kind: "delta" }, { event: { type: "message.done", data: { text: "done at last" } } }]);
});

test("follows a bounded number of open texts and subagents, and one that ends makes room", () => {
  const channel = appServer as unknown as Channel<State>;
  let { state } = FakeAppServer.startTurn("turn-1");
  const receive = (method: string, params: object): Output[] => {
    const [next, outputs] = channel.decode(state, {
      dir: "out",
      msg: { method, params: { threadId: THREAD, ...params } },
    });
    state = next;
    return outputs;
  };
  const chunk = (itemId: string) => receive("item/agentMessage/delta", { turnId: "turn-1", itemId, delta: "x" });
  const child = (id: string) => receive("thread/started", { thread: { id, parentThreadId: THREAD } });
  for (let index = 0; index < MAX_OPEN_TEXTS; index++) expect(chunk(`m${index}`)).toMatchObject([{ kind: "delta" }]);
  for (let index = 0; index < MAX_SUBAGENTS; index++) child(`c${index}`);
  expect([chunk("more"), child("more")]).toMatchObject([[{ event: { type: "raw" } }], [{ event: { type: "raw" } }]]);
  receive("item/completed", { turnId: "turn-1", item: { type: "agentMessage", id: "m0", text: "x" } });
  receive("turn/completed", { threadId: "c0", turn: { id: "t", status: "completed" } });
  expect([chunk("more"), child("more")]).toMatchObject([
    [{ kind: "delta" }],
    [{ event: { type: "subagent.started" } }],
  ]);
  expect(Object.keys(state.subagents)).toHaveLength(MAX_SUBAGENTS);
});

test("rejects requests above a limit instead of following them", () => {
  const conversation = FakeAppServer.startTurn();
  const request = { method: "item/commandExecution/requestApproval", params: { threadId: THREAD, command: "ls" } };
  const outputs = Array.from({ length: 150 }, (_, index) => conversation.receive({ id: 1000 + index, ...request }));
  expect(Object.keys(conversation.state.asks)).toHaveLength(100);
  expect(eventsOf(outputs.flat(), "raw")).toHaveLength(50);
  expect(conversation.sent.filter(({ error }) => error !== undefined)).toHaveLength(50);
});
