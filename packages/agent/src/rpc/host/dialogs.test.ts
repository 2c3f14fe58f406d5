import { afterEach, describe, expect, it, vi } from "vitest";
import { createDialogs } from "./dialogs.ts";
import { createRpcPerson } from "./rpc-person.ts";

type Frame = Record<string, unknown>;

describe("dialogs", () => {
  afterEach(() => vi.useRealTimers());
  const never = new AbortController().signal;
  const question = {
    id: "q",
    question: "Which?",
    options: [{ label: "Red" }, { label: "Blue" }],
    recommended: 1,
  };

  function start(timeoutMs?: number) {
    const frames: Frame[] = [];
    const dialogs = createDialogs((frame) => frames.push(frame));
    const person = createRpcPerson({
      dialogs,
      gates: () => {
        throw new Error("no gates here");
      },
      byGate: () => false,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const last = () => frames.at(-1) as { id: string; options: string[] };
    return { frames, dialogs, person, last };
  }

  it("end at the timeout that the server enforces", async () => {
    vi.useFakeTimers();
    const { frames, person } = start(500);
    const approval = person.approve({ toolCallId: "c", toolName: "t", title: "t", args: {}, actions: [] }, never);
    expect(frames[0]).toMatchObject({ timeout: 500 });
    vi.advanceTimersByTime(500);
    expect(await approval).toEqual({ decision: "deny", reason: "The approval timed out." });
    expect(frames[1]).toMatchObject({ method: "cancel", targetId: frames[0]?.id });
  });

  it("take the recommended answer on timeout", async () => {
    vi.useFakeTimers();
    const { person } = start(500);
    const answers = person.ask([question], never);
    vi.advanceTimersByTime(500);
    expect(await answers).toEqual([{ id: "q", selected: ["Blue"] }]);
  });

  it("accept several options or free text", async () => {
    const { person, dialogs, last, frames } = start();
    const answers = person.ask([{ ...question, multi: true }], never);
    dialogs.answer({ id: last().id, value: "Red" });
    await vi.waitFor(() => expect(frames).toHaveLength(2));
    expect(last().options).not.toContain("Red");
    dialogs.answer({ id: last().id, value: last().options.find((label) => label.startsWith("Other")) ?? "" });
    await vi.waitFor(() => expect(frames).toHaveLength(3));
    dialogs.answer({ id: last().id, value: "Green" });
    expect(await answers).toEqual([{ id: "q", selected: ["Red"], other: "Green" }]);
  });

  it("close on abort and ignore late or unknown answers", async () => {
    const { person, dialogs, frames, last } = start();
    const stop = new AbortController();
    const answers = person.ask([question], stop.signal);
    const { id } = last();
    dialogs.answer({ id: "somebody else's", value: "Red" });
    stop.abort();
    expect(await answers).toBeUndefined();
    dialogs.answer({ id, value: "Red" });
    expect(frames).toHaveLength(2);
  });

  it.each([
    ["Allow once", { decision: "once" }],
    ["Allow for this session", { decision: "session" }],
    ["Deny", { decision: "deny" }],
    ["anything else", { decision: "deny" }],
    [true, { decision: "once" }],
    [false, { decision: "deny" }],
    [null, { decision: "deny" }],
  ])("accept %j in a gate response that names the dialog", async (answer, expected) => {
    const { person, dialogs, last } = start();
    const approval = person.approve({ toolCallId: "c", toolName: "t", title: "t", args: {}, actions: [] }, never);
    const gate_id = last().id;
    expect(dialogs.answerGate({ gate_id, answer })).toMatchObject({ gate_id, status: "accepted" });
    expect(await approval).toEqual(expected);
    expect(dialogs.answerGate({ gate_id, answer })).toBeUndefined();
  });

  it("accept all choices of a question in one gate response", async () => {
    const { person, dialogs, last } = start();
    const answers = person.ask([{ ...question, multi: true }], never);
    dialogs.answerGate({ gate_id: last().id, answer: ["Blue", "Green"] });
    expect(await answers).toEqual([{ id: "q", selected: ["Blue"], other: "Green" }]);
  });

  it("stay open after a gate response of a wrong type", async () => {
    const { person, dialogs, last } = start();
    const answers = person.ask([question], never);
    const gate_id = last().id;
    for (const answer of [1, {}, [1]]) {
      expect(dialogs.answerGate({ gate_id, answer })).toMatchObject({
        status: "rejected",
        error: { code: "invalid_workflow_gate_answer" },
      });
    }
    dialogs.answerGate({ gate_id, answer: "Red" });
    expect(await answers).toEqual([{ id: "q", selected: ["Red"] }]);
  });
});
