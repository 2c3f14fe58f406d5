import { z } from "zod";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { Task, TaskOutput } from "./schema.ts";

/** Background work of a session's agent. */
export const taskRoutes = {
  listTasks: {
    method: "GET",
    path: "/v1/sessions/:id/tasks",
    summary: "Lists the session's background tasks: those that run, then the last ones that ended, newest first.",
    status: 200,
    response: z.object({ tasks: z.array(Task) }),
    errors: ["no_such_session"],
    agent: "family",
    client: "tasks.list(id) > tasks",
  },
  taskOutput: {
    method: "GET",
    path: "/v1/sessions/:id/tasks/:task/output",
    summary: "Returns the end of a task's output, at most `bytes` (64 kB by default).",
    query: z.strictObject({ bytes: decimal(1, 1_000_000).optional() }),
    status: 200,
    response: TaskOutput,
    errors: ["no_such_session", "no_such_task"],
    client: "tasks.output(id, task, query?)",
  },
  stopTask: {
    method: "POST",
    path: "/v1/sessions/:id/tasks/:task/stop",
    summary:
      "Asks the agent to stop one background task. The answer is the task, with `stopping` until the agent confirms the end. Does nothing to a task that has ended.",
    bodyOptional: true,
    status: 202,
    response: Task,
    errors: ["no_such_session", "session_ended", "no_such_task", "unsupported", "unavailable"],
    agent: "below",
    client: "tasks.stop(id, task)",
  },
} as const satisfies Record<string, Route>;
