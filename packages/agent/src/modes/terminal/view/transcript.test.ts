import { makeTheme } from "@gantry/terminal";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../contract/events.ts";
import { TranscriptView } from "./transcript.ts";

describe("the transcript", () => {
  const view = () => new TranscriptView(makeTheme({ depth: 0, scheme: "dark" }));
  const update = (type: "text_delta" | "thinking_delta", delta: string): AgentEvent => ({
    type: "message_update",
    piece: { type, index: 0, delta },
  });

  it("returns complete blocks once and keeps the open one as the tail", () => {
    const transcript = view();
    expect(transcript.show(update("text_delta", "one\n\ntw"))).toMatchObject({ lines: ["one"] });
    expect(transcript.show(update("text_delta", "o")).tail.join("")).toBe("two");
    const end: AgentEvent = { type: "message_update", piece: { type: "text_end", index: 0, text: "one\n\ntwo" } };
    expect(transcript.show(end)).toMatchObject({ lines: ["", "two"], tail: [] });
  });

  it("hides thinking when it is switched off", () => {
    const transcript = view();
    transcript.thinking = false;
    expect(transcript.show(update("thinking_delta", "hm\n"))).toMatchObject({ lines: [], tail: [] });
  });

  it("shows a call with relative paths and without lists or anchors", () => {
    const transcript = new TranscriptView(makeTheme({ depth: 0, scheme: "dark" }), undefined, "/home/me/project");
    const call = (toolName: string, args: unknown, text: string) => {
      const at = { toolCallId: "c", toolName };
      transcript.show({ type: "tool_execution_start", ...at, args });
      const result = { content: [{ type: "text" as const, text }] };
      return transcript.show({ type: "tool_execution_end", ...at, result, isError: false, durationMs: 1 }).lines;
    };
    const read = call("read", { path: "/home/me/project/src/a.ts" }, "1yh|one\n2ab|two");
    expect(read).toEqual(["✓ read src/a.ts", "  1  one", "  2  two"]);
    expect(call("bash", { command: "cat /home/me/project/x" }, "1yh|text")).toEqual([
      "✓ bash cat /home/me/project/x",
      "  1yh|text",
    ]);
    expect(call("todo_write", { todos: [{ content: "a" }] }, "Tasks")).toEqual(["✓ todo_write ", "  Tasks"]);
  });

  const ended = (text: string, details?: object): AgentEvent => ({
    type: "tool_execution_end",
    toolCallId: "c",
    toolName: "bash",
    result: { content: [{ type: "text", text }], ...(details ? { details } : {}) },
    isError: false,
    durationMs: 1,
  });
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`).join("\n");

  it("folds long output, and shows all of it once on request", () => {
    const transcript = view();
    transcript.show({ type: "tool_execution_start", toolCallId: "c", toolName: "bash", args: { command: "seq\n1" } });
    const folded = transcript.show(ended(lines(20))).lines;
    expect(folded[0]).toBe("✓ bash seq ↵ 1");
    expect(folded.at(-1)).toContain("12 more lines");
    expect(transcript.unfold()).toHaveLength(21);
    expect(transcript.unfold()).toBeUndefined();
    expect(transcript.show(ended(lines(9))).lines).toHaveLength(10);
  });

  it("shows the change of a call with line numbers, also of several files", () => {
    const one = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n";
    expect(view().show(ended("changed", { diff: one })).lines).toEqual(["✓ bash", "  1 - old", "  1 + new"]);
    const two = `${one}--- a/y\n+++ b/y\n@@ -7,0 +8 @@\n+more\n`;
    expect(view().show(ended("changed", { diff: two })).lines).toEqual([
      "✓ bash",
      "  x",
      "  1 - old",
      "  1 + new",
      "  y",
      "  8 + more",
    ]);
  });

  it("collects what running calls print", () => {
    const transcript = view();
    const call = { toolCallId: "c", toolName: "bash" };
    transcript.show({ type: "tool_execution_start", ...call, args: { command: "make" } });
    const { running } = transcript.show({ type: "tool_execution_update", ...call, delta: "one\ntwo", offset: 0 });
    expect(running).toEqual([{ title: "bash make", output: "one\ntwo" }]);
    expect(transcript.show(ended("one")).running).toEqual([]);
  });
});
