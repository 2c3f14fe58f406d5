import { compact, type Fields, fields, nonBlank, own, text } from "../../fields.ts";
import { toolItem } from "../calls.ts";
import type { Pass } from "../talk.ts";
import type { PiState } from "./state.ts";

const endings: Record<string, "ok" | "error" | "interrupted"> = {
  completed: "ok",
  failed: "error",
  aborted: "interrupted",
};

/** A subagent begins or ends. */
export function subagentChanged(pass: Pass<PiState>, said: Fields, frame: unknown): void {
  const { id, agent, description, status, parentToolCallId } = fields(said.payload);
  const name = nonBlank(id);
  if (!name) return pass.raw(frame, "a subagent without a name");
  const ending = own(endings, text(status));
  if (ending) return pass.event("subagent.ended", { id: name, status: ending });
  const call = nonBlank(parentToolCallId);
  const parent = call && own(pass.state.tools, call) ? toolItem(pass, call) : undefined;
  const title = nonBlank(description) ?? nonBlank(agent) ?? "Subagent";
  pass.event("subagent.started", compact({ id: name, parent, type: nonBlank(agent), title }));
}

/** What a subagent does right now. */
export function subagentWorks(pass: Pass<PiState>, said: Fields): void {
  const { description, agent, currentTool } = fields(fields(said.payload).progress);
  const who = nonBlank(description) ?? nonBlank(agent);
  const detail = [who, nonBlank(currentTool)].filter(Boolean).join(": ");
  pass.say(compact({ kind: "activity", state: "subagent", detail: nonBlank(detail) }));
}
