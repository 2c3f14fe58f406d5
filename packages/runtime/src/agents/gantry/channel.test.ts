import { createHmac } from "node:crypto";
import type { InputRequest } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import type { Channel, Frame } from "../contract.ts";
import { data, framesOf, launch, outputsOfKind, play } from "../json-lines/recordings.fake.ts";
import { rpc } from "./channel.ts";
import { gantry } from "./descriptor.ts";

const channel = rpc as unknown as Channel<unknown>;
const playFixture = (name: string) => play(rpc, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;
const event = (event: Record<string, unknown>): Frame => ({
  dir: "out",
  msg: { type: "event", protocol_version: 2, session_id: "s", seq: 1, frame_id: "f", payload: { event } },
});
/** How the agent checks a line. */
const lineCheckWith = (key: string) => (line: string) => {
  const [, body = "", auth] = /^(.*),"auth":"([0-9a-f]{64})"\}$/.exec(line) ?? [];
  return createHmac("sha256", key).update(`${body}}`).digest("hex") === auth;
};
const encodeCommand = (state: unknown, command: Parameters<typeof channel.encode>[1]) =>
  channel.encode(state, command)?.map(({ msg }) => {
    const { auth: _, ...rest } = msg as { auth?: string };
    return rest;
  });

describe("starting", () => {
  it("runs this program with model, mode and conversation", () => {
    expect(gantry.builtin?.command.at(-1)).toBe("agent");
    const wanted = { ...launch, dir: "/given", model: "a/b", effort: "high", mode: "plan" as const, resume: "s-1" };
    expect(rpc.launch({ ...wanted, folders: ["/more"] }).args).toEqual([
      ...["--mode", "rpc", "--model", "a/b", "--thinking", "high", "--permission-mode", "plan"],
      ...["--resume", "s-1", "--folder", "/more"],
    ]);
    expect(rpc.launch({ ...wanted, fork: true }).args).toContain("--fork");
    expect(rpc.launch({ ...launch, mode: "inherit" }).args).toEqual(["--mode", "rpc"]);
  });

  it("signs every frame with the key that it hands over in a file", () => {
    const { env, files, args } = rpc.launch({ ...launch, dir: "/given" });
    const key = files?.["control-key"] ?? "";
    expect(env).toEqual({ GANTRY_CONTROL_KEY_FILE: "/given/control-key" });
    expect(JSON.stringify([env, args])).not.toContain(key);
    const isGenuine = lineCheckWith(key);
    const state = rpc.initial(launch);
    const frames = [...rpc.open(state), ...(rpc.encode(state, { type: "set", mode: "full-auto" }) ?? [])];
    expect(frames.length).toBeGreaterThan(1);
    for (const { msg } of frames) expect(isGenuine(JSON.stringify(msg))).toBe(true);
    const other = rpc.initial({ ...launch, uuid: "00000000-0000-4000-8000-000000000001" });
    for (const { msg } of rpc.open(other)) expect(isGenuine(JSON.stringify(msg))).toBe(false);
  });

  it("names its models", () => {
    const models = outputsOfKind(playFixture("write"), "ready").flatMap(({ models }) => models ?? []);
    expect(models.map(({ id }) => id)).toContain("scripted/scripted-model");
  });
});

describe("approvals", () => {
  it("name the call and its change; Gantry stores session grants, the agent does not", () => {
    const frames = framesOf(`${import.meta.dirname}/fixtures`, "write");
    const asking = frames.findIndex((frame) => "msg" in frame && JSON.stringify(frame.msg).includes('"approval"'));
    const { outputs, state } = play(rpc, frames.slice(0, asking + 1));
    const [ask] = outputsOfKind(outputs, "ask");
    expect(ask?.request).toMatchObject({
      kind: "approval",
      tool: { name: "write", kind: "edit" },
      diff: [{ additions: 1, deletions: 0 }],
    });
    const request = ask?.request as InputRequest;
    const reply = (answer: object) =>
      encodeCommand(state, { type: "answer", key: ask?.key ?? "", request, answer } as never);
    const id = ask?.key;
    const type = "extension_ui_response";
    expect(reply({ decision: "allow_session" })).toEqual([{ id, type, value: "Allow once" }]);
    expect(reply({ decision: "deny", message: "not so" })).toEqual([{ id, type, value: "Deny", reason: "not so" }]);
    expect(reply({ decision: "allow", edits: { path: "x" } })).toEqual([
      { id, type, value: "Allow once", args: { path: "x" } },
    ]);
    expect(reply({ decision: "cancel" })).toEqual([{ id, type, cancelled: true }]);
  });

  it("are published for edited inputs and denials", () => {
    expect(outputsOfKind(playFixture("edited"), "answered")[0]?.answer).toMatchObject({
      edits: { content: "edited\n" },
    });
    expect(data(playFixture("deny"), "tool.ended")).toMatchObject([{ status: "denied" }]);
  });
});

