import { compact, type Fields, fields, nonBlank, ownValue, text } from "../../fields.ts";
import { toolItem } from "../calls.ts";
import type { Pass } from "../pass.ts";
import type { PiState } from "./state.ts";

const endings: Record<string, "ok" | "error" | "interrupted"> = {
  completed: "ok",
  failed: "error",
  aborted: "interrupted",
};

/** Handles the start or end of a subagent. */
export function handleSubagent(pass: Pass<PiState>, line: Fields, frame: unknown): void {
  const { id, agent, description, status, parentToolCallId } = fields(line.payload);
  const name = nonBlank(id);
  if (!name) return pass.raw(frame, "a subagent without an id");
  const ending = ownValue(endings, text(status));
  if (ending) return pass.event("subagent.ended", { id: name, status: ending });
  const call = nonBlank(parentToolCallId);
  const parent = call && ownValue(pass.state.tools, call) ? toolItem(pass, call) : undefined;
  const title = nonBlank(description) ?? nonBlank(agent) ?? "Subagent";
  pass.event("subagent.started", compact({ id: name, parent, type: nonBlank(agent), title }));
}

/** Publishes a subagent's current activity. */
export function handleSubagentProgress(pass: Pass<PiState>, line: Fields): void {
  const { description, agent, currentTool } = fields(fields(line.payload).progress);
  const subagent = nonBlank(description) ?? nonBlank(agent);
  const detail = [subagent, nonBlank(currentTool)].filter(Boolean).join(": ");
  pass.emit(compact({ kind: "activity", state: "subagent", detail: nonBlank(detail) }));
}
