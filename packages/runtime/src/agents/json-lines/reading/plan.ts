import type { EventData } from "@gantry/protocol";
import { type Fields, fields, list, words } from "./fields.ts";

export type PlanEntry = EventData<"plan.updated">["entries"][number];

const LIMIT = 50;
const TITLE = 200;

/** The plan in the input of a planning tool, whatever the agent calls its parts; `undefined` when it holds none. */
export function readPlan(input: Fields): PlanEntry[] | undefined {
  const phases = list(input.phases).flatMap((phase) => list(fields(phase).tasks));
  const entries =
    [input.todos, input.plan, input.tasks, input.items].map(list).find((rows) => rows.length > 0) ?? phases;
  const plan = entries.slice(0, LIMIT).flatMap((entry) => {
    const row = fields(entry);
    const said = [row.content, row.description, row.step, row.text, row.title, row.subject].map(words).find(Boolean);
    return said ? [{ text: said.slice(0, TITLE), status: status(row.status) }] : [];
  });
  return plan.length > 0 ? plan : undefined;
}

function status(value: unknown): PlanEntry["status"] {
  if (value === "completed" || value === "done") return "completed";
  return value === "in_progress" || value === "in-progress" || value === "active" ? "in_progress" : "pending";
}
