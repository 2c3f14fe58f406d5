import { expect, test } from "vitest";
import { calls } from "./calls.ts";

const printedOutput = (exit: number, output: string) =>
  `Here are the results from executing the command.\n<return-code>\n${exit}\n</return-code>\n<output>\n${output}\n</output>`;

test("reads a command's output and exit code", () => {
  const content = [{ type: "content", content: { type: "text", text: "```…```" } }];
  expect(
    calls({ toolCallId: "a", status: "failed", rawOutput: { output: printedOutput(3, "oops\n") }, content }),
  ).toEqual({
    toolCallId: "a",
    status: "failed",
    rawOutput: { output: "oops\n", exitCode: 3 },
  });
});

test("leaves other outputs unchanged", () => {
  const call = { toolCallId: "a", status: "completed", rawOutput: { output: "Process launched with terminal ID 1" } };
  expect(calls(call)).toEqual(call);
  expect(calls({ toolCallId: "a" })).toEqual({ toolCallId: "a" });
});
