import { expect, test } from "vitest";
import { calls } from "./calls.ts";

const path = "/work/hello.txt";

test("joins a list of commands into one and reads the output from its rows", () => {
  expect(calls({ title: "run_commands: ls", kind: "execute", rawInput: { commands: ["ls", "pwd"] } })).toMatchObject({
    rawInput: { command: "ls\npwd" },
  });
  const row = { query: "false", result: "[Command exited with code 3]\n\n[stderr]\noops\n", success: false };
  const rows = [{ ...row, error: "Command exited with code 3" }];
  expect(calls({ toolCallId: "a", status: "completed", rawOutput: rows })).toEqual({
    toolCallId: "a",
    status: "failed",
    rawOutput: { output: row.result, exitCode: 3 },
  });
});

test("reads a failed row that has only an error", () => {
  const rawOutput = { query: "apply_patch", result: "", error: "no such file", success: false };
  expect(calls({ status: "completed", rawOutput })).toEqual({
    status: "failed",
    rawOutput: { output: "no such file" },
  });
});

test("shows the change of an edit: a new file, a replacement, an insertion", () => {
  const edit = (rawInput: object) => calls({ title: "editor: x", kind: "edit", rawInput }).content;
  expect(edit({ path, new_text: "a\n" })).toEqual([{ type: "diff", path, oldText: "", newText: "a\n" }]);
  expect(edit({ path, old_text: "a", new_text: "b" })).toMatchObject([{ oldText: "a", newText: "b" }]);
  expect(edit({ path, insert_line: 3, new_text: "c\n" })).toMatchObject([{ _meta: { kind: "update" } }]);
});

test("maps a patch to an edit and leaves an empty update unchanged", () => {
  expect(calls({ title: 'apply_patch: {"input":"…"}', kind: "other" }).kind).toBe("edit");
  expect(calls({ toolCallId: "a", status: "in_progress" })).toEqual({ toolCallId: "a", status: "in_progress" });
});
