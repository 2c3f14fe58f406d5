import { z } from "zod";
import type { TodoPhase } from "../../contract/events.ts";
import { type Tool, ToolError } from "../../contract/tool.ts";
import { defineTool, textOutput } from "../define.ts";
import { applyTodoOps, todoOp } from "./ops.ts";

const todoRow = () =>
  z.object({
    content: z.string().min(1),
    status: z.enum(["pending", "in_progress", "completed", "abandoned"]).default("pending"),
  });

/** The session's task list. */
export interface TodoList {
  get(): readonly TodoPhase[];
  set(phases: TodoPhase[]): void;
}

const SIGNS = { pending: "[ ]", in_progress: "[>]", completed: "[x]", abandoned: "[-]" } as const;

export function todoTool(list: TodoList): Tool {
  return defineTool({
    name: "todo_write",
    label: "Todo",
    description:
      "Maintains the task list. `init` sets it (`list`), `append` adds `items` to a `phase`, `start`, `done`, `drop` (abandon) and `rm` take a `task` by its text or a `phase`, `note` adds `text` to a `task`. One task is in progress at a time. When it ends, the next one starts automatically.",
    schema: () =>
      z.object({
        ops: z.array(todoOp()).min(1).optional(),
        todos: z.array(todoRow()).optional().describe("the whole list at once, instead of ops"),
      }),
    concurrency: "exclusive",
    actions: () => [{ kind: "inner" }],
    run: async ({ ops, todos }) => {
      if (!ops && !todos) throw new ToolError("Give `ops`, or the whole list as `todos`.");
      const result = applyTodoOps(todos ? [{ name: "Tasks", tasks: todos }] : list.get(), ops ?? []);
      if ("problem" in result) throw new ToolError(`${result.problem}\nNothing was changed.`);
      list.set(result.phases);
      return textOutput(printTodos(result.phases), { phases: result.phases });
    },
  });
}

export function printTodos(phases: readonly TodoPhase[]): string {
  if (phases.length === 0) return "The list is empty.";
  return phases
    .map(({ name, tasks }) => {
      const rows = tasks.map(({ content, status, notes = [] }) =>
        [`${SIGNS[status]} ${content}`, ...notes.map((note) => `      ${note}`)].join("\n"),
      );
      return [name, ...rows].join("\n");
    })
    .join("\n\n");
}
