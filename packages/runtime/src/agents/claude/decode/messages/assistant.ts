import { itemId } from "../../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  list,
  newestEntries,
  nonBlank,
  number,
  ownValue,
  text,
} from "../../../fields.ts";
import { toFailure } from "../../failures.ts";
import { raw } from "../../outputs.ts";
import { readTodos } from "../../tools/plan.ts";
import { describeTool } from "../../tools/tools.ts";
import { bareModelName } from "../settings.ts";
import { MAIN, type Pass, type Tool } from "../state.ts";
import { beginTurn } from "../turn.ts";
import { finishInput, finishText, openMessage } from "./blocks.ts";
import { noteUsage, reportRecovered } from "./stream-events.ts";
import { endTool } from "./tool-results.ts";

const OPEN_TOOLS = 100;
const SYNTHETIC = "<synthetic>";

/** Handles finished blocks: one line per block if the response was streamed. */
export function readAssistant(pass: Pass, frame: Fields): void {
  const scope = nonBlank(frame.parent_tool_use_id) ?? MAIN;
  const message = fields(frame.message);
  // Only `init` or a request opens the next turn; this line belongs to the last one.
  if (scope === MAIN && pass.state.turns === 0) beginTurn(pass);
  if (isError(frame, message)) return readError(pass, frame, message, scope);
  if (scope === MAIN && pass.state.turn) {
    reportRecovered(pass);
    pass.state.turn = { ...pass.state.turn, hasOutput: true };
  }
  openMessage(pass, scope, nonBlank(message.id) ?? nonBlank(frame.uuid) ?? "message");
  noteModel(pass, scope, text(message.model));
  noteUsage(pass, scope, message.usage);
  for (const block of list(message.content)) readBlock(pass, frame, scope, fields(block));
}

function isError(frame: Fields, message: Fields): boolean {
  return frame.is_api_error_message === true || (message.model === SYNTHETIC && nonBlank(frame.error) !== undefined);
}

/** Claude reports errors as a message of the model `<synthetic>`. */
function readError(pass: Pass, frame: Fields, message: Fields, scope: string): void {
  const texts = list(message.content).map((block) => text(fields(block).text) ?? "");
  const failure = toFailure(
    compact({
      kind: text(frame.error),
      apiError: text(frame.api_error),
      status: number(frame.api_error_status),
      message: texts.join("\n") || "The agent reported an error.",
      refusal: message.stop_reason === "refusal",
    }),
  );
  const { turn } = pass.state;
  if (scope === MAIN && turn) pass.state.turn = { ...turn, failure, hasOutput: true };
  else pass.event("error", failure);
}

function noteModel(pass: Pass, scope: string, model: string | undefined): void {
  const { state } = pass;
  if (scope !== MAIN || !model || model === SYNTHETIC) return;
  if (state.served && state.served !== model && bareModelName(state.model) !== bareModelName(model)) {
    pass.event("model.changed", { from: state.served, to: model, reason: "another model served the request" });
  }
  state.served = model;
}

function readBlock(pass: Pass, frame: Fields, scope: string, block: Fields): void {
  const parent = scope === MAIN ? undefined : itemId(scope);
  switch (block.type) {
    case "text": {
      const item = finishText(pass, scope, "text", text(block.text) ?? "");
      if (item) pass.event("message.done", compact({ item, text: text(block.text) ?? "", parent }));
      return;
    }
    case "thinking": {
      const item = finishText(pass, scope, "reasoning", text(block.thinking) ?? "");
      if (item)
        pass.event("reasoning.done", compact({ item, text: text(block.thinking) ?? "", redacted: false, parent }));
      return;
    }
    case "redacted_thinking": {
      const item = itemId(`${nonBlank(fields(frame.message).id)}#${pass.state.messages[scope]?.next ?? 0}`);
      finishInput(pass, scope, item);
      return pass.event("reasoning.done", compact({ item, text: "", redacted: true, parent }));
    }
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return startTool(pass, scope, block, parent);
    default:
      if (nonBlank(block.tool_use_id)) return endTool(pass, block, undefined, {});
      pass.emit(raw(frame, `unknown block ${text(block.type) ?? ""}`));
  }
}

function startTool(pass: Pass, scope: string, block: Fields, parent: string | undefined): void {
  const id = nonBlank(block.id);
  const name = nonBlank(block.name) ?? "tool";
  if (!id) return;
  const input = fields(block.input);
  finishInput(pass, scope, itemId(id));
  if (ownValue(pass.state.tools, id)) return;
  pass.state.tools = newestEntries({ ...pass.state.tools, [id]: storedTool(name, input) }, OPEN_TOOLS);
  pass.event(
    "tool.started",
    compact({ item: itemId(id), name, ...describeTool(name, input), input: block.input, parent }),
  );
}

/** The data needed for the end of the call. */
function storedTool(name: string, input: Fields): Tool {
  if (name === "ExitPlanMode") return compact({ name, plan: nonBlank(input.plan) });
  if (name === "TodoWrite") return { name, todos: readTodos(input.todos) };
  if (name === "Bash") return compact({ name, command: nonBlank(input.command)?.slice(0, 500) });
  if (!name.startsWith("Task")) return { name };
  const entries = ["taskId", "status", "subject"].flatMap((key) => {
    const value = nonBlank(input[key]);
    return value ? [[key, value.slice(0, 300)]] : [];
  });
  return { name, input: Object.fromEntries(entries) };
}
