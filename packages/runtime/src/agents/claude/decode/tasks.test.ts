import { describe, expect, it } from "vitest";
import { encode } from "../encode.ts";
import { data, framesOf, outputsOfKind, play } from "../recordings.fake.ts";

const VERSIONS = ["2.1.325", "2.1.197"];
const playFixture = (name: string) => play(framesOf(name)).outputs;

describe.each(VERSIONS)("background tasks of %s", (version) => {
  it("start with the command that runs in the background and end with its result, after the turn", () => {
    const outputs = playFixture(`${version}/bashbg`);
    const [call] = data(outputs, "tool.started");
    const [started, ...others] = data(outputs, "task.started");
    expect(others).toEqual([]);
    expect(started).toEqual({
      ...{ task: started?.task, kind: "command", title: "bg", item: call?.item },
      command: expect.stringContaining("echo done-bg"),
    });
    const [end] = data(outputs, "task.ended");
    expect(end).toMatchObject({ task: started?.task, status: "ok", exitCode: 0 });
    const order = outputs.map((output) => (output.kind === "event" ? output.event.type : output.kind));
    expect(order.indexOf("task.ended")).toBeGreaterThan(order.indexOf("finish"));
  });

  it("are stopped by a control request, which the agent confirms", () => {
    const outputs = playFixture(`${version}/background_stop`);
    const [started] = data(outputs, "task.started");
    expect(data(outputs, "task.ended")).toMatchObject([{ task: started?.task, status: "stopped" }]);
  });

  it("contain a subagent that works after the end of its turn", () => {
    const outputs = playFixture(`${version}/background_agent`);
    const [started, ...others] = data(outputs, "task.started");
    expect(others).toEqual([]);
    expect(started).toMatchObject({ kind: "subagent", title: "sub work" });
    expect(data(outputs, "subagent.started")).toMatchObject([{ id: started?.task, parent: started?.item }]);
    expect(data(outputs, "task.updated")).toMatchObject([{ task: started?.task, activity: "Running Nap" }]);
    expect(data(outputs, "task.ended")).toMatchObject([{ task: started?.task, status: "ok" }]);
    expect(data(outputs, "subagent.ended")).toMatchObject([{ id: started?.task, status: "ok" }]);
    const inner = data(outputs, "tool.started").filter(({ parent }) => parent === started?.item);
    expect(inner).toHaveLength(1);
  });

  it("do not include a command that its tool call waits for", () => {
    expect(data(playFixture(`${version}/subtool`), "task.started")).toEqual([]);
  });
});

it("ends a stopped subagent and its task", () => {
  const outputs = playFixture("2.1.325/background_agent_stop");
  const [started] = data(outputs, "task.started");
  expect(data(outputs, "task.ended")).toMatchObject([{ task: started?.task, status: "stopped" }]);
  expect(data(outputs, "subagent.ended")).toMatchObject([{ status: "interrupted" }]);
});

const out = (msg: object) => ({ dir: "out" as const, msg });
const start = { type: "system", subtype: "task_started", task_id: "b1", tool_use_id: "t1", description: "build" };

it("starts a task when a command in the foreground moves to the background", () => {
  const { outputs, state } = play([
    out({ ...start, is_backgrounded: false, task_type: "local_bash" }),
    out({ type: "system", subtype: "task_updated", task_id: "b1", patch: { is_backgrounded: true } }),
  ]);
  expect(data(outputs, "task.started")).toEqual([{ task: "b1", kind: "command", title: "build", item: "itm_t1" }]);
  expect(encode(state, { type: "stopTask", task: "b1" })).toMatchObject([
    { msg: { request: { subtype: "stop_task", task_id: "b1" } }, repeat: "safe" },
  ]);
});

it("ends a task that Claude no longer lists, though it reported no end", () => {
  const list = (...ids: string[]) =>
    out({ type: "system", subtype: "background_tasks_changed", tasks: ids.map((task_id) => ({ task_id })) });
  const { outputs } = play([list("b1"), out({ ...start, is_backgrounded: true, task_type: "local_bash" }), list()]);
  expect(data(outputs, "task.ended")).toMatchObject([{ task: "b1", status: "lost" }]);
});

it("reports a stop that Claude refuses, and the task continues", () => {
  const { outputs } = play([
    out({ ...start, is_backgrounded: true, task_type: "local_bash" }),
    { dir: "in", msg: { type: "control_request", request_id: "r", request: { subtype: "stop_task", task_id: "b1" } } },
    out({ type: "control_response", response: { subtype: "error", request_id: "r", error: "no" } }),
  ]);
  expect(data(outputs, "task.updated")).toEqual([{ task: "b1", stopping: false }]);
  expect(data(outputs, "notice")).toMatchObject([{ kind: "task", severity: "warning" }]);
  expect(data(outputs, "task.ended")).toEqual([]);
  expect(outputsOfKind(outputs, "ack")).toEqual([{ kind: "ack", key: "r" }]);
});

it("has a teammate as a task of its kind, and no task for Claude's housekeeping", () => {
  const { outputs } = play([
    out({ ...start, task_type: "in_process_teammate" }),
    out({ ...start, task_id: "b2", task_type: "dream", ambient: true }),
  ]);
  expect(data(outputs, "task.started")).toMatchObject([{ task: "b1", kind: "teammate" }]);
});
