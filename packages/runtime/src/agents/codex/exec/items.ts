import { itemId, MAX_OPEN_CALLS, type Output, type Step } from "../../contract.ts";
import { compact, type Fields, list, ownValue, fields as read, text } from "../../fields.ts";
import { event, notice, raw } from "../outputs.ts";
import { type Tool, tools } from "../wire/tools.ts";
import { CHANNEL, type State } from "./state.ts";

/** Maps `exec` item types to those of the app-server. */
const toolTypes: Record<string, string> = {
  command_execution: "commandExecution",
  file_change: "fileChange",
  mcp_tool_call: "mcpToolCall",
  collab_tool_call: "collabAgentToolCall",
  web_search: "webSearch",
};

/** Handles `item.started`, `item.updated` and `item.completed`. Texts arrive complete. */
export function itemChanged(state: State, step: string, item: Fields, frame: unknown): Step<State> {
  const type = text(item.type) ?? "";
  const native = `${state.prefix}.${text(item.id) ?? ""}`;
  const tool = ownValue(tools, ownValue(toolTypes, type));
  const done = step === "item.completed";
  const isFull = !done && state.tools.length >= MAX_OPEN_CALLS && !state.tools.includes(native);
  if (tool && isFull) return [state, [raw(CHANNEL, frame, "too many open tool calls")]];
  if (tool) return toolChanged(state, step, native, camelCase(item), tool);
  switch (type) {
    case "agent_message":
      return [state, done ? wholeText(native, "text", text(item.text) ?? "") : []];
    case "reasoning":
      return [state, done ? wholeText(native, "reasoning", text(item.text) ?? "") : []];
    case "todo_list":
      return [state, [event("plan.updated", { entries: list(item.items).map(planEntry) })]];
    case "error":
      return [state, [notice("agent", "warning", text(item.message) ?? "")]];
    default:
      return [state, [raw(CHANNEL, frame, "unknown item type")]];
  }
}

function toolChanged(state: State, step: string, native: string, item: Fields, tool: Tool): Step<State> {
  const open = state.tools.includes(native);
  const outputs: Output[] = [];
  if (!open) outputs.push(event("tool.started", { item: itemId(native), ...tool.start(item) }));
  if (step !== "item.completed") return [{ ...state, tools: open ? state.tools : [...state.tools, native] }, outputs];
  outputs.push(event("tool.ended", { item: itemId(native), ...tool.end(item) }));
  return [{ ...state, tools: state.tools.filter((entry) => entry !== native) }, outputs];
}

function wholeText(native: string, channel: "text" | "reasoning", whole: string): Output[] {
  const item = itemId(native);
  const delta: Output[] = whole ? [{ kind: "delta", item, channel, text: whole }] : [];
  const data = { item, text: whole };
  return [...delta, channel === "text" ? event("message.done", data) : event("reasoning.done", data)];
}

function planEntry(entry: unknown) {
  const { text: step, completed } = read(entry);
  return compact({
    text: text(step) ?? "",
    status: completed === true ? ("completed" as const) : ("pending" as const),
  });
}

function camelCase(item: Fields): Fields {
  const renamed = Object.entries(item).map(([key, value]) => [
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(renamed);
}
