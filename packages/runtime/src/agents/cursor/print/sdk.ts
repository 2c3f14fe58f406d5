import { compact, type Fields, fields, nonBlank, number, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { blocksText } from "../../json-lines/reading/content.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import { beginTurn, failTurn, finishTurn, reportReady } from "../../json-lines/turns.ts";
import type { CursorState } from "./state.ts";
import { close, complete, piece } from "./texts.ts";

const wrappers = ["message", "delta", "step", "result"];

/** Whether the line is from a recording of Cursor's SDK: messages of a run, bare or under the name of the call. */
export function isFromSdk(line: Fields): boolean {
  return ("agent_id" in line && "run_id" in line) || wrappers.includes(text(line.dir) ?? "");
}

/** Decodes the SDK's variant of the stream. `delta` repeats `message` slightly earlier. */
export function readSdk(pass: Pass<CursorState>, line: Fields, frame: unknown): void {
  if (line.dir === undefined) return message(pass, line, frame);
  pass.state.wrapped = true;
  if (line.dir === "message") return message(pass, fields(line.msg), frame);
  if (line.dir === "step") return step(pass, fields(line.step));
  if (line.dir === "result") return result(pass, fields(line.result));
}

function message(pass: Pass<CursorState>, received: Fields, frame: unknown): void {
  switch (received.type) {
    case "status":
      return status(pass, received);
    case "assistant":
      beginTurn(pass);
      return piece(pass, "text", blocksText(fields(received.message).content) ?? "");
    case "thinking":
      beginTurn(pass);
      return piece(pass, "reasoning", text(received.text) ?? "");
    case "tool_call":
      return handleToolCall(pass, received);
    case "usage":
      pass.state.usage = readUsage(fields(received.usage), true);
      return;
    default:
      return pass.raw(frame, "unknown message");
  }
}

function status(pass: Pass<CursorState>, received: Fields): void {
  reportReady(pass, { handle: nonBlank(received.agent_id) });
  if (received.status === "RUNNING") return beginTurn(pass);
  if (received.status === "ERROR") pass.state.failure = textFailure(text(received.message) ?? "");
  if (!pass.state.wrapped) endRun(pass, text(received.status)?.toLowerCase());
}

function handleToolCall(pass: Pass<CursorState>, received: Fields): void {
  beginTurn(pass);
  close(pass, "text", "reasoning");
  const native = text(received.call_id) ?? "";
  if (received.status === "running")
    return startTool(pass, native, { name: nonBlank(received.name) ?? "tool", input: received.args });
  const { value, error } = fields(received.result);
  const output = text(value) ?? text(fields(value).content) ?? text(fields(error).message);
  endTool(pass, native, compact({ status: received.status === "error" ? "error" : "ok", output } as const));
}

/** A step contains a complete text. */
function step(pass: Pass<CursorState>, received: Fields): void {
  const content = text(fields(received.message).text) ?? "";
  if (pass.state.turn !== "running" || content === "") return;
  if (received.type === "assistantMessage") complete(pass, "text", content);
  if (received.type === "thinkingMessage") complete(pass, "reasoning", content);
}

function result(pass: Pass<CursorState>, received: Fields): void {
  const model = nonBlank(fields(received.model).id);
  if (received.status === "error") pass.state.failure = textFailure(text(fields(received.error).message) ?? "");
  endRun(pass, text(received.status), compact({ servedModel: model, durationMs: number(received.durationMs) }));
}

function endRun(pass: Pass<CursorState>, how = "", more: { servedModel?: string; durationMs?: number } = {}): void {
  if (how === "error") failTurn(pass, pass.state.failure ?? textFailure(""), more);
  else finishTurn(pass, { outcome: how === "cancelled" ? "interrupted" : "completed", ...more });
  Object.assign(pass.state, { open: undefined, pieces: undefined, last: undefined });
}