it("asks questions with their choices", () => {
  const outputs = playFixture("question");
  const [ask] = outputsOfKind(outputs, "ask");
  expect(ask?.request).toMatchObject({
    kind: "question",
    questions: [{ options: [{ label: "Red" }, { label: "Blue" }] }],
  });
  expect(outputsOfKind(outputs, "answered")[0]?.answer).toEqual({ decision: "allow", answers: { answer: "Blue" } });
});

describe("while it works", () => {
  it("publishes plans, subagents and output chunks", () => {
    const outputs = playFixture("tools");
    expect(data(outputs, "plan.updated").at(-1)).toMatchObject({
      entries: [{ text: "step A", status: "in_progress" }, {}],
    });
    const [started] = data(outputs, "subagent.started");
    expect(data(outputs, "subagent.ended")).toEqual([{ id: (started as { id: string }).id, status: "ok" }]);
    expect(outputsOfKind(outputs, "delta").some(({ channel: kind }) => kind === "output")).toBe(true);
  });

  it("publishes its own events and those of the shared protocol", () => {
    const { outputs } = play(rpc, [
      event({ type: "context_promoted", from: "a/small", to: "a/large" }),
      event({ type: "retry_fallback_applied", from: "a/x", to: "b/y", role: "default" }),
      event({ type: "ttsr_triggered", rules: [{ name: "no-any", path: "r.md" }] }),
      event({ type: "bash_execution_update", delta: "x" }),
    ]);
    expect(data(outputs, "model.changed")).toEqual([{ from: "a/small", to: "a/large" }]);
    expect(data(outputs, "notice")).toMatchObject(
      [{ kind: "fallback" }, { kind: "rule", text: /no-any/ }].map(({ kind }) => ({ kind })),
    );
    expect(data(outputs, "raw")).toEqual([]);
  });

  it("publishes background jobs as tasks and stops one", () => {
    const call = { toolCallId: "call-1", toolName: "bash", args: { command: "npm run dev" } };
    const { outputs, state } = play(rpc, [
      event({ type: "agent_start" }),
      event({ type: "tool_execution_start", ...call }),
      event({ type: "job_started", jobId: "job-1", command: "npm run dev\n", toolCallId: "call-1" }),
      event({ type: "job_updated", jobId: "job-1", url: "http://localhost:5173/" }),
      event({ type: "job_ended", jobId: "job-1", status: "failed", exitCode: 3, summary: "no such script" }),
    ]);
    const [tool] = data(outputs, "tool.started") as { item: string }[];
    expect(data(outputs, "task.started")).toEqual([
      { task: "job-1", kind: "command", title: "npm run dev", command: "npm run dev", item: tool?.item },
    ]);
    expect(data(outputs, "task.updated")).toEqual([{ task: "job-1", kind: "server", url: "http://localhost:5173/" }]);
    expect(data(outputs, "task.ended")).toEqual([
      { task: "job-1", status: "error", exitCode: 3, summary: "no such script" },
    ]);
    expect(data(outputs, "raw")).toEqual([]);
    expect(encodeCommand(state, { type: "stopTask", task: "job-1" })).toMatchObject([
      { type: "stop_job", jobId: "job-1" },
    ]);
  });

  it("changes its mode in place", () => {
    const state = channel.initial(launch);
    const [frame] = encodeCommand(state, { type: "set", mode: "auto-edit" }) as [{ id: string }];
    expect(frame).toMatchObject({ type: "set_mode", mode: "auto-edit" });
    const { outputs } = play(rpc, [
      { dir: "in", msg: frame },
      { dir: "out", msg: { id: frame.id, type: "response", command: "set_mode", success: true } },
    ]);
    expect(outputsOfKind(outputs, "applied")).toEqual([
      { kind: "applied", field: "mode", value: "auto-edit", ok: true },
    ]);
    expect(encodeCommand(state, { type: "set", mode: "inherit" })).toBeUndefined();
  });
});
