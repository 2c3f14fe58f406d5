import type { InputOption } from "@gantry/protocol";
import { compact, type Fields, fields, newest, nonBlank, own, text, without } from "../../fields.ts";
import { denyTool, toolItem } from "../calls.ts";
import { wantedChanges } from "../reading/changes.ts";
import { commandOf, describeTool } from "../reading/tools.ts";
import type { Pass } from "../talk.ts";
import { ready } from "../turns.ts";
import { decisionOf } from "../two-way.ts";
import type { MessageState } from "./state.ts";

const options: InputOption[] = [
  { id: "allow", label: "Allow", effect: "allow_once" },
  { id: "deny", label: "Deny", effect: "deny" },
];

/** The agent asks whether it may use a tool. Only a talk in both directions, as recordings hold, has such lines. */
export function askedControl(pass: Pass<MessageState>, said: Fields, frame: unknown): void {
  const request = fields(said.request);
  const id = nonBlank(said.request_id);
  if (!id || request.subtype !== "can_use_tool") return pass.raw(frame, "unknown request");
  const { state } = pass;
  const name = nonBlank(request.tool_name) ?? "tool";
  const input = fields(request.input);
  const tool = nonBlank(request.tool_use_id);
  state.asks = newest({ ...state.asks, [id]: compact({ tool, options }) }, 20);
  const { kind, title } = describeTool(name, input);
  pass.say({
    kind: "ask",
    key: id,
    request: compact({
      kind: "approval",
      title,
      detail: nonBlank(request.blocked_path),
      item: tool && own(state.tools, tool) ? toolItem(pass, tool) : undefined,
      tool: compact({ name, kind, input, command: commandOf(input) }),
      diff: kind === "edit" ? wantedChanges(input) : undefined,
      options,
    }),
  });
}

/** The answer to a request of ours. */
export function respondedControl(pass: Pass<MessageState>, said: Fields): void {
  const response = fields(said.response);
  const id = nonBlank(response.request_id);
  if (id) pass.say({ kind: "ack", key: id });
  ready(pass, { handle: nonBlank(fields(response.response).session_id) });
}

/** Our answer to a request of the agent's. */
export function answeredControl(pass: Pass<MessageState>, response: Fields): void {
  const id = nonBlank(response.request_id) ?? "";
  const ask = own(pass.state.asks, id);
  if (!ask) return;
  pass.state.asks = without(pass.state.asks, id);
  const { behavior, message } = fields(response.response);
  const decision = decisionOf(text(behavior), ask);
  if (decision !== "allow" && ask.tool) denyTool(pass, ask.tool);
  pass.say({ kind: "answered", key: id, answer: compact({ decision, message: nonBlank(message) }) });
}
