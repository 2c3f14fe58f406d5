import { afterEach, beforeEach, expect, test } from "vitest";
import type { Tool } from "../contract/tool.ts";
import { fileTools } from "./file-tools.ts";
import { TestPlace } from "./testing-place.ts";

let place: TestPlace;
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.dispose());

const names = (tools: Tool[]) => tools.map(({ name }) => name);
const findTool = (tools: Tool[], name: string) => tools.find((tool) => tool.name === name)!;

test("leaves out tools that are off by default, and those that need a session", () => {
  expect(names(fileTools())).toEqual(["read", "write", "edit", "grep", "find", "ast_grep", "fetch", "ask"]);
  const all = fileTools(
    { renderMermaid: { enabled: true }, checkpoint: { enabled: true } },
    {
      pending: place,
      todos: { get: () => [], set: () => {} },
      marks: { current: () => undefined, mark: () => {}, rewind: () => {} },
    },
  );
  expect(names(all)).toEqual(
    "read write edit grep find ast_grep ast_edit resolve fetch ask todo_write render_mermaid checkpoint rewind".split(
      " ",
    ),
  );
  expect(all.filter(({ hidden }) => hidden).map(({ name }) => name)).toEqual(["resolve"]);
  expect(names(fileTools({ fetch: { enabled: false }, search: { enabled: false } }))).not.toContain("fetch");
});

test("every tool has a schema and rejects invalid arguments", () => {
  for (const tool of fileTools({ renderMermaid: { enabled: true } }, { pending: place })) {
    expect(tool.spec.parameters, tool.name).toMatchObject({ type: "object" });
    for (const nonsense of [null, 5, "x", [], { path: {} }, { questions: "no" }]) {
      const prepared = tool.prepare(nonsense, place.place());
      if (!("invalid" in prepared)) expect(["find"]).toContain(tool.name);
    }
  }
});

test("shows lines without anchors where edits take text", async () => {
  const tools = fileTools({ edit: { mode: "replace" } });
  await place.run(findTool(tools, "write"), { path: "a", content: "one\n" });
  expect(await place.text(findTool(tools, "read"), { path: "a" })).toBe("1|one");
  expect(await place.text(findTool(tools, "grep"), { pattern: "one" })).toBe("a\n> 1|one");
});

test("renders a diagram as text and stores it whole", async () => {
  const mermaid = findTool(fileTools({ renderMermaid: { enabled: true } }), "render_mermaid");
  const text = await place.text(mermaid, {
    mermaid: "graph TD\n  A[Start] --> B[Stop]",
    config: { useAscii: true, paddingY: 1 },
  });
  expect(text).toMatch(/Start[\s\S]*Stop[\s\S]*artifact:\/\/0/);
  expect(text).not.toMatch(/[┌\u001b]/);
  expect(place.artifacts[0]).toContain("Start");
});

test("asks questions and returns the answers", async () => {
  const ask = findTool(fileTools(), "ask");
  const questions = [{ id: "db", question: "Which?", options: [{ label: "sqlite" }, { label: "other" }] }];
  expect(await place.text(ask, { questions })).toBe("db (Which?): sqlite");
  await expect(place.run(ask, { questions: [...questions, ...questions] })).rejects.toThrow("unique id");
  await expect(place.run(ask, { questions: [{ ...questions[0], recommended: 2 }] })).rejects.toThrow("0 to 1");
});

test("sets a checkpoint and rewinds to it", async () => {
  let goal: string | undefined;
  const reports: string[] = [];
  const marks = {
    current: () => (goal === undefined ? undefined : { goal }),
    mark: (text: string) => {
      goal = text;
    },
    rewind: (report: string) => {
      reports.push(report);
      goal = undefined;
    },
  };
  const tools = fileTools({ checkpoint: { enabled: true } }, { marks });
  const [checkpoint, rewind] = [findTool(tools, "checkpoint"), findTool(tools, "rewind")];
  await expect(place.run(rewind, { report: "x" })).rejects.toThrow("no checkpoint");
  await place.run(checkpoint, { goal: "find it" });
  await expect(place.run(checkpoint, { goal: "again" })).rejects.toThrow("find it");
  await place.run(rewind, { report: "found" });
  expect(reports).toEqual(["found"]);
});
