import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TodoPhase } from "../../contract/events.ts";
import { TestPlace } from "../testing-place.ts";
import { applyTodoOps, type TodoOp } from "./ops.ts";
import { todoTool } from "./tool.ts";

const list: TodoOp = {
  op: "init",
  list: [
    { phase: "One", items: ["read the code", "write the test"] },
    { phase: "Two", items: ["fix it"] },
  ],
};

function applyOps(...ops: TodoOp[]): TodoPhase[] {
  const result = applyTodoOps([], ops);
  if ("problem" in result) throw new Error(result.problem);
  return result.phases;
}
const states = (phases: TodoPhase[]) => phases.flatMap(({ tasks }) => tasks.map(({ status }) => status));

describe("operations", () => {
  test("starts the first task, and the next when it is done", () => {
    expect(states(applyOps(list))).toEqual(["in_progress", "pending", "pending"]);
    expect(states(applyOps(list, { op: "done", task: "Read  the code" }))).toEqual([
      "completed",
      "in_progress",
      "pending",
    ]);
    expect(states(applyOps(list, { op: "start", task: "fix" }))).toEqual(["pending", "pending", "in_progress"]);
    expect(states(applyOps(list, { op: "drop", phase: "one" }))).toEqual(["abandoned", "abandoned", "in_progress"]);
    expect(states(applyOps(list, { op: "done" }))).toEqual(["completed", "completed", "completed"]);
  });

  test("appends, notes and removes", () => {
    const phases = applyOps(
      list,
      { op: "append", phase: "Three", items: ["ship"] },
      { op: "note", task: "ship", text: "on Friday" },
    );
    expect(phases.at(-1)).toEqual({
      name: "Three",
      tasks: [{ content: "ship", status: "pending", notes: ["on Friday"] }],
    });
    expect(applyOps(list, { op: "rm", task: "fix it" }).map(({ name }) => name)).toEqual(["One"]);
    expect(applyOps(list, { op: "rm" })).toEqual([]);
  });

  test("reports an impossible operation together with the tasks", () => {
    expect(applyTodoOps(applyOps(list), [{ op: "done", task: "the" }])).toMatchObject({
      problem: /several tasks match "the"/,
    });
    expect(applyTodoOps(applyOps(list), [{ op: "done", task: "dance" }])).toMatchObject({
      problem: /no task[\s\S]*- fix it/,
    });
    expect(applyTodoOps([], [{ op: "init" }])).toMatchObject({ problem: /list/ });
    expect(applyTodoOps(applyOps(list), [{ op: "append", items: ["fix it"] }])).toMatchObject({ problem: /already/ });
  });

  test("has at most one task in progress, and one as long as any is pending", () => {
    const op = fc.record(
      {
        op: fc.constantFrom("init", "start", "done", "rm", "drop", "append", "note"),
        task: fc.constantFrom("a", "b", "c", "x"),
        phase: fc.constantFrom("P", "Q"),
        items: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 }),
        text: fc.string(),
        list: fc.constant([{ phase: "P", items: ["a", "b"] }]),
      },
      { requiredKeys: ["op"] },
    );
    fc.assert(
      fc.property(fc.array(op, { maxLength: 10 }), (ops) => {
        let phases: TodoPhase[] = [];
        for (const one of ops) {
          const result = applyTodoOps(phases, [one as TodoOp]);
          if ("phases" in result) phases = result.phases;
          const now = states(phases);
          expect(now.filter((status) => status === "in_progress").length).toBe(
            now.some((status) => status === "in_progress" || status === "pending") ? 1 : 0,
          );
        }
      }),
    );
  });
});

test("stores the list, and nothing of a call that fails", async () => {
  const place = new TestPlace();
  let stored: TodoPhase[] = [];
  const tool = todoTool({ get: () => stored, set: (phases) => (stored = phases) });
  expect(await place.text(tool, { ops: [list] })).toBe("One\n[>] read the code\n[ ] write the test\n\nTwo\n[ ] fix it");
  await expect(
    place.run(tool, {
      ops: [
        { op: "done", task: "fix it" },
        { op: "start", task: "none" },
      ],
    }),
  ).rejects.toThrow("Nothing was changed");
  expect(states(stored)).toEqual(["in_progress", "pending", "pending"]);
  place.dispose();
});
