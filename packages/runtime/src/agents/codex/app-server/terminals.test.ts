import { expect, test } from "vitest";
import type { Output } from "../../contract.ts";
import { FakeAppServer, THREAD } from "./conversation.ts";

const running = { type: "commandExecution", id: "c1", command: "npm run dev", processId: "42", status: "inProgress" };
const ended = { ...running, status: "completed", exitCode: 0, aggregatedOutput: "done" };
const turnOf = (turnId: string, item: object) => ({ turnId, item });

/** The `task.*` events among the outputs. */
const tasksIn = (outputs: readonly Output[]) =>
  outputs.flatMap((output) =>
    output.kind === "event" && output.event.type.startsWith("task.") ? [[output.event.type, output.event.data]] : [],
  );

function afterTurn(status: string): { server: FakeAppServer; outputs: Output[] } {
  const server = FakeAppServer.startTurn("turn-1");
  server.notify("item/started", turnOf("turn-1", running));
  return { server, outputs: server.notify("turn/completed", { turn: { id: "turn-1", status } }) };
}

test("makes a task of a command that still runs when its turn has completed", () => {
  const { server, outputs } = afterTurn("completed");
  expect(tasksIn(outputs)).toEqual([
    ["task.started", { task: "c1", kind: "command", title: "npm run dev", command: "npm run dev", item: "itm_c1" }],
  ]);
  expect(outputs.at(-1)?.kind).toBe("finish");
  const output = { itemId: "c1", delta: "ready" };
  expect(server.notify("item/commandExecution/outputDelta", output)).toMatchObject([{ kind: "delta", text: "ready" }]);
  const late = server.notify("item/completed", turnOf("turn-1", ended));
  expect(late).toMatchObject([{ event: { type: "tool.ended" } }, { event: { type: "task.ended" } }]);
  expect(tasksIn(late)).toEqual([["task.ended", { task: "c1", status: "ok", exitCode: 0 }]]);
});

test("terminates the commands of an interrupted turn, which are no tasks", () => {
  const { outputs } = afterTurn("interrupted");
  expect(tasksIn(outputs)).toEqual([]);
  expect(outputs.filter(({ kind }) => kind === "send")).toHaveLength(1);
});

test("stops one task, whose end then counts as stopped", () => {
  const { server } = afterTurn("completed");
  server.command({ type: "stopTask", task: "c1" });
  expect(server.lastSent).toMatchObject({
    method: "thread/backgroundTerminals/terminate",
    params: { processId: "42" },
  });
  const late = server.notify("item/completed", turnOf("turn-1", { ...ended, exitCode: 137 }));
  expect(tasksIn(late)).toEqual([["task.ended", { task: "c1", status: "stopped", exitCode: 137 }]]);
});

test("ends all terminals of the thread with a version that cannot terminate a single one", () => {
  const { server } = afterTurn("completed");
  server.command({ type: "stopTask", task: "c1" });
  const error = { code: -32600, message: "Invalid request: unknown variant `thread/backgroundTerminals/terminate`" };
  expect(server.receive({ id: server.lastSent.id, error })).toMatchObject([
    { kind: "send", frame: { msg: { method: "thread/backgroundTerminals/clean" } } },
  ]);
});

const CHILD = "child-thread";

/** A turn that started a subagent and has ended with this status. */
function afterTurnWithSubagent(status: string): { server: FakeAppServer; outputs: Output[] } {
  const server = FakeAppServer.startTurn("turn-1");
  const call = {
    type: "collabAgentToolCall",
    id: "k1",
    tool: "spawnAgent",
    receiverThreadIds: [CHILD],
    prompt: "look",
  };
  server.notify("item/started", turnOf("turn-1", { ...call, status: "inProgress" }));
  server.notify("item/completed", turnOf("turn-1", { ...call, status: "completed" }));
  server.notify("turn/started", { threadId: CHILD, turn: { id: "child-turn" } });
  return { server, outputs: server.notify("turn/completed", { turn: { id: "turn-1", status } }) };
}

test("makes a task of a subagent that still runs when its turn has completed, with its tools and its result", () => {
  const { server, outputs } = afterTurnWithSubagent("completed");
  expect(tasksIn(outputs)).toEqual([
    ["task.started", { task: CHILD, kind: "subagent", title: "look", item: "itm_k1" }],
  ]);
  const inner = { threadId: CHILD, turnId: "child-turn", item: running };
  expect(server.notify("item/started", inner)).toMatchObject([
    { event: { type: "tool.started", data: { parent: CHILD } } },
  ]);
  server.notify("item/completed", { ...inner, item: ended });
  const items = [{ type: "agentMessage", id: "m", text: "42" }];
  const end = server.notify("turn/completed", {
    threadId: CHILD,
    turn: { id: "child-turn", status: "completed", items },
  });
  expect(end).toMatchObject([{ event: { type: "subagent.ended", data: { status: "ok" } } }, {}]);
  expect(tasksIn(end)).toEqual([["task.ended", { task: CHILD, status: "ok", summary: "42" }]]);
});

