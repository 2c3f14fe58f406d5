import { count, type Fields, fields, isFields, nonBlank, number, text } from "../../../fields.ts";
import { raw } from "../../outputs.ts";
import { quietFrames } from "../frames.ts";
import { MAIN, type Pass } from "../state.ts";
import { beginTurn } from "../turn.ts";
import { abandon, openMessage, startBlock, streamText } from "./blocks.ts";

/** Handles the provider's stream (`--include-partial-messages`). */
export function readStreamEvent(pass: Pass, frame: Fields): void {
  const event = fields(frame.event);
  const scope = nonBlank(frame.parent_tool_use_id) ?? MAIN;
  switch (event.type) {
    case "message_start":
      return messageStart(pass, scope, fields(event.message));
    case "content_block_start":
      return blockStart(pass, scope, count(event.index), fields(event.content_block));
    case "content_block_delta":
      return blockDelta(pass, scope, count(event.index), fields(event.delta), frame);
    case "content_block_stop":
      return;
    case "message_delta":
      return noteUsage(pass, scope, event.usage);
    case "message_stop":
      if (isFields(frame.abandoned_blocks)) abandon(pass, scope, count(frame.abandoned_blocks.from_block_index));
      return;
    default:
      if (!Object.hasOwn(quietFrames, `stream_event/${text(event.type)}`))
        pass.emit(raw(frame, "unknown stream event"));
  }
}

function messageStart(pass: Pass, scope: string, message: Fields): void {
  if (scope === MAIN) {
    if (pass.state.turns === 0) beginTurn(pass);
    reportRecovered(pass);
  }
  openMessage(pass, scope, nonBlank(message.id) ?? "message");
  noteUsage(pass, scope, message.usage);
}

/** Claude continues after a reported error: publishes the error, which no longer ends the turn. */
export function reportRecovered(pass: Pass): void {
  const { turn } = pass.state;
  if (!turn?.failure) return;
  pass.event("error", turn.failure);
  const { failure: _, ...rest } = turn;
  pass.state.turn = rest;
}

function blockStart(pass: Pass, scope: string, index: number, block: Fields): void {
  const message = pass.state.messages[scope];
  if (!message) return;
  const native = `${message.id}#${index}`;
  if (block.type === "text") startBlock(pass, scope, index, native, "text");
  if (block.type === "thinking") startBlock(pass, scope, index, native, "reasoning");
  if (block.type === "tool_use" || block.type === "server_tool_use" || block.type === "mcp_tool_use") {
    startBlock(pass, scope, index, nonBlank(block.id) ?? native, "input");
  }
  const begun = text(block.text) ?? text(block.thinking);
  if (begun) streamText(pass, scope, index, begun);
}

function blockDelta(pass: Pass, scope: string, index: number, delta: Fields, frame: Fields): void {
  switch (delta.type) {
    case "text_delta":
      return streamText(pass, scope, index, text(delta.text) ?? "");
    case "thinking_delta":
      return streamText(pass, scope, index, text(delta.thinking) ?? "");
    case "input_json_delta":
      return streamText(pass, scope, index, text(delta.partial_json) ?? "");
    default:
      if (!Object.hasOwn(quietFrames, `stream_event/${text(delta.type)}`)) pass.emit(raw(frame, "unknown delta"));
  }
}

/** The request's size is the best known measure of the context usage. */
export function noteUsage(pass: Pass, scope: string, value: unknown): void {
  if (scope !== MAIN || !isFields(value) || number(value.input_tokens) === undefined) return;
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = value;
  const parts = [input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens];
  const used = parts.reduce<number>((sum, part) => sum + count(part), 0);
  if (used > 0) pass.state.context = used;
}
