import { type Fields, fields, list, nonBlank, text } from "../../../fields.ts";
import { raw } from "../../outputs.ts";
import type { Pass } from "../state.ts";
import { recordReplayed } from "../turn.ts";
import { endTool } from "./tool-results.ts";

/** Handles frames of the user's side: tool results, accepted messages and text inserted by Claude. */
export function readUser(pass: Pass, frame: Fields): void {
  const uuid = nonBlank(frame.uuid);
  if (frame.isReplay === true) {
    if (uuid) recordReplayed(pass, uuid);
    return;
  }
  const { content } = fields(frame.message);
  // Plain text is a summary, an internal reminder or a subagent's task; other frames report it if relevant.
  if (typeof content === "string") return;
  const blocks = list(content).map(fields);
  // The structured result belongs to one tool result; with several it is ambiguous.
  const account = blocks.length === 1 ? frame.tool_use_result : undefined;
  for (const block of blocks) {
    if (block.type === "tool_result") endTool(pass, block, account, metaOf(frame, text(block.tool_use_id)));
    else if (!KNOWN.includes(text(block.type) ?? "")) pass.emit(raw(frame, `unknown block ${text(block.type) ?? ""}`));
  }
}

const KNOWN = ["text", "image", "document"];

function metaOf(frame: Fields, id: string | undefined): Fields {
  return fields(list(frame.tool_result_meta).find((entry) => fields(entry).id === id));
}
