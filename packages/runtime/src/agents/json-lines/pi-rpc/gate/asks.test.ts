import type { InputAnswer, InputRequest, Mode } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import type { Channel, Frame } from "../../../contract.ts";
import { data, launch, outputsOfKind, play } from "../../recordings.fake.ts";
import { rpcChannel } from "../channel.ts";
import { GATE } from "./extension.ts";

const gated = rpcChannel({ launch: () => ({ args: [] }), gate: true });
const channel = gated as unknown as Channel<unknown>;
const options = { ...launch, mode: "ask" as Mode };
const out = (msg: object): Frame => ({ dir: "out", msg });
const sentFrame = (msg: object): Frame => ({ dir: "in", msg });
const result = (text: string, isError = false) =>
  out({ type: "tool_execution_end", toolCallId: "c1", isError, result: { content: [{ type: "text", text }] } });

/** A tool call that the gate asks about or only announces, with its data. */
function holdCall(tool: string, input: object, before?: string | null, method: "select" | "setStatus" = "select") {
  const about = JSON.stringify({ call: "c1", tool, input, before });
  const dialog =
    method === "select"
      ? { method, title: `${GATE} ${about}`, options: ["allow", "deny"] }
      : { method, statusKey: GATE, statusText: about };
  return [
    sentFrame({ id: "msg_1", type: "prompt", message: "go" }),
    out({ type: "agent_start" }),
    out({ type: "tool_execution_start", toolCallId: "c1", toolName: tool, args: input }),
    out({ type: "extension_ui_request", id: "q", ...dialog }),
  ];
}

function answerCall(frames: Frame[], answer: InputAnswer) {
  const { outputs, state } = play(gated, frames, options);
  const draft = outputsOfKind(outputs, "ask")[0]?.request;
  const request = { options: [], questions: [], ...draft } as unknown as InputRequest;
  return channel.encode(state, { type: "answer", key: "q", answer, request })?.map(({ msg }) => msg) ?? [];
}

const decisionIn = (frames: unknown[]) => JSON.parse((frames[0] as { value: string }).value);
const file = { path: "/w/a.txt", content: "one\nTWO\n" };

describe("a question of the gate", () => {
  it("is an approval with the tool, its input, the change and the options", () => {
    const [ask] = outputsOfKind(play(gated, holdCall("write", file, "one\ntwo\n"), options).outputs, "ask");
    expect(ask?.request).toMatchObject({
      kind: "approval",
      title: "Edit /w/a.txt",
      tool: { name: "write", kind: "edit", input: file },
      diff: [
        { path: "/w/a.txt", kind: "update", additions: 1, deletions: 1, diff: "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n" },
      ],
    });
    expect(ask?.request.item).toBe(
      data(play(gated, holdCall("write", file), options).outputs, "tool.started")[0]?.item,
    );
    expect(ask?.request.options?.map(({ effect }) => effect)).toEqual([
      ...["allow_once", "allow_session", "deny", "deny_and_stop"],
    ]);
    const [command] = outputsOfKind(play(gated, holdCall("bash", { command: "touch x" }), options).outputs, "ask");
    expect(command?.request.tool).toMatchObject({ kind: "execute", command: "touch x" });
  });

  it("shows an edit at its place in the file, or as requested if the text is not found", () => {
    const edit = { path: "/w/a.txt", edits: [{ oldText: "three", newText: "THREE" }] };
    const askWith = (before: string | null) =>
      outputsOfKind(play(gated, holdCall("edit", edit, before), options).outputs, "ask")[0]?.request.diff;
    expect(askWith("one\ntwo\nthree\n")).toMatchObject([{ diff: "@@ -1,3 +1,3 @@\n one\n two\n-three\n+THREE\n" }]);
    expect(askWith("nothing")).toMatchObject([{ diff: "@@ -1,1 +1,1 @@\n-three\n+THREE\n" }]);
    expect(askWith(null)).toMatchObject([{ kind: "add" }]);
  });

  it("is answered with the decision, a reason or a changed input", () => {
    const frames = holdCall("write", file, null);
    expect(decisionIn(answerCall(frames, { decision: "allow" }))).toEqual({ decision: "allow" });
    expect(decisionIn(answerCall(frames, { decision: "allow_session" }))).toEqual({ decision: "allow" });
    expect(decisionIn(answerCall(frames, { decision: "cancel" }))).toEqual({ decision: "stop" });
    expect(decisionIn(answerCall(frames, { decision: "deny", message: "No." }))).toEqual({
      decision: "deny",
      message: "No.",
    });
    const edits = { path: "/w/b.txt", content: "" };
    expect(decisionIn(answerCall(frames, { decision: "allow", edits }))).toEqual({ decision: "allow", edits });
  });
});

describe("a call at the gate", () => {
  const withAnswer = (answer: InputAnswer) => {
    const frames = holdCall("write", file, null);
    return [...frames, ...answerCall(frames, answer).map((msg) => sentFrame(msg as object))];
  };

  it("ends as denied after a denial", () => {
    const { outputs } = play(
      gated,
      [...withAnswer({ decision: "deny" }), result("Denied by the user.", true)],
      options,
    );
    expect(outputsOfKind(outputs, "answered")).toMatchObject([{ answer: { decision: "deny" } }]);
    expect(data(outputs, "tool.ended")).toMatchObject([{ status: "denied" }]);
  });

  it("is published with the user's edits", () => {
    const edits = { path: "/w/b.txt", content: "b\n" };
    const { outputs } = play(gated, [...withAnswer({ decision: "allow", edits }), result("ok")], options);
    expect(data(outputs, "tool.updated")).toMatchObject([{ patch: { input: edits, title: "Edit /w/b.txt" } }]);
    expect(data(outputs, "tool.ended")).toMatchObject([{ changes: [{ path: "/w/b.txt" }] }]);
  });

  it("reports whether its file is new even if it is allowed", () => {
    const { outputs } = play(gated, [...holdCall("write", file, null, "setStatus"), result("ok")], options);
    expect(outputsOfKind(outputs, "ask")).toEqual([]);
    expect(data(outputs, "tool.ended")).toMatchObject([{ status: "ok", changes: [{ kind: "add", additions: 2 }] }]);
  });
});

it("reports a changed mode as applied and not as a prompt", () => {
  const { outputs } = play(
    gated,
    [
      sentFrame({ id: "set-0", type: "prompt", message: "/gantry-mode plan" }),
      out({ id: "set-0", type: "response", command: "prompt", success: true }),
    ],
    options,
  );
  expect(outputsOfKind(outputs, "prompted")).toEqual([]);
  expect(outputsOfKind(outputs, "applied")).toEqual([{ kind: "applied", field: "mode", value: "plan", ok: true }]);
});
