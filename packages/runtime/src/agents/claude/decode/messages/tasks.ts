import type { EventData } from "@gantry/protocol";
import { itemId } from "../../../contract.ts";
import { compact, type Fields, fields, newestEntries, nonBlank, ownValue, text, withoutKey } from "../../../fields.ts";
import type { Pass } from "../state.ts";

type End = EventData<"subagent.ended">["status"];

const RUNNING = 50;

/** Handles subagents. Long shell commands are tasks too and are reported by their tool call. */
export function taskStarted(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.task_id);
  if (!id || !isAgent(frame) || ownValue(pass.state.subagents, id)) return;
  const tool = nonBlank(frame.tool_use_id) ?? "";
  const entry = { tool, background: frame.is_backgrounded === true };
  pass.state.subagents = newestEntries({ ...pass.state.subagents, [id]: entry }, RUNNING);
  const title = nonBlank(frame.description) ?? nonBlank(frame.subagent_type) ?? "Subagent";
  pass.event(
    "subagent.started",
    compact({ id, parent: tool ? itemId(tool) : undefined, type: nonBlank(frame.subagent_type), title }),
  );
}

/** Version 2.1.197 and older omit the type for some; a subagent always has a subagent type. */
function isAgent(frame: Fields): boolean {
  return (
    frame.task_type === "local_agent" ||
    frame.task_type === "remote_agent" ||
    nonBlank(frame.subagent_type) !== undefined
  );
}

export function taskProgress(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.task_id) ?? "";
  if (!ownValue(pass.state.subagents, id)) return;
  const { description, last_tool_name, usage, summary, patch } = frame;
  // The notification that follows reports the end, with a summary.
  if (nonBlank(fields(patch).status)) return;
  const progress = compact({ description, tool: last_tool_name, usage, summary, patch });
  pass.event("subagent.updated", { id, progress });
}

export function taskEnded(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.task_id) ?? "";
  end(pass, id, endOf(text(frame.status)), nonBlank(frame.summary));
}

/** The subagent's tool call returned, which ends the subagent if nothing else did. */
export function subagentReturned(
  pass: Pass,
  tool: string,
  status: EventData<"tool.ended">["status"],
  result: unknown,
): void {
  if (fields(result).status === "async_launched") return;
  const found = Object.entries(pass.state.subagents).find(([, entry]) => entry.tool === tool && !entry.background);
  if (!found) return;
  end(pass, found[0], status === "ok" ? "ok" : status === "error" ? "error" : "interrupted", undefined);
}

function end(pass: Pass, id: string, status: End, summary: string | undefined): void {
  const running = ownValue(pass.state.subagents, id);
  if (!running) return;
  pass.state.messages = withoutKey(pass.state.messages, running.tool || id);
  pass.state.subagents = withoutKey(pass.state.subagents, id);
  pass.event("subagent.ended", compact({ id, status, summary }));
}

function endOf(status: string | undefined): End {
  if (status === "completed") return "ok";
  return status === "failed" ? "error" : "interrupted";
}
