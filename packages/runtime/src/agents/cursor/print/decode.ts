import { compact, type Fields, fields, nonBlank, number, ownValue, parseFields, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { blocksText } from "../../json-lines/reading/content.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import { beginTurn, failTurn, finishTurn, reportPrompt, reportReady } from "../../json-lines/turns.ts";
import type { CursorState } from "../state.ts";
import { close, complete, piece } from "../texts.ts";

/** Decodes a line of `cursor-agent --print --output-format stream-json`. */
export function line(pass: Pass<CursorState>, line: Fields, frame: unknown): void {
  switch (line.type) {
    case "system":
      return reportReady(pass, { handle: nonBlank(line.session_id), model: nonBlank(line.model) });
    case "user":
      return reportPrompt(pass, blocksText(fields(line.message).content) ?? "");
    case "assistant":
      return assistant(pass, line);
    case "thinking":
      return addThought(pass, line);
    case "tool_call":
      return handleToolCall(pass, line, frame);
    case "result":
      return result(pass, line);
    default:
      return pass.raw(frame, "unknown line");
  }
}

/**
 * With partial output, chunks carry a timestamp. The complete text follows before a tool call (with a model call id)
 * and at the end (without a timestamp). Without partial output there are only complete texts.
 */
function assistant(pass: Pass<CursorState>, line: Fields): void {
  beginTurn(pass);
  const content = blocksText(fields(line.message).content) ?? "";
  if ("timestamp_ms" in line && !("model_call_id" in line)) return piece(pass, "text", content);
  const open = Object.values(pass.state.texts).find((entry) => entry.channel === "text")?.text ?? "";
  // The whole turn repeated; its last text is already published.
  if (pass.state.pieces && !content.startsWith(open)) return close(pass, "text");
  complete(pass, "text", content);
}

function addThought(pass: Pass<CursorState>, line: Fields): void {
  beginTurn(pass);
  if (line.subtype === "delta") return piece(pass, "reasoning", text(line.text) ?? "");
  const content = text(line.text) ?? "";
  if (content === "") return close(pass, "reasoning");
  complete(pass, "reasoning", content);
}

/** `tool_call` has one key that names the tool, such as `readToolCall`; untyped tools are functions. */
function handleToolCall(pass: Pass<CursorState>, line: Fields, frame: unknown): void {
  beginTurn(pass);
  close(pass, "text", "reasoning");
  const [key = "", value] = Object.entries(fields(line.tool_call)).find(([, entry]) => typeof entry === "object") ?? [];
  const call = fields(value);
  const native = text(line.call_id) ?? "";
  if (line.subtype === "started") return startTool(pass, native, callOf(key, call));
  if (line.subtype !== "completed") return pass.raw(frame, "unknown line");
  if (!ownValue(pass.state.tools, native)) startTool(pass, native, callOf(key, call));
  const outcome = fields(call.result);
  const success = outcome.success === undefined ? undefined : fields(outcome.success);
  const trouble = fields(outcome.error ?? outcome.failure ?? outcome.rejected);
  const exitCode = number(success?.exitCode ?? trouble.exitCode);
  const failed = success === undefined && Object.keys(outcome).length > 0;
  const status = "rejected" in outcome ? "denied" : failed || (exitCode ?? 0) !== 0 ? "error" : "ok";
  const output = outputOf(success ?? trouble);
  endTool(pass, native, compact({ status, output, exitCode } as const));
}

function callOf(key: string, call: Fields): { name: string; input: unknown } {
  if (key === "function") {
    const input = text(call.arguments);
    return { name: nonBlank(call.name) ?? "tool", input: input === undefined ? call.arguments : parseFields(input) };
  }
  return { name: key.replace(/ToolCall$/, "") || "tool", input: call.args };
}

function outputOf(result: Fields): string | undefined {
  const printed = [text(result.stdout), text(result.stderr)].filter(Boolean).join("\n");
  const line = [result.content, result.message, result.errorMessage, result.output, result.reason].map(nonBlank);
  return nonBlank(printed) ?? line.find((entry) => entry !== undefined);
}

function result(pass: Pass<CursorState>, line: Fields): void {
  const more = compact({
    durationMs: number(line.duration_ms),
    usage: line.usage === undefined ? undefined : readUsage(fields(line.usage), true),
  });
  const answer = text(line.result) ?? "";
  if (line.is_error === true) return failTurn(pass, textFailure(text(line.error) ?? answer), more);
  beginTurn(pass);
  if (!pass.state.worked) complete(pass, "text", answer);
  finishTurn(pass, { outcome: "completed", ...more });
  Object.assign(pass.state, { open: undefined, pieces: undefined, last: undefined });
}
