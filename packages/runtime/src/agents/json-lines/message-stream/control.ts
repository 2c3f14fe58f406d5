import type { InputOption } from "@gantry/protocol";
import { compact, type Fields, fields, newestEntries, nonBlank, ownValue, text, withoutKey } from "../../fields.ts";
import { denyTool, toolItem } from "../calls.ts";
import type { Pass } from "../pass.ts";
import { plannedChanges } from "../reading/changes.ts";
import { commandOf, describeTool } from "../reading/tools.ts";
import { reportReady } from "../turns.ts";
import { decisionOf } from "../two-way.ts";
import type { MessageState } from "./state.ts";

const options: InputOption[] = [
  { id: "allow", label: "Allow", effect: "allow_once" },
  { id: "deny", label: "Deny", effect: "deny" },
];

/** Handles a permission request. Only two-way recordings contain such lines. */
export function handleControlRequest(pass: Pass<MessageState>, line: Fields, frame: unknown): void {
  const request = fields(line.request);
  const id = nonBlank(line.request_id);
  if (!id || request.subtype !== "can_use_tool") return pass.raw(frame, "unknown request");
  const { state } = pass;
  const name = nonBlank(request.tool_name) ?? "tool";
  const input = fields(request.input);
  const tool = nonBlank(request.tool_use_id);
  state.asks = newestEntries({ ...state.asks, [id]: compact({ tool, options }) }, 20);
  const { kind, title } = describeTool(name, input);
  pass.emit({
    kind: "ask",
    key: id,
    request: compact({
      kind: "approval",
      title,
      detail: nonBlank(request.blocked_path),
      item: tool && ownValue(state.tools, tool) ? toolItem(pass, tool) : undefined,
      tool: compact({ name, kind, input, command: commandOf(input) }),
      diff: kind === "edit" ? plannedChanges(input) : undefined,
      options,
    }),
  });
}

/** Handles a response to one of our requests. */
export function handleControlResponse(pass: Pass<MessageState>, line: Fields): void {
  const response = fields(line.response);
  const id = nonBlank(response.request_id);
  if (id) pass.emit({ kind: "ack", key: id });
  reportReady(pass, { handle: nonBlank(fields(response.response).session_id) });
}

/** Handles our response to a request of the agent. */
export function handleSentAnswer(pass: Pass<MessageState>, response: Fields): void {
  const id = nonBlank(response.request_id) ?? "";
  const ask = ownValue(pass.state.asks, id);
  if (!ask) return;
  pass.state.asks = withoutKey(pass.state.asks, id);
  const { behavior, message } = fields(response.response);
  const decision = decisionOf(text(behavior), ask);
  if (decision !== "allow" && ask.tool) denyTool(pass, ask.tool);
  pass.emit({ kind: "answered", key: id, answer: compact({ decision, message: nonBlank(message) }) });
}
