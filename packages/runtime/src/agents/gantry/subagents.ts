import type { Output } from "../contract.ts";
import { compact, type Fields, fields, list, nonBlank, ownValue, text } from "../fields.ts";
import { event } from "../json-lines/outputs.ts";
import type { PiState } from "../json-lines/pi-rpc/state.ts";

const TOOL = "task";

/** The subagents that a call starts and ends; they live as long as the call. */
export function subagentsIn(state: PiState, line: Fields): Output[] {
  if (line.toolName !== TOOL) return [];
  const call = text(line.toolCallId) ?? "";
  if (line.type === "tool_execution_start") {
    const parent = ownValue(state.tools, call)?.item;
    const args = fields(line.args);
    const type = nonBlank(args.agent);
    return titlesIn(args).map((title, index) =>
      event("subagent.started", compact({ id: `${call}.${index}`, parent, type, title })),
    );
  }
  if (line.type !== "tool_execution_end") return [];
  const tasks = list(fields(fields(line.result).details).tasks).map(fields);
  return (tasks.length > 0 ? tasks : [{ status: "failed" }]).map(({ status }, index) =>
    event("subagent.ended", { id: `${call}.${index}`, status: status === "completed" ? "ok" : "error" }),
  );
}

function titlesIn({ tasks, description, prompt }: Fields): string[] {
  const named = list(tasks).map(fields);
  if (named.length === 0) return [nonBlank(description) ?? nonBlank(prompt)?.slice(0, 80) ?? "Subagent"];
  return named.map((task) => nonBlank(task.description) ?? nonBlank(task.id) ?? "Subagent");
}
