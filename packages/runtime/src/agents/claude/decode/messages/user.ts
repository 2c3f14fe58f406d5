import { type Fields, fields, list, nonBlank, text } from "../../../fields.ts";
import { raw } from "../../outputs.ts";
import type { Pass } from "../state.ts";
import { replayed } from "../turn.ts";
import { endTool } from "./tool-results.ts";

/** What Claude tells about the user's side: results of tools, messages it has taken, and words it puts there itself. */
export function readUser(pass: Pass, frame: Fields): void {
  const uuid = nonBlank(frame.uuid);
  if (frame.isReplay === true) {
    if (uuid) replayed(pass, uuid);
    return;
  }
  const { content } = fields(frame.message);
  // Plain text is a summary, a nudge of Claude to itself or a subagent's task: told by other frames where it matters.
  if (typeof content === "string") return;
  const blocks = list(content).map(fields);
  // The structured account belongs to one result; with several in a line it is not said to which.
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
