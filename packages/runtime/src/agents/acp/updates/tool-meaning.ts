import { itemId, type Output } from "../../contract.ts";
import { compact, type Fields, nonBlank } from "../../fields.ts";
import { readPlan } from "../../json-lines/reading/plan.ts";
import type { Dialect } from "../dialect.ts";
import { event } from "../outputs.ts";

/**
 * Further events derived from a call's input: a plan update or a subagent start. Only for agents that report these in
 * no other way.
 */
export function eventsOfInput(dialect: Dialect, native: string, name: string, input: Fields): Output[] {
  if (name === dialect.planTool) {
    const entries = readPlan(input);
    return entries ? [event("plan.updated", { entries })] : [];
  }
  if (name !== dialect.subagentTool) return [];
  const id = itemId(native);
  const title = nonBlank(input.description) ?? "Subagent";
  return [
    event(
      "subagent.started",
      compact({ id, parent: id, type: nonBlank(input.subagent_type) ?? nonBlank(input.agent_type), title }),
    ),
  ];
}

/** The end of a subagent that ran inside a tool call. */
export function subagentEnd(native: string, status: string, output: string | undefined): Output {
  const summary = /<task_result>\s*([\s\S]*?)\s*<\/task_result>/.exec(output ?? "")?.[1] ?? nonBlank(output);
  const ended = status === "ok" ? "ok" : status === "interrupted" ? "interrupted" : "error";
  return event(
    "subagent.ended",
    compact({ id: itemId(native), status: ended, summary: summary?.slice(0, 4000) } as const),
  );
}
