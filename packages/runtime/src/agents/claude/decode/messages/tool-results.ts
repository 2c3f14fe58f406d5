import type { EventData } from "@gantry/protocol";
import { itemId } from "../../../contract.ts";
import { compact, type Fields, fields, isFields, list, nonBlank, ownValue, text, withoutKey } from "../../../fields.ts";
import { raw } from "../../outputs.ts";
import { doneChanges } from "../../tools/changes.ts";
import { changeTasks, readTodos } from "../../tools/plan.ts";
import { withdraw } from "../asks.ts";
import type { Pass, Tool } from "../state.ts";
import { taskReturned } from "./tasks.ts";

type Status = EventData<"tool.ended">["status"];

/** Larger structured results are dropped. */
const MAX_RESULT = 2_000;

/**
 * Claude uses the same text for denied and interrupted calls; newer versions distinguish them. Version 2.1.118 puts it after
 * the output of an interrupted command.
 */
const REJECTED =
  /^The user doesn't want to proceed with this tool use|^\[Request interrupted|\n\[Request interrupted by user[^\]\n]*\]\s*$/;
const STOPPED = /stopped while running/;

/** Handles the end of a tool call. `result` is Claude's structured result, `meta` the permission outcome. */
export function endTool(pass: Pass, block: Fields, result: unknown, meta: Fields): void {
  const id = nonBlank(block.tool_use_id);
  const tool = id ? ownValue(pass.state.tools, id) : undefined;
  if (!id || !tool) return pass.emit(raw(block, "the result of an unknown tool call"));
  pass.state.tools = withoutKey(pass.state.tools, id);
  for (const [key, ask] of Object.entries(pass.state.asks)) {
    if (ask.tool === id) withdraw(pass, key, "the agent continued without an answer");
  }
  const output = wholeOutput(outputText(block.content), fields(result));
  const status = statusOf(pass, tool, block, output, meta);
  pass.event(
    "tool.ended",
    compact({
      item: itemId(id),
      status,
      output,
      structured: structuredOutput(result),
      exitCode: exitCode(tool.name, status, output, fields(result)),
      changes: status === "ok" ? doneChanges(result) : undefined,
    }),
  );
  taskReturned(pass, id, status, result);
  if (status === "ok") updatePlan(pass, tool, fields(result));
}

/** Large output is replaced by a path for the model; the structured result still has all of it. */
function wholeOutput(output: string, result: Fields): string {
  if (!output.startsWith("<persisted-output>") || typeof result.stdout !== "string") return output;
  return [result.stdout, nonBlank(result.stderr)].filter(Boolean).join("\n");
}

function statusOf(pass: Pass, tool: Tool, block: Fields, output: string, meta: Fields): Status {
  if (block.is_error !== true && !isErrorBlock(block)) return "ok";
  if (tool.denied) return "denied";
  if (!REJECTED.test(output)) return isRejected(meta) ? "denied" : "error";
  const refused = isRejected(meta) && !pass.state.turn?.stopping && !STOPPED.test(output);
  return refused ? "denied" : "interrupted";
}

function isRejected(meta: Fields): boolean {
  return nonBlank(meta.non_execution_kind) !== undefined || fields(meta.permission_decision).decision === "reject";
}

/** Results of server-side tools mark errors in their content. */
function isErrorBlock(block: Fields): boolean {
  return isFields(block.content) && (text(block.content.type) ?? "").endsWith("_error");
}

function outputText(content: unknown): string {
  if (typeof content === "string") return content;
  if (isFields(content)) return JSON.stringify(content);
  const parts = list(content).map((part) => {
    const { type, text: content } = fields(part);
    return text(content) ?? `[${typeof type === "string" ? type : "part"}]`;
  });
  return parts.join("\n");
}

function structuredOutput(result: unknown): unknown {
  if (!isFields(result) || "structuredPatch" in result || "file" in result) return undefined;
  const { stdout: _, ...others } = result;
  const rest = Object.fromEntries(Object.entries(others).filter(([, value]) => Boolean(value)));
  const small = JSON.stringify(rest).length <= MAX_RESULT;
  return small && Object.keys(rest).length > 0 ? rest : undefined;
}

/** Claude reports the exit code of failed commands in the text; otherwise it is 0. */
function exitCode(name: string, status: Status, output: string, result: Fields): number | undefined {
  if (name !== "Bash" && name !== "PowerShell") return undefined;
  if (status === "error") {
    const [, code] = /^(?:Error: )?Exit code (\d+)/.exec(output) ?? [];
    return code === undefined ? undefined : Number(code);
  }
  const plain = status === "ok" && result.interrupted !== true && !result.returnCodeInterpretation;
  return plain && !result.backgroundTaskId ? 0 : undefined;
}

function updatePlan(pass: Pass, tool: Tool, result: Fields): void {
  if (tool.name === "TodoWrite") {
    const entries = Array.isArray(result.newTodos) ? readTodos(result.newTodos) : (tool.todos ?? []);
    return pass.event("plan.updated", { entries });
  }
  const tasks = changeTasks(pass.state.tasks, tool.name, tool.input ?? {}, result);
  if (!tasks) return;
  pass.state.tasks = tasks;
  pass.event("plan.updated", { entries: tasks.map(({ text: step, status }) => ({ text: step, status })) });
}
