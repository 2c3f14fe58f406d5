import { compact, type Fields, fields, list, nonBlank, number, text } from "../../fields.ts";
import { endTool, startTool, toolOutput } from "../../json-lines/calls.ts";
import type { DecoderState, Pass } from "../../json-lines/pass.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import { closeText, completeText, nextText, streamText } from "../../json-lines/texts.ts";
import { beginTurn, failTurn, finishTurn, reportReady } from "../../json-lines/turns.ts";

/** `open` holds the generated names of the streamed texts, because Cline has none. */
export type ClineState = DecoderState & { open?: { text?: string; reasoning?: string } };

/** Decodes a line of `cline --json`. Hooks duplicate the agent's events. */
export function line(pass: Pass<ClineState>, line: Fields, frame: unknown): void {
  switch (line.type) {
    case "hook_event":
      return hook(pass, line);
    case "agent_event":
      return agentEvent(pass, fields(line.event), frame);
    case "run_result":
      return result(pass, line);
    default:
      return pass.raw(frame, "unknown line");
  }
}

function hook(pass: Pass<ClineState>, line: Fields): void {
  if (line.hookEventName !== "agent_start" || line.parentAgentId) return;
  reportReady(pass, { handle: nonBlank(line.taskId) });
  beginTurn(pass);
}

function agentEvent(pass: Pass<ClineState>, event: Fields, frame: unknown): void {
  switch (event.type) {
    case "content_start":
    case "content_update":
    case "content_end":
      return content(pass, event, frame);
    case "error":
      return recordError(pass, event);
    case "iteration_start":
    case "iteration_end":
    // The result contains the sum.
    case "usage":
    case "done":
      return beginTurn(pass);
    default:
      return pass.raw(frame, "unknown event");
  }
}

/** Every `content_start` carries a chunk, `content_end` the complete text. */
function content(pass: Pass<ClineState>, event: Fields, frame: unknown): void {
  if (event.contentType === "tool") return tool(pass, event);
  const channel = event.contentType === "reasoning" ? "reasoning" : "text";
  if (channel === "text" && event.contentType !== "text") return pass.raw(frame, "unknown content");
  const { state } = pass;
  const piece = text(event[channel]) ?? "";
  const native = state.open?.[channel] ?? nextText(pass);
  if (event.type !== "content_end") {
    state.open = { ...state.open, [channel]: native };
    return streamText(pass, native, channel, piece);
  }
  state.open = compact({ ...state.open, [channel]: undefined });
  if (piece === "") return closeText(pass, native, channel);
  completeText(pass, native, channel, piece);
}

function tool(pass: Pass<ClineState>, event: Fields): void {
  const native = text(event.toolCallId) ?? "";
  if (event.type === "content_start") {
    return startTool(pass, native, { name: nonBlank(event.toolName) ?? "tool", input: event.input });
  }
  if (event.type === "content_update") return toolOutput(pass, native, text(fields(event.update).chunk) ?? "");
  const failure = nonBlank(event.error) !== undefined;
  const output = text(fields(event.output).error) ?? outputOf(event.output);
  const refused = list(event.output).some((row) => fields(row).success === false);
  const status = failure || refused ? "error" : "ok";
  endTool(pass, native, compact({ status, output, durationMs: number(event.durationMs) } as const));
}

/** Cline's tools take lists and return lists of `{query, result}`. */
function outputOf(output: unknown): string | undefined {
  if (typeof output === "string") return output;
  const rows = list(output).map((row) => text(fields(row).result) ?? text(fields(row).error) ?? "");
  return rows.length > 0 ? rows.join("\n") : undefined;
}

/** A recoverable error was already reported by a tool, and Cline continues. */
function recordError(pass: Pass<ClineState>, event: Fields): void {
  if (event.recoverable === true) return;
  pass.state.failure = textFailure(text(fields(event.error).message) ?? "");
}

function result(pass: Pass<ClineState>, line: Fields): void {
  const model = fields(line.model);
  const id = nonBlank(model.id);
  const cost = number(fields(line.usage).totalCost);
  const more = compact({
    usage: line.usage === undefined ? undefined : readUsage(fields(line.usage), false),
    cost: cost ? ({ usd: cost, source: "agent" } as const) : undefined,
    durationMs: number(line.durationMs),
    servedModel: id && nonBlank(model.provider) ? `${model.provider}/${id}` : id,
  });
  if (line.finishReason === "completed") return finishTurn(pass, { outcome: "completed", ...more });
  if (line.finishReason === "aborted") return finishTurn(pass, { outcome: "interrupted", ...more });
  const reason =
    text(line.error) ?? text(fields(line.error).message) ?? text(line.text) ?? text(line.finishReason) ?? "";
  failTurn(pass, pass.state.failure ?? textFailure(reason), more);
}
