import { describe, expect, it } from "vitest";
import { diffChange, numberedChange, plannedChanges, storableChanges } from "./changes.ts";
import { categoryOf, isLost, textFailure } from "./failures.ts";
import { readPlan } from "./plan.ts";
import { commandOf, describeTool, exitCodeIn } from "./tools.ts";
import { messageUsage, readUsage } from "./usage.ts";

describe("tools", () => {
  it.each([
    ["write_file", "edit"],
    ["Create", "edit"],
    ["str_replace_editor", "edit"],
    ["apply_patch", "edit"],
    ["run_shell_command", "execute"],
    ["run_commands", "execute"],
    ["bash", "execute"],
    ["Execute", "execute"],
    ["read_file", "read"],
    ["view", "read"],
    ["grep_search", "search"],
    ["LS", "search"],
    ["google_web_search", "fetch"],
    ["FetchUrl", "fetch"],
    ["TodoWrite", "think"],
    ["write_todos", "think"],
    ["task", "think"],
    ["exit_plan_mode", "switch_mode"],
    ["no_such_tool", "other"],
    ["mcp__github__create_issue", "other"],
  ])("%s is %s", (name, kind) => {
    expect(describeTool(name, {}).kind).toBe(kind);
  });

  it("have titles and locations", () => {
    expect(describeTool("edit", { filePath: "/a.txt" })).toMatchObject({
      title: "Edit /a.txt",
      locations: [{ path: "/a.txt" }],
    });
    expect(describeTool("Execute", { command: "ls\nrm" }).title).toBe("ls");
    expect(describeTool("grep", { pattern: "x", path: "/src" }).title).toBe("Search for x");
    expect(describeTool("mcp__github__create_issue", {})).toMatchObject({
      title: "github: create_issue",
      mcp: { server: "github", tool: "create_issue" },
    });
    expect(commandOf({ commands: ["a", "b"] })).toBe("a && b");
  });

  it.each([
    ["x\n\nCommand exited with code 7", 7],
    ["x\n[Process exited with code 0]", 0],
    ["Error: Command failed (exit code: 7)", 7],
    ["Exit Code: 3", 3],
    ["nothing", undefined],
  ])("reads the exit code of %j", (output, code) => {
    expect(exitCodeIn(output)).toBe(code);
  });
});

describe("changes", () => {
  it("are read from the input of any editing tool", () => {
    const diff = "@@ -1,1 +1,2 @@\n-two\n+TWO\n+TWO-B\n";
    for (const [before, after] of [
      ["old_string", "new_string"],
      ["oldString", "newString"],
      ["old_str", "new_str"],
    ] as const) {
      const input = { file_path: "/a", [before]: "two", [after]: "TWO\nTWO-B" };
      expect(plannedChanges(input)).toEqual([{ path: "/a", kind: "update", additions: 2, deletions: 1, diff }]);
    }
    expect(
      plannedChanges({
        path: "/a",
        edits: [
          { oldText: "a", newText: "b" },
          { oldText: "c", newText: "d" },
        ],
      }),
    ).toMatchObject([{ additions: 2, deletions: 2 }]);
    expect(plannedChanges({ path: "/a", file_text: "x\ny\n" })).toMatchObject([{ additions: 2, deletions: 0 }]);
    expect(plannedChanges({ path: "/a" })).toBeUndefined();
  });

  it("are read from printed diffs", () => {
    expect(diffChange("/a", "Index: a\n--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n")).toMatchObject({
      additions: 1,
      deletions: 1,
    });
    expect(diffChange("/a", "no diff")).toBeUndefined();
    expect(numberedChange("/a", "-1 seed\n+1 EDIT\n 2 rest")).toMatchObject({
      additions: 1,
      deletions: 1,
      diff: "@@ -1,2 +1,2 @@\n-seed\n+EDIT\n rest\n",
    });
    expect(numberedChange("/a", "nothing")).toBeUndefined();
  });

  it("are stored without long diffs", () => {
    const long = { path: "/a", kind: "update" as const, diff: "+".repeat(5_000) };
    expect(storableChanges([long])).toEqual([{ path: "/a", kind: "update" }]);
  });
});

it("reads plans with any known field names", () => {
  const plan = [{ text: "a", status: "in_progress" }];
  expect(readPlan({ todos: [{ content: "a", status: "in_progress" }] })).toEqual(plan);
  expect(readPlan({ todos: [{ description: "a", status: "in_progress" }] })).toEqual(plan);
  expect(readPlan({ plan: [{ step: "a", status: "in_progress" }] })).toEqual(plan);
  expect(readPlan({ todos: "1. [in_progress] a\nno step" })).toEqual(plan);
  expect(readPlan({ phases: [{ name: "p", tasks: [{ content: "a", status: "in_progress" }] }] })).toEqual(plan);
  expect(readPlan({ todos: "nothing" })).toBeUndefined();
});

describe("failures", () => {
  it.each([
    ['429: {"message":"mock 429","type":"rate_limit_error"}', "rate_limit"],
    ["This model's maximum context length is 128000 tokens.", "context_overflow"],
    ["You exceeded your current quota, please check your plan and billing details.", "quota"],
    ["Your credit balance is too low", "billing"],
    ["Missing API key for OpenAI-compatible auth", "auth"],
    ["No API key found for the selected model.", "auth"],
    ["Model not found: mock/nope.", "model_unavailable"],
    ['{"message":"Overloaded mid-stream","type":"server_error"}', "overloaded"],
    ["terminated (cause: UND_ERR_SOCKET: other side closed)", "network"],
    ["Request timed out", "timeout"],
    ["something else", undefined],
  ])("%j is %s", (message, category) => {
    expect(categoryOf(message)).toBe(category);
  });

  it("uses the status if the text is unspecific", () => {
    expect(textFailure("no", 401).category).toBe("auth");
    expect(textFailure("no", 503).category).toBe("overloaded");
    expect(textFailure("no", 418).category).toBe("unknown");
  });

  it("contain the provider's message", () => {
    expect(textFailure('[API Error: {"error":{"code":403,"message":"mock 403"}}]').message).toBe("mock 403");
    expect(textFailure('429: {"message":"slow down"}').message).toBe("429: slow down");
    expect(textFailure("").message).toBe("The agent gave no reason.");
  });

  it("do not include a missing conversation", () => {
    expect(isLost("No saved session found with ID 0. Run `qwen --resume`")).toBe(true);
    expect(isLost("Session not found: ses_nope")).toBe(true);
    expect(isLost("file not found")).toBe(false);
  });
});

it("counts cached tokens as input in every format", () => {
  const usage = { input: 1200, output: 34, cacheRead: 100, cacheWrite: 0, reasoning: 0 };
  expect(readUsage({ input: 1100, output: 34, cacheRead: 100 }, true)).toEqual(usage);
  expect(readUsage({ inputTokens: 1200, outputTokens: 34, cacheReadTokens: 100 }, false)).toEqual(usage);
  const within = { input_tokens: 1200, output_tokens: 34, cache_read_input_tokens: 100, total_tokens: 1234 };
  expect(messageUsage(within)).toEqual(usage);
  expect(messageUsage({ ...within, input_tokens: 1100, total_tokens: undefined })).toEqual(usage);
});
