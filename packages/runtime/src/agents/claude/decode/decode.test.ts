import { describe, expect, it } from "vitest";
import type { Frame } from "../../contract.ts";
import { data, framesOf, launchOptions, outputsOfKind, play } from "../recordings.fake.ts";
import { quietFrames, rawFrames } from "./frames.ts";
import { initialState } from "./state.ts";

const out = (msg: unknown): Frame => ({ dir: "out", msg });
const msg = (number: number) => `msg_00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const playFixture = (name: string) => play(framesOf(name)).outputs;

describe("texts", () => {
  it("retracts the text that was streamed before each of two connection errors", () => {
    const outputs = playFixture("2.1.325/drop");
    expect(data(outputs, "message.retracted").map(({ items }) => items)).toEqual([
      ["itm_msg_mock0153#0"],
      ["itm_msg_mock0156#0"],
    ]);
    expect(data(outputs, "message.done")).toMatchObject([{ item: "itm_msg_mock0159#0" }]);
    expect(outputsOfKind(outputs, "retry")).toMatchObject([{ attempt: 1, max: 1, failure: { category: "network" } }]);
  });

  it("retracts text that an older version abandons silently", () => {
    const outputs = playFixture("2.1.197/miderr");
    expect(data(outputs, "message.retracted")).toHaveLength(1);
    expect(data(outputs, "message.done")).toHaveLength(1);
  });

  it("publishes the final text as a new item if it differs from the streamed one", () => {
    const stream = (event: unknown) => out({ type: "stream_event", event, parent_tool_use_id: null });
    const { outputs } = play([
      stream({ type: "message_start", message: { id: "m1", usage: {} } }),
      stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "One" } }),
      out({ type: "assistant", message: { id: "m1", model: "x", content: [{ type: "text", text: "Two" }] } }),
    ]);
    expect(data(outputs, "message.retracted")).toMatchObject([{ items: ["itm_m1#0"] }]);
    expect(data(outputs, "message.done")).toMatchObject([{ item: "itm_m1#0.again", text: "Two" }]);
  });

  it("publishes the partial answer of an interrupted turn", () => {
    const outputs = playFixture("2.1.325/ctl_interrupt_stream_last");
    expect(data(outputs, "message.done")).toMatchObject([{ text: "word0 word1 " }]);
    expect(data(outputs, "message.retracted")).toEqual([]);
  });

  it("does not show a provider's error as an answer", () => {
    const outputs = playFixture("2.1.325/err429");
    expect(data(outputs, "message.done")).toEqual([]);
    expect(outputsOfKind(outputs, "finish")[0]?.error?.message).toContain("429");
  });
});

describe("tools", () => {
  it.each([
    ["[Request interrupted by user for tool use]", "interrupted"],
    ["Exit code 137\n[Request interrupted by user for tool use]", "interrupted"],
    ["Exit code 1\n[Request interrupted by user] was found in 2 files", "error"],
    ["Exit code 1\nno such file", "error"],
  ])("reads the result %j as %s", (content, status) => {
    const use = { type: "tool_use", id: "t1", name: "Bash", input: { command: "tail -f x" } };
    const result = { type: "tool_result", tool_use_id: "t1", is_error: true, content };
    const { outputs } = play([
      out({ type: "assistant", message: { id: "m1", model: "x", content: [use] }, parent_tool_use_id: null }),
      out({ type: "user", message: { role: "user", content: [result] }, parent_tool_use_id: null }),
    ]);
    expect(data(outputs, "tool.ended")).toMatchObject([{ status }]);
  });

  it("publishes exit codes and denials", () => {
    expect(data(playFixture("2.1.325/bashfail"), "tool.ended")).toMatchObject([{ status: "error", exitCode: 3 }]);
    expect(data(playFixture("2.1.325/bash_bypass"), "tool.ended")).toMatchObject([{ status: "ok", exitCode: 0 }]);
    expect(data(playFixture("2.1.325/ctl_write_deny"), "tool.ended")).toMatchObject([{ status: "denied" }]);
    expect(data(playFixture("2.1.325/ctl_write_deny_interrupt"), "tool.ended")).toMatchObject([{ status: "denied" }]);
    expect(data(playFixture("2.1.325/interrupt_tool"), "tool.ended")).toMatchObject([{ status: "interrupted" }]);
    expect(data(playFixture("2.1.197/interrupt_tool"), "tool.ended")).toMatchObject([{ status: "interrupted" }]);
  });

  it("shows an edit before and after it is made", () => {
    const outputs = playFixture("2.1.325/editx");
    const [edit] = outputsOfKind(outputs, "ask");
    expect(edit?.request.diff).toMatchObject([
      { additions: 2, deletions: 1, diff: "@@ -1,1 +1,2 @@\n-two\n+TWO\n+TWO-B\n" },
    ]);
    const diff = "@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+TWO-B\n three\n";
    expect(data(outputs, "tool.ended")[1]?.changes).toMatchObject([
      { kind: "update", additions: 2, deletions: 1, diff },
    ]);
  });

  it("publishes Claude's task list as a plan", () => {
    const plans = data(playFixture("2.1.197/taskx"), "plan.updated").map(({ entries }) => entries);
    expect(plans.at(-1)).toEqual([
      { text: "step A", status: "in_progress" },
      { text: "step B", status: "pending" },
    ]);
    expect(data(playFixture("2.1.325/taskx"), "plan.updated")).toEqual([]);
  });

  it.each(["2.1.325", "2.1.197"])("publishes a subagent's work inside its call (%s)", (version) => {
    const outputs = playFixture(`${version}/subtool`);
    const [started] = data(outputs, "subagent.started");
    const [call, ...inner] = data(outputs, "tool.started");
    expect(started).toMatchObject({ parent: call?.item, type: "general-purpose", title: "sub work" });
    expect(inner.map(({ parent }) => parent)).toEqual(inner.map(() => call?.item));
    expect(data(outputs, "subagent.ended")).toMatchObject([{ id: started?.id, status: "ok" }]);
    expect(outputsOfKind(outputs, "ask")[0]?.request.subagent).toBe(started?.id);
  });
});

describe("messages of the user", () => {
  it.each(["2.1.325", "2.1.197"])("reports a steered message as part of the running turn (%s)", (version) => {
    const outputs = playFixture(`${version}/steer_tool`);
    expect(outputsOfKind(outputs, "begin")).toEqual([{ kind: "begin", messages: [msg(1)] }]);
    expect(outputsOfKind(outputs, "taken")).toEqual([
      { kind: "taken", message: msg(1), inline: false },
      { kind: "taken", message: msg(2), inline: true },
    ]);
    expect(outputsOfKind(outputs, "ack").map(({ key }) => key)).toEqual(expect.arrayContaining([msg(1), msg(2)]));
  });

  it("reports queued messages as a separate turn", () => {
    const begun = outputsOfKind(playFixture("2.1.325/queue2"), "begin").map(({ messages }) => messages);
    expect(begun).toEqual([[msg(1)], [msg(2), msg(3)]]);
    const older = outputsOfKind(playFixture("2.1.197/queue2"), "begin").map(({ messages }) => messages);
    expect(older).toEqual([[msg(1)], [msg(2)]]);
  });

  it.each(["2.1.325", "2.1.197"])("reports that a resumed conversation already has a message (%s)", (version) => {
    const from = initialState({ ...launchOptions, resume: "00000000-0000-4000-8000-000000000500" });
    const { outputs } = play(framesOf(`${version}/resume_dup`), { from });
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "completed", reason: "already_had" }]);
    expect(data(outputs, "notice")).toMatchObject([{ kind: "repeated" }]);
  });

  it("begins an unprompted turn when a background task has ended", () => {
    const begun = outputsOfKind(playFixture("2.1.325/bashbg"), "begin").map(({ messages }) => messages);
    expect(begun).toEqual([[msg(1)], []]);
  });

  it("requeues a message that Claude cancels before it starts on it", () => {
    const { outputs } = play([
      { dir: "in", msg: { type: "user", uuid: "u1", gantry: { message: "msg_1" }, message: { content: "hi" } } },
      out({ type: "command_lifecycle", command_uuid: "u1", state: "queued" }),
      out({ type: "command_lifecycle", command_uuid: "u1", state: "cancelled" }),
    ]);
    expect(outputsOfKind(outputs, "dropped")).toMatchObject([{ message: "msg_1" }]);
  });

  it.each([true, false])("reports whether Claude gave a message back: %s", (cancelled) => {
    const request = { subtype: "cancel_async_message", message_uuid: "u1" };
    const { outputs } = play([
      { dir: "in", msg: { type: "user", uuid: "u1", gantry: { message: "msg_1" }, message: { content: "hi" } } },
      out({ type: "command_lifecycle", command_uuid: "u1", state: "queued" }),
      { dir: "in", msg: { type: "control_request", request_id: "r1", request } },
      ...(cancelled ? [out({ type: "command_lifecycle", command_uuid: "u1", state: "cancelled" })] : []),
      out({ type: "control_response", response: { subtype: "success", request_id: "r1", response: { cancelled } } }),
    ]);
    expect(outputsOfKind(outputs, "retracted")).toEqual([{ kind: "retracted", message: "msg_1", ok: cancelled }]);
    expect(outputsOfKind(outputs, "dropped")).toEqual([]);
  });
});

describe("questions", () => {
  it("asks with options and encodes the answer under the question's text", () => {
    const outputs = playFixture("2.1.325/ctl_ask");
    expect(outputsOfKind(outputs, "ask")[0]?.request).toMatchObject({
      kind: "question",
      questions: [{ id: "q1", text: "Which colour?", multi: false, options: [{ label: "Red" }, { label: "Blue" }] }],
    });
    expect(outputsOfKind(outputs, "answered")[0]?.answer).toEqual({ decision: "allow", answers: { q1: "Blue" } });
  });

  it("shows the plan and the mode after its approval", () => {
    const outputs = playFixture("2.1.325/planback");
    expect(outputsOfKind(outputs, "ask")[0]?.request).toMatchObject({ kind: "plan", detail: "1. do it\n2. done" });
    const changes = data(outputs, "mode.changed").map(({ from, to }) => [from, to]);
    expect(changes).toEqual([
      ["auto-edit", "plan"],
      ["plan", "auto-edit"],
    ]);
  });

  it.each(["2.1.325", "2.1.197"])("withdraws a question when the turn is interrupted (%s)", (version) => {
    const outputs = playFixture(`${version}/interrupt_ask`);
    expect(outputsOfKind(outputs, "withdrawn").map(({ key }) => key)).toEqual(
      outputsOfKind(outputs, "ask").map(({ key }) => key),
    );
  });

  it("accepts hooks and refuses unknown requests", () => {
    expect(outputsOfKind(playFixture("2.1.325/ctl_hooks"), "send")).toHaveLength(3);
    const { outputs } = play([out({ type: "control_request", request_id: "r", request: { subtype: "new_thing" } })]);
    expect(outputsOfKind(outputs, "send")[0]?.frame.msg).toMatchObject({
      response: { subtype: "error", request_id: "r" },
    });
    expect(data(outputs, "raw")).toHaveLength(1);
  });
});

describe("the conversation", () => {
  it("has a handle once it exists", () => {
    const outputs = playFixture("2.1.325/ctl_write_allow");
    expect(outputsOfKind(outputs, "ready").map(({ handle }) => handle)).toEqual([
      undefined,
      "edb2d61b-2613-4860-bf78-15bbf59395c7",
    ]);
    expect(outputsOfKind(outputs, "ready")[0]?.models?.map(({ id }) => id)).toContain("sonnet");
    expect(data(outputs, "commands.changed")).toHaveLength(1);
  });

  it("has one at once when it is resumed", () => {
    const from = initialState({ ...launchOptions, resume: "known" });
    const { outputs } = play(framesOf("2.1.325/ctl_initialize"), { from });
    expect(outputsOfKind(outputs, "ready")).toMatchObject([{ handle: "known" }]);
  });

  it.each(["2.1.325", "2.1.197"])("is lost when Claude does not find it, without a turn (%s)", (version) => {
    const outputs = playFixture(`${version}/resume_missing_init`);
    expect(outputsOfKind(outputs, "lost")).toHaveLength(1);
    expect(outputsOfKind(outputs, "begin")).toEqual([]);
  });

  it("reports why a process did not start", () => {
    expect(data(playFixture("2.1.325/sid_reuse"), "error")).toMatchObject([{ category: "crashed" }]);
    const [end] = outputsOfKind(playFixture("2.1.325/sigterm_slow"), "finish");
    expect(end?.error?.message).toContain("SIGTERM");
  });

  it("reports the applied settings", () => {
    const applied = outputsOfKind(playFixture("2.1.325/ctl_modes"), "applied");
    expect(applied.filter(({ ok }) => !ok).map(({ value }) => value)).toEqual(["full-auto", "bogus"]);
    expect(applied.find(({ ok }) => !ok)?.message).toContain("next start");
    expect(data(playFixture("2.1.325/ctl_modes"), "model.changed").map(({ to }) => to)).toEqual([
      "claude-sonnet-4-5",
      "mock-model",
      "claude-opus-5-5",
    ]);
  });
});

describe("figures", () => {
  it("counts each turn separately, also in a resumed conversation", () => {
    const costs = outputsOfKind(playFixture("2.1.325/ctl_compact"), "finish").map(({ cost }) => cost?.usd);
    expect(costs).toEqual([0.006, 0.006, 0.012, 0]);
    expect(outputsOfKind(playFixture("2.1.325/resume_3_fork"), "finish")[0]).toMatchObject({
      cost: { usd: 0.006 },
      usage: { input: 1500 },
    });
    const older = outputsOfKind(playFixture("2.1.197/dup"), "finish").map(({ cost }) => cost?.usd);
    expect(older).toEqual([0.007575, undefined, 0.007575]);
  });

  it("counts the usage of subagents", () => {
    expect(outputsOfKind(playFixture("2.1.325/subagent"), "finish")[0]?.usage).toMatchObject({
      input: 4500,
      output: 171,
    });
  });

  it("publishes context usage and compactions", () => {
    const outputs = playFixture("2.1.325/ctl_compact");
    expect(data(outputs, "context.usage")[0]).toMatchObject({ used: 1557, size: 1_000_000 });
    expect(data(outputs, "context.compacted")).toMatchObject([{ trigger: "manual", before: 1557, after: 2607 }]);
  });

  it("publishes when a rate limit is reached and cleared", () => {
    const limit = (status: string) =>
      out({
        type: "rate_limit_event",
        rate_limit_info: { status, resetsAt: 1_800_000_000, rateLimitType: "five_hour" },
      });
    const { outputs } = play([limit("allowed"), limit("allowed_warning"), limit("rejected"), limit("allowed")]);
    expect(data(outputs, "limit.reached")).toMatchObject([
      { window: "five_hour", resetsAt: "2027-01-15T08:00:00.000Z" },
    ]);
    expect(data(outputs, "limit.cleared")).toHaveLength(1);
    expect(data(outputs, "notice")).toHaveLength(1);
  });
});

describe("frames without a dedicated event", () => {
  const frame = (name: string) => {
    const [type, subtype] = name.split("/");
    if (type === "stream_event") return out({ type, event: { type: subtype } });
    if (type === "control_request") return out({ type, request_id: "r", request: { subtype } });
    return out({ type, subtype });
  };

  it.each(Object.keys(quietFrames))("ignores %s", (name) => {
    expect(play([frame(name)]).outputs).toEqual([]);
  });

  it.each([...Object.keys(rawFrames), "unheard_of", "system/unheard_of", "stream_event/unheard_of"])(
    "reports %s as raw",
    (name) => {
      expect(data(play([frame(name)]).outputs, "raw")).toMatchObject([{ channel: "stream-json" }]);
    },
  );
});
