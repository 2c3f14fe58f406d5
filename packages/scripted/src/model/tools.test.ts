import { expect, test } from "vitest";
import { fitArguments, inventValue } from "./arguments.ts";
import { bindTool, endingCall, planFile } from "./tools.ts";

const write = { type: "write", file: "a.txt", content: "one\ntwo\n" } as const;
const edit = { type: "edit", file: "a.txt", before: "one", after: "ONE" } as const;
const bash = { type: "bash", command: "ls", description: "List" } as const;
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});
const string = { type: "string" };

test("takes argument names from the tool's schema", () => {
  const tool = {
    name: "write_file",
    schema: object({ absolute_path: string, contents: string, mode: string }, ["mode"]),
  };
  expect(bindTool(write, [tool], "/w")).toEqual({
    type: "tool",
    name: "write_file",
    argumentsText: JSON.stringify({ absolute_path: "/w/a.txt", contents: "one\ntwo\n", mode: "scripted value" }),
  });
});

test("sends a patch to a patch tool, as text or as argument", () => {
  const patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch";
  const freeform = { name: "apply_patch", schema: {}, freeform: true };
  expect(bindTool(write, [freeform], "/w")).toEqual({ type: "freeform", name: "apply_patch", text: patch });
  const plain = { name: "apply_patch", schema: object({ patchText: string }) };
  expect(bindTool(write, [plain], "/w")).toMatchObject({ argumentsText: JSON.stringify({ patchText: patch }) });
  expect(bindTool(edit, [freeform], "/w")).toMatchObject({ text: expect.stringContaining("@@\n-one\n+ONE") });
});

test("uses a shell for a tool that is not offered", () => {
  const shell = { name: "shell", schema: object({ command: { type: "array", items: string } }, ["command"]) };
  expect(bindTool(bash, [shell], "/w")).toMatchObject({ argumentsText: '{"command":["bash","-lc","ls"]}' });
  expect(bindTool({ type: "read", file: "x" }, [shell], "/w")).toMatchObject({
    argumentsText: expect.stringContaining("cat x"),
  });
});

test("uses a script if the only tool runs code", () => {
  const exec = { name: "exec", schema: {}, freeform: true };
  expect(bindTool(bash, [exec], "/w")).toMatchObject({
    type: "freeform",
    text: expect.stringContaining('exec_command({cmd: "ls"})'),
  });
});

test("replies with text if no tool fits", () => {
  expect(bindTool(bash, [{ name: "Other", schema: {} }], "/w")).toEqual({
    type: "text",
    text: "(tool bash not offered; have Other)",
  });
});

test("fits arguments to the schema and makes up missing ones", () => {
  const schema = object(
    { a: string, n: { type: "integer", minimum: 3 }, list: { type: "array", items: object({ k: string }) } },
    ["n"],
  );
  expect(fitArguments(schema, { a: "x", list: [{ k: "y", extra: 1 }], unknown: true })).toEqual({
    a: "x",
    n: 3,
    list: [{ k: "y" }],
  });
  expect(inventValue({ type: ["null", "BOOLEAN"] })).toBe(false);
  expect(inventValue({ anyOf: [{ type: "null" }, { enum: ["e"] }] })).toBe("e");
});

test("returns the answer with a tool if that is the only way to end", () => {
  const tools = [{ name: "complete_task", schema: {} }];
  const answer = { type: "text" as const, text: "done" };
  expect(endingCall([answer], tools)).toMatchObject([{ type: "call", names: ["complete_task"] }]);
  expect(endingCall([answer], [])).toEqual([]);
  expect(endingCall([answer, { type: "read", file: "a.txt" }], tools)).toEqual([]);
});

test("writes a plan to the file that the system prompt names before proposing it", () => {
  const input = { plan: "1. do it", plan_filename: "plan.md" };
  const offer = { type: "call" as const, names: ["exit_plan_mode"], input };
  expect(planFile([offer], "Save your plans ONLY within: `../plans/`")).toEqual([
    { type: "write", file: "../plans/plan.md", content: "1. do it\n" },
  ]);
  expect(planFile([offer], "")).toEqual([]);
});

test("finds an MCP tool with any prefix, and searches first if the agent hides it", () => {
  const block = { type: "served", name: "read_lamp", input: { place: "Fastnet" }, after: "Lit." } as const;
  const tool = { name: "mcp__lighthouse__read_lamp", schema: object({ place: string }) };
  const search = { name: "ToolSearch", schema: object({ query: string }) };
  const call = { type: "tool", name: tool.name, argumentsText: '{"place":"Fastnet"}' };
  expect(bindTool({ ...block, round: 1 }, [tool], "/w")).toEqual(call);
  expect(bindTool({ ...block, round: 2 }, [tool], "/w")).toEqual({ type: "text", text: "Lit." });
  expect(bindTool({ ...block, round: 1 }, [search], "/w")).toMatchObject({ name: "ToolSearch" });
  expect(bindTool({ ...block, round: 2 }, [search, tool], "/w")).toEqual(call);
  expect(bindTool({ ...block, round: 1 }, [], "/w")).toMatchObject({ type: "text" });
});