test("stops one subagent by interrupting its turn", () => {
  const { server } = afterTurnWithSubagent("completed");
  server.command({ type: "stopTask", task: CHILD });
  expect(server.lastSent).toMatchObject({
    method: "turn/interrupt",
    params: { threadId: CHILD, turnId: "child-turn" },
  });
  const end = server.notify("turn/completed", { threadId: CHILD, turn: { id: "child-turn", status: "interrupted" } });
  expect(tasksIn(end)).toEqual([["task.ended", { task: CHILD, status: "stopped" }]]);
});

test("stops the subagents of an interrupted turn; until they have ended they are tasks", () => {
  const { server, outputs } = afterTurnWithSubagent("interrupted");
  expect(tasksIn(outputs)).toMatchObject([["task.started", { task: CHILD }]]);
  expect(outputs).toContainEqual(
    expect.objectContaining({
      kind: "send",
      frame: expect.objectContaining({ msg: expect.objectContaining({ method: "turn/interrupt" }) }),
    }),
  );
  const end = server.notify("turn/completed", { threadId: CHILD, turn: { id: "child-turn", status: "interrupted" } });
  expect(tasksIn(end)).toEqual([["task.ended", { task: CHILD, status: "stopped" }]]);
});

test("makes a task of a command that a subagent leaves running, and terminates it in the subagent's thread", () => {
  const { server } = afterTurnWithSubagent("completed");
  const inner = { threadId: CHILD, turnId: "child-turn", item: { ...running, id: "c2", processId: "43" } };
  server.notify("item/started", inner);
  const end = server.notify("turn/completed", { threadId: CHILD, turn: { id: "child-turn", status: "completed" } });
  expect(tasksIn(end)).toEqual([
    ["task.started", { task: "c2", kind: "command", title: "npm run dev", command: "npm run dev", item: "itm_c2" }],
    ["task.ended", { task: CHILD, status: "ok" }],
  ]);
  server.command({ type: "stopTask", task: "c2" });
  expect(server.lastSent).toMatchObject({ params: { threadId: CHILD, processId: "43" } });
  const late = server.notify("item/completed", { ...inner, item: { ...ended, id: "c2", exitCode: 137 } });
  expect(tasksIn(late)).toEqual([["task.ended", { task: "c2", status: "stopped", exitCode: 137 }]]);
});

test("reports a command of a subagent as a task once, also if the subagent has another turn", () => {
  const { server } = afterTurnWithSubagent("completed");
  server.notify("item/started", { threadId: CHILD, turnId: "child-turn", item: running });
  const turn = (id: string) => ({ threadId: CHILD, turn: { id, status: "completed" } });
  expect(tasksIn(server.notify("turn/completed", turn("child-turn")))).toMatchObject([["task.started", {}], {}]);
  server.notify("turn/started", { threadId: CHILD, turn: { id: "child-turn-2" } });
  const second = tasksIn(server.notify("turn/completed", turn("child-turn-2")));
  expect(second).toMatchObject([["task.ended", { task: CHILD }]]);
});

test("stops the commands of an interrupted subagent", () => {
  const { server } = afterTurnWithSubagent("completed");
  server.notify("item/started", { threadId: CHILD, turnId: "child-turn", item: { ...running, id: "c2" } });
  server.notify("turn/completed", { threadId: CHILD, turn: { id: "child-turn", status: "interrupted" } });
  expect(server.lastSent).toMatchObject({
    method: "thread/backgroundTerminals/terminate",
    params: { threadId: CHILD, processId: running.processId },
  });
  const end = server.notify("item/completed", { threadId: CHILD, item: { ...ended, id: "c2", exitCode: 137 } });
  expect(tasksIn(end)).toEqual([["task.ended", { task: "c2", status: "stopped", exitCode: 137 }]]);
});

test("does not confuse commands of two threads with the same process id", () => {
  const server = FakeAppServer.startTurn("turn-1");
  server.notify("item/started", turnOf("turn-1", { ...running, id: "ours" }));
  server.notify("thread/started", { thread: { id: CHILD, parentThreadId: THREAD } });
  server.notify("item/started", { threadId: CHILD, turnId: "child-turn", item: { ...running, id: "theirs" } });
  server.notify("turn/completed", { threadId: CHILD, turn: { id: "child-turn", status: "completed" } });
  server.notify("turn/completed", { turn: { id: "turn-1", status: "completed" } });
  server.command({ type: "stopTask", task: "ours" });
  expect(server.lastSent.params).toMatchObject({ threadId: THREAD });
  const end = server.notify("item/completed", { threadId: CHILD, item: { ...ended, id: "theirs", exitCode: 0 } });
  expect(tasksIn(end)).toMatchObject([["task.ended", { task: "theirs", status: "ok" }]]);
});
