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

it("leaves a text that a background subagent streams open when the turn ends", () => {
  const bench = benchWithTurn();
  const piece = (text: string): Output => ({ kind: "delta", item: "itm_text", channel: "text", text, parent: TASK });
  const own: Output = { kind: "delta", item: "itm_own", channel: "text", text: "mine" };
  bench.output(started, subagent, piece("Hello "), own, completed);
  const done = () => bench.events.filter(({ type }) => type === "message.done").map(({ data }) => data);
  expect(done()).toMatchObject([{ item: "itm_own" }]);
  bench.output(piece("there"), {
    kind: "event",
    event: { type: "message.done", data: { item: "itm_text", text: "Hello there", parent: TASK } },
  });
  expect(done()).toMatchObject([{ item: "itm_own" }, { item: "itm_text", text: "Hello there" }]);
  bench.output({ ...piece("more"), item: "itm_cut" } as Output, ended);
  expect(done().at(-1)).toMatchObject({ item: "itm_cut", text: "more", parent: TASK });
  expect(bench.types().includes("raw")).toBe(false);
  expect(faults(bench.events)).toEqual({ broken: [], open: [] });
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

const SECONDS = 10;
const deadlines = {
  ...{ handshakeSeconds: 60, loginSeconds: 60, firstOutputSeconds: 60, silenceSeconds: 60, retrySeconds: 60 },
  ...{ interruptSeconds: SECONDS, lostOutputSeconds: 60, turnSeconds: 600, idleSeconds: 60 },
};

it("ends the processes of a task that ignores a stop, when the original deadline has passed", () => {
  const bench = benchWithTurn();
  Object.assign(bench.context, { deadlines });
  bench.output(started, completed);
  bench.apply("stopTask", TASK);
  const [stopping] = runningTasks(bench.view);
  const at = Date.parse(stopping?.stoppingSince ?? "") + SECONDS * 1000;
  expect(bench.state.deadlines.task).toEqual({ at, seconds: SECONDS });
  // The deadline is a fold of the log: it is the same without the state of the step before.
  bench.state = { ...bench.state, deadlines: {} };
  bench.apply("stopTask", TASK);
  expect(bench.state.deadlines.task?.at).toBe(at);
  bench.apply("deadlinePassed", "task");
  expect(bench.effects).toContainEqual({ type: "endTask", task: TASK });
  bench.apply("taskKilled", TASK);
  expect(bench.view.tasks).toMatchObject([{ status: "stopped", reason: expect.stringContaining("did not stop") }]);
  expect(bench.state.deadlines.task).toBeUndefined();
  bench.output(ended);
  expect(faults(bench.events)).toEqual({ broken: [], open: [] });
});

it("waits again before it ends an overdue task a second time, and keeps the deadlines of other tasks", () => {
  const bench = benchWithTurn();
  Object.assign(bench.context, { deadlines });
  const other: Output = {
    kind: "event",
    event: { type: "task.started", data: { task: "c2", kind: "command", title: "make" } },
  };
  bench.output(started, other, completed);
  bench.apply("stopTask", TASK);
  const at = bench.state.deadlines.task?.at ?? 0;
  let now = at - 3000;
  Object.assign(bench.context, { now: () => new Date(now).toISOString() });
  bench.apply("stopTask", "c2");
  expect(bench.state.deadlines.task?.at).toBe(at);
  now = at;
  bench.apply("deadlinePassed", "task");
  expect(bench.effects).toEqual([{ type: "endTask", task: TASK }]);
  const next = now - 3000 + SECONDS * 1000;
  expect(bench.state.deadlines.task?.at).toBe(next);
  bench.apply("stopTask", TASK);
  expect(bench.state.deadlines.task?.at).toBe(next);
  now = next;
  bench.apply("deadlinePassed", "task");
  expect(bench.effects).toContainEqual({ type: "endTask", task: "c2" });
  expect(bench.state.deadlines.task?.at).toBe(now + SECONDS * 1000);
});

it("reports a task that did not stop as running, with a notice, and can be asked again", () => {
  const bench = benchWithTurn();
  Object.assign(bench.context, { deadlines });
  bench.output(started, completed);
  bench.apply("stopTask", TASK);
  bench.apply("taskNotStopped", TASK);
  expect(runningTasks(bench.view)).toEqual([expect.not.objectContaining({ stopping: true })]);
  expect(bench.events.at(-1)).toMatchObject({ type: "notice", data: { kind: "task", severity: "warning" } });
  expect(bench.state.deadlines.task).toBeUndefined();
  expect(bench.apply("stopTask", TASK)).toMatchObject({ stopping: true });
});

it("stops a command that the agent does not watch by its process, and reports its end as unknown otherwise", () => {
  const watched: Output = {
    kind: "event",
    event: { type: "task.started", data: { task: "c1", kind: "command", title: "make", pid: 4711 } },
  };
  const stopped = benchWithTurn();
  stopped.output(watched, completed);
  expect(stopped.apply("stopTask", "c1")).toMatchObject({ stopping: true });
  expect(stopped.commands).toEqual([]);
  expect(stopped.effects).toContainEqual({ type: "endTask", task: "c1" });
  stopped.apply("taskKilled", "c1");
  expect(stopped.view.tasks).toMatchObject([{ status: "stopped" }]);
  const gone = benchWithTurn();
  gone.output(watched, completed);
  gone.apply("taskServes", { task: "c1", url: "http://localhost:5173/" });
  expect(runningTasks(gone.view)).toMatchObject([{ kind: "server", url: "http://localhost:5173/" }]);
  gone.apply("taskProcessEnded", "c1");
  gone.apply("taskProcessEnded", "c1");
  expect(gone.view.tasks).toMatchObject([{ status: "lost", reason: expect.stringContaining("does not report") }]);
  expect(faults(gone.events)).toEqual({ broken: [], open: [] });
});
