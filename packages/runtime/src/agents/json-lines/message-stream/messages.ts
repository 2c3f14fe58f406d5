import { compact, type Fields, fields, list, nonBlank, own, text } from "../../fields.ts";
import { endTool, startTool, toolInput, toolItem } from "../calls.ts";
import { blocksText } from "../reading/content.ts";
import { wordsFailure } from "../reading/failures.ts";
import { messageUsage } from "../reading/usage.ts";
import type { Pass } from "../talk.ts";
import { nextText, openItems, retractItems, stream, textItem, whole } from "../texts.ts";
import { begin, prompted, spend } from "../turns.ts";
import type { MessageState } from "./state.ts";

const channels: Record<string, "text" | "reasoning"> = { text: "text", thinking: "reasoning" };

/** A piece of a message, with `--include-partial-messages`. One block is open at a time. */
export function streamed(pass: Pass<MessageState>, said: Fields, frame: unknown): void {
  const { state } = pass;
  const event = fields(said.event);
  begin(pass);
  switch (event.type) {
    case "message_start":
      state.answer = [];
      return;
    case "content_block_start":
      state.streams += 1;
      state.block = blockOf(fields(event.content_block), state.streams);
      return;
    case "content_block_delta":
      return piece(pass, fields(event.delta), parentOf(pass, said));
    case "content_block_stop":
    case "message_delta":
    case "message_stop":
      return;
    default:
      return pass.raw(frame, "unknown stream event");
  }
}

function blockOf(block: Fields, streams: number): MessageState["block"] {
  const kind = text(block.type) ?? "";
  return { kind, native: kind === "tool_use" ? (text(block.id) ?? "") : `s${streams}` };
}

function piece(pass: Pass<MessageState>, delta: Fields, parent: string | undefined): void {
  const { block } = pass.state;
  if (!block) return;
  if (delta.type === "text_delta") stream(pass, block.native, "text", text(delta.text) ?? "", parent);
  if (delta.type === "thinking_delta") stream(pass, block.native, "reasoning", text(delta.thinking) ?? "", parent);
  if (delta.type === "input_json_delta") toolInput(pass, block.native, text(delta.partial_json) ?? "");
}

/** A message of the model, or one block of it, in full. */
export function assistant(pass: Pass<MessageState>, said: Fields): void {
  begin(pass);
  const message = fields(said.message);
  const id = nonBlank(message.id) ?? nextText(pass);
  pass.state.model = nonBlank(message.model) ?? pass.state.model;
  spend(pass, messageUsage(fields(message.usage)));
  list(message.content).forEach((entry, index) => {
    read(pass, fields(entry), `${id}#${index}`, parentOf(pass, said));
  });
}

function read(pass: Pass<MessageState>, block: Fields, native: string, parent: string | undefined): void {
  const { state } = pass;
  const kind = text(block.type) ?? "";
  if (kind === "tool_use") {
    state.answer = [];
    return startTool(
      pass,
      text(block.id) ?? native,
      compact({ name: nonBlank(block.name) ?? "tool", input: block.input, parent }),
    );
  }
  const channel = own(channels, kind);
  if (!channel) return kind === "redacted_thinking" ? redacted(pass, native) : pass.raw(block, "unknown block");
  const name = state.block?.kind === kind ? state.block.native : native;
  const content = text(channel === "text" ? block.text : block.thinking) ?? "";
  state.block = undefined;
  if (channel === "text" && isError(content)) return broken(pass, content);
  whole(pass, name, channel, content, parent);
  if (channel === "text") state.answer = [...state.answer, textItem(pass, name, channel)].slice(-5);
}

function redacted(pass: Pass<MessageState>, native: string): void {
  pass.event("reasoning.done", { item: textItem(pass, native, "reasoning"), text: "", redacted: true });
}

/** A provider's error is passed on as if the model had said it; the result that follows tells it as what it is. */
function isError(content: string): boolean {
  return /^\[API Error: [\s\S]*\]$/.test(content.trim());
}

function broken(pass: Pass<MessageState>, content: string): void {
  retractItems(pass, openItems(pass), "an error, not an answer");
  pass.state.failure = wordsFailure(content);
}

/** Results of tools; or, from agents that echo it, what the person said. */
export function user(pass: Pass<MessageState>, said: Fields): void {
  const { content } = fields(said.message);
  const blocks = list(content).map(fields);
  for (const block of blocks) if (block.type === "tool_result") toolResult(pass, block);
  const spoken = typeof content === "string" || blocks.every((block) => block.type === "text");
  if (spoken && !said.parent_tool_use_id && said.isSynthetic !== true) prompted(pass, blocksText(content) ?? "");
}

function toolResult(pass: Pass<MessageState>, block: Fields): void {
  const status = block.is_error === true ? "error" : "ok";
  endTool(pass, text(block.tool_use_id) ?? "", compact({ status, output: blocksText(block.content) } as const));
}

/** The tool call that a subagent's messages are said inside of. */
function parentOf(pass: Pass, said: Fields): string | undefined {
  const parent = nonBlank(said.parent_tool_use_id);
  return parent && toolItem(pass, parent);
}
