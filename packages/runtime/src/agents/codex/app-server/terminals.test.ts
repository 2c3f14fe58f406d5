import { expect, test } from "vitest";
import type { Output } from "../../contract.ts";
import { FakeAppServer } from "./conversation.ts";

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
    ["task.started", { task: "c1", kind: "command", title: "npm run dev", item: "itm_c1" }],
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
