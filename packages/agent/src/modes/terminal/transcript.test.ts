import { makePaint } from "@gantry/terminal";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../contract/events.ts";
import { TranscriptView } from "./transcript.ts";

describe("the transcript", () => {
  const view = () => new TranscriptView(makePaint(false));
  const update = (type: "text_delta" | "thinking_delta", delta: string): AgentEvent => ({
    type: "message_update",
    piece: { type, index: 0, delta },
  });

  it("prints complete lines and keeps the rest as the tail", () => {
    const transcript = view();
    expect(transcript.show(update("text_delta", "one\ntw"))).toMatchObject({ lines: ["one"], tail: "tw" });
    expect(transcript.show(update("text_delta", "o"))).toMatchObject({ lines: [], tail: "two" });
    const end: AgentEvent = { type: "message_update", piece: { type: "text_end", index: 0, text: "one\ntwo" } };
    expect(transcript.show(end)).toMatchObject({ lines: ["two"], tail: "" });
  });

  it("hides thinking when it is switched off", () => {
    const transcript = view();
    transcript.thinking = false;
    expect(transcript.show(update("thinking_delta", "hm\n"))).toMatchObject({ lines: [], tail: "" });
  });

  it("shows a call with relative paths and without lists or anchors", () => {
    const transcript = new TranscriptView(makePaint(false), undefined, "/home/me/project");
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

  it("folds tool output unless it is expanded", () => {
    const text = Array.from({ length: 10 }, (_, n) => `line ${n}`).join("\n");
    const end: AgentEvent = {
      type: "tool_execution_end",
      toolCallId: "c",
      toolName: "bash",
      result: { content: [{ type: "text", text }] },
      isError: false,
      durationMs: 1,
    };
    const transcript = view();
    transcript.show({ type: "tool_execution_start", toolCallId: "c", toolName: "bash", args: { command: "seq\n1" } });
    const folded = transcript.show(end).lines;
    expect(folded[0]).toBe("✓ bash seq ↵ 1");
    expect(folded.at(-1)).toContain("6 more lines");
    transcript.expanded = true;
    expect(transcript.show(end).lines).toHaveLength(11);
  });
});
