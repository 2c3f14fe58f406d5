import { itemId, type Output } from "../../contract.ts";
import { compact, type Fields, nonBlank } from "../../fields.ts";
import { readPlan } from "../../json-lines/reading/plan.ts";
import type { Dialect } from "../dialect.ts";
import { event } from "../outputs.ts";

/**
 * What a call means beyond itself, now that its input is known: the steps that the agent has set itself, or a subagent
 * that it starts. Only for agents that tell it in no other way.
 */
export function inputMeaning(dialect: Dialect, native: string, name: string, input: Fields): Output[] {
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

/** The end of a call that was a subagent's whole life. */
export function subagentEnd(native: string, status: string, output: string | undefined): Output {
  const summary = /<task_result>\s*([\s\S]*?)\s*<\/task_result>/.exec(output ?? "")?.[1] ?? nonBlank(output);
  const ended = status === "ok" ? "ok" : status === "interrupted" ? "interrupted" : "error";
  return event(
    "subagent.ended",
    compact({ id: itemId(native), status: ended, summary: summary?.slice(0, 4000) } as const),
  );
}
