import { runningTasks } from "@gantry/protocol";
import { expect, it } from "vitest";
import type { Output } from "../../../agents/contract.ts";
import { EngineBench, faults } from "./engine.fake.ts";

const TASK = "b1";
const started: Output = {
  kind: "event",
  event: { type: "task.started", data: { task: TASK, kind: "subagent", title: "Look around", item: "itm_call" } },
};
const ended: Output = {
  kind: "event",
  event: { type: "task.ended", data: { task: TASK, status: "ok", summary: "42" } },
};
const completed: Output = { kind: "finish", outcome: "completed" };
const tool = (item: string, parent?: string): Output => ({
  kind: "event",
  event: { type: "tool.started", data: { item, name: "Bash", kind: "execute", title: "ls", parent } },
});
const toolEnd = (item: string): Output => ({
  kind: "event",
  event: { type: "tool.ended", data: { item, status: "ok" } },
});
const subagent: Output = {
  kind: "event",
  event: { type: "subagent.started", data: { id: TASK, title: "Look around", parent: "itm_call" } },
};

function benchWithTurn(): EngineBench {
  const bench = new EngineBench();
  bench.apply("send", { message: { id: "msg_1", text: "go", attachments: [], delivery: "auto", author: "user" } });
  return bench;
}

it("leaves a background task and what belongs to it open when the turn ends", () => {
  const bench = benchWithTurn();
  bench.output(tool("itm_call"), started, subagent, toolEnd("itm_call"), tool("itm_in", "itm_call"), tool("itm_own"));
  bench.output(completed);
  expect(bench.view.turn).toBeUndefined();
  expect(runningTasks(bench.view)).toMatchObject([{ task: TASK, status: "running" }]);
  expect(bench.view.tools.map(({ item }) => item)).toEqual(["itm_in"]);
  expect(bench.view.subagents.map(({ id }) => id)).toEqual([TASK]);
  bench.output(toolEnd("itm_in"), tool("itm_next", "itm_call"), toolEnd("itm_next"), ended);
  expect(faults(bench.events)).toEqual({ broken: [], open: [] });
  expect(bench.types().includes("raw")).toBe(false);
  expect(bench.view.tasks).toMatchObject([{ task: TASK, status: "ok", summary: "42" }]);
});

it("keeps an approval that a background task waits for when the turn ends", () => {
  const bench = benchWithTurn();
  bench.output(started, tool("itm_in", "itm_call"));
  const request = {
    kind: "approval" as const,
    title: "ls",
    item: "itm_in",
    tool: { name: "Bash", kind: "execute" as const },
  };
  bench.output({ kind: "ask", key: "k", request }, completed);
  expect(bench.view.inputs).toHaveLength(1);
  bench.output(ended);
  expect(bench.view.inputs).toEqual([]);
});

it("ends a task as lost, with the reason, when its process exits", () => {
  const bench = benchWithTurn();
  bench.output(started, tool("itm_in", "itm_call"), completed);
  bench.apply("processExited", { code: null, signal: "SIGKILL" });
  const end = bench.events.find(({ type }) => type === "task.ended");
  expect(end).toMatchObject({ synthetic: true, data: { task: TASK, status: "lost" } });
  expect(end?.data).toMatchObject({ reason: "the agent's process was ended by SIGKILL" });
  expect(faults(bench.events)).toEqual({ broken: [], open: [] });
});

it("ends a task as lost when Gantry has released the process, and not before", () => {
  const bench = benchWithTurn();
  bench.output(started, completed);
  bench.apply("closeConversation", undefined);
  expect(runningTasks(bench.view)).toHaveLength(1);
  bench.apply("processReleased", "closed");
  expect(bench.view.tasks).toMatchObject([{ status: "lost", reason: "the session was closed" }]);
});

it("stops one task: asks the agent, shows that it stops, and ends it when the agent reports the end", () => {
  const bench = benchWithTurn();
  bench.output(started, completed);
  expect(bench.apply("stopTask", TASK)).toMatchObject({ status: "running", stopping: true });
  expect(bench.commands).toEqual([{ type: "stopTask", task: TASK }]);
  bench.output({ kind: "event", event: { type: "task.ended", data: { task: TASK, status: "stopped" } } });
  expect(bench.view.tasks?.[0]).toMatchObject({ status: "stopped" });
  expect(bench.view.tasks?.[0]?.stopping).toBeUndefined();
  expect(bench.apply("stopTask", TASK)).toMatchObject({ status: "stopped" });
  expect(bench.commands).toEqual([]);
});

it("refuses to stop an unknown task", () => {
  expect(() => benchWithTurn().apply("stopTask", "b9")).toThrow(expect.objectContaining({ code: "no_such_task" }));
});

it("lets a task that ended start again under the same id", () => {
  const bench = benchWithTurn();
  bench.output(started, ended, started);
  expect(faults(bench.events).broken).toEqual([]);
  expect(bench.view.tasks).toMatchObject([{ task: TASK, status: "running" }]);
});

it("drops repeated starts, updates without a change, and ends of unknown tasks", () => {
  const bench = benchWithTurn();
  const update: Output = { kind: "event", event: { type: "task.updated", data: { task: TASK, activity: "reads" } } };
  bench.output(ended, update, started, started, update, update, ended, ended);
  expect(bench.types().filter((type) => type.startsWith("task."))).toEqual([
    "task.started",
    "task.updated",
    "task.ended",
  ]);
});
