import { compact, type Fields, fields, list, nonBlank, number, ownValue, parseFields, text } from "../fields.ts";
import { endTool, toolItem } from "../json-lines/calls.ts";
import { decodeLine } from "../json-lines/message-stream/decode.ts";
import type { MessageState } from "../json-lines/message-stream/state.ts";
import type { Pass } from "../json-lines/pass.ts";

/**
 * Decodes a line of Amp's stream. Differences from the shared format: a command's result is JSON text with output and
 * exit code, and a `Task` call spans the life of a subagent.
 */
export function ampLine(pass: Pass<MessageState>, line: Fields, frame: unknown): void {
  const blocks = list(fields(line.message).content).map(fields);
  const tasks = blocks.filter(
    (block) => block.type === "tool_result" && ownValue(pass.state.tools, idOf(block))?.name === "Task",
  );
  for (const block of blocks) if (block.type === "tool_result") commandEnded(pass, block);
  decodeLine(pass, line, frame);
  for (const block of blocks) if (block.type === "tool_use" && block.name === "Task") taskStarted(pass, block);
  for (const block of tasks) taskEnded(pass, block);
}

function idOf(block: Fields): string {
  return text(block.tool_use_id) ?? "";
}

/** Ends the call before the shared handler sees its result; a second end is ignored. */
function commandEnded(pass: Pass<MessageState>, block: Fields): void {
  const tool = ownValue(pass.state.tools, idOf(block));
  const { output, exitCode } = parseFields(text(block.content));
  const code = number(exitCode);
  if (tool?.kind !== "execute" || typeof output !== "string") return;
  const status = block.is_error === true || (code ?? 0) !== 0 ? "error" : "ok";
  endTool(pass, idOf(block), compact({ status, output, exitCode: code } as const));
}

function taskStarted(pass: Pass<MessageState>, block: Fields): void {
  const id = toolItem(pass, text(block.id) ?? "");
  const { description, prompt } = fields(block.input);
  const title = nonBlank(description) ?? nonBlank(prompt) ?? "Subagent";
  pass.event("subagent.started", { id, parent: id, title: title.slice(0, 200) });
}

function taskEnded(pass: Pass<MessageState>, block: Fields): void {
  const summary = nonBlank(text(block.content))?.slice(0, 4000);
  const status = block.is_error === true ? "error" : "ok";
  pass.event("subagent.ended", compact({ id: toolItem(pass, idOf(block)), status, summary } as const));
}
