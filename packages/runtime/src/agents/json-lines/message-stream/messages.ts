import { compact, type Fields, fields, list, nonBlank, ownValue, text } from "../../fields.ts";
import { endTool, startTool, toolInput, toolItem } from "../calls.ts";
import type { Pass } from "../pass.ts";
import { blocksText } from "../reading/content.ts";
import { isProviderError, textFailure } from "../reading/failures.ts";
import { messageUsage } from "../reading/usage.ts";
import { completeText, nextText, openItems, retractItems, streamText, textItem } from "../texts.ts";
import { addTurnUsage, beginTurn, reportPrompt } from "../turns.ts";
import type { MessageState } from "./state.ts";

const channels: Record<string, "text" | "reasoning"> = { text: "text", thinking: "reasoning" };

/** Handles a chunk of a message (`--include-partial-messages`). One block is open at a time. */
export function handleStreamEvent(pass: Pass<MessageState>, line: Fields, frame: unknown): void {
  const { state } = pass;
  const event = fields(line.event);
  beginTurn(pass);
  switch (event.type) {
    case "message_start":
      state.answer = [];
      return;
    case "content_block_start":
      state.streams += 1;
      state.block = blockOf(fields(event.content_block), state.streams);
      return;
    case "content_block_delta":
      return handleDelta(pass, fields(event.delta), parentOf(pass, line));
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

function handleDelta(pass: Pass<MessageState>, delta: Fields, parent: string | undefined): void {
  const { block } = pass.state;
  if (!block) return;
  if (delta.type === "text_delta") streamText(pass, block.native, "text", text(delta.text) ?? "", parent);
  if (delta.type === "thinking_delta") streamText(pass, block.native, "reasoning", text(delta.thinking) ?? "", parent);
  if (delta.type === "input_json_delta") toolInput(pass, block.native, text(delta.partial_json) ?? "");
}

/** Handles a complete message of the model, or one block of it. */
export function handleAssistant(pass: Pass<MessageState>, line: Fields): void {
  beginTurn(pass);
  const message = fields(line.message);
  const id = nonBlank(message.id) ?? nextText(pass);
  pass.state.model = nonBlank(message.model) ?? pass.state.model;
  addTurnUsage(pass, messageUsage(fields(message.usage)));
  list(message.content).forEach((entry, index) => {
    handleBlock(pass, fields(entry), `${id}#${index}`, parentOf(pass, line));
  });
}

function handleBlock(pass: Pass<MessageState>, block: Fields, native: string, parent: string | undefined): void {
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
  const channel = ownValue(channels, kind);
  if (!channel) return kind === "redacted_thinking" ? handleRedacted(pass, native) : pass.raw(block, "unknown block");
  const name = state.block?.kind === kind ? state.block.native : native;
  const content = text(channel === "text" ? block.text : block.thinking) ?? "";
  state.block = undefined;
  if (channel === "text" && isProviderError(content)) return handleProviderError(pass, content);
  completeText(pass, name, channel, content, parent);
  if (channel === "text") state.answer = [...state.answer, textItem(pass, name, channel)].slice(-5);
}

function handleRedacted(pass: Pass<MessageState>, native: string): void {
  pass.event("reasoning.done", { item: textItem(pass, native, "reasoning"), text: "", redacted: true });
}

/** A provider error arrives as a model message. The result that follows may report success. */
function handleProviderError(pass: Pass<MessageState>, content: string): void {
  retractItems(pass, openItems(pass), "an error, not a model message");
  pass.state.failure = textFailure(content);
}

/** Handles tool results and, from agents that echo it, the user's prompt. */
export function handleUser(pass: Pass<MessageState>, line: Fields): void {
  const { content } = fields(line.message);
  const blocks = list(content).map(fields);
  for (const block of blocks) if (block.type === "tool_result") handleToolResult(pass, block);
  const isPrompt = typeof content === "string" || blocks.every((block) => block.type === "text");
  if (isPrompt && !line.parent_tool_use_id && line.isSynthetic !== true) reportPrompt(pass, blocksText(content) ?? "");
}

function handleToolResult(pass: Pass<MessageState>, block: Fields): void {
  const status = block.is_error === true ? "error" : "ok";
  endTool(pass, text(block.tool_use_id) ?? "", compact({ status, output: blocksText(block.content) } as const));
}

/** The tool call of the subagent that sent the message. */
function parentOf(pass: Pass, line: Fields): string | undefined {
  const parent = nonBlank(line.parent_tool_use_id);
  return parent && toolItem(pass, parent);
}
