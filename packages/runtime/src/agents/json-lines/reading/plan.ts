import type { EventData } from "@gantry/protocol";
import { type Fields, fields, list, nonBlank } from "../../fields.ts";

export type PlanEntry = EventData<"plan.updated">["entries"][number];

const LIMIT = 50;
const TITLE = 200;
const priorities = ["low", "medium", "high"] as const;

/** The plan in a planning tool's input, in any known shape; `undefined` if there is none. */
export function readPlan(input: Fields): PlanEntry[] | undefined {
  const phases = list(input.phases).flatMap((phase) => list(fields(phase).tasks));
  const entries =
    [input.todos, input.plan, input.tasks, input.items].map(list).find((rows) => rows.length > 0) ?? phases;
  if (entries.length === 0) return readPlanText(nonBlank(input.todos));
  const plan = entries.slice(0, LIMIT).flatMap((entry) => {
    const row = fields(entry);
    const step = [row.content, row.description, row.step, row.text, row.title, row.subject].map(nonBlank).find(Boolean);
    const priority = priorities.find((known) => known === row.priority);
    return step ? [{ text: step.slice(0, TITLE), status: status(row.status), ...(priority ? { priority } : {}) }] : [];
  });
  return plan.length > 0 ? plan : undefined;
}

/** A plan as text: one numbered line per step, with its state in brackets. */
function readPlanText(text = ""): PlanEntry[] | undefined {
  const plan = text.split("\n").flatMap((line) => {
    const [, state, step] = /^\s*(?:\d+\.|[-*])\s*\[(\w+)\]\s*(.+)$/.exec(line) ?? [];
    return step ? [{ text: step.trim().slice(0, TITLE), status: status(state) }] : [];
  });
  return plan.length > 0 ? plan.slice(0, LIMIT) : undefined;
}

function status(value: unknown): PlanEntry["status"] {
  if (value === "completed" || value === "done") return "completed";
  return value === "in_progress" || value === "in-progress" || value === "active" ? "in_progress" : "pending";
}
