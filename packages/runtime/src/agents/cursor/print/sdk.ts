import { compact, type Fields, fields, nonBlank, number, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import { blocksText } from "../../json-lines/reading/content.ts";
import { wordsFailure } from "../../json-lines/reading/failures.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import type { Pass } from "../../json-lines/talk.ts";
import { begin, fail, finish, ready } from "../../json-lines/turns.ts";
import type { CursorState } from "./state.ts";
import { close, complete, piece } from "./texts.ts";

const wrappers = ["message", "delta", "step", "result"];

/** Lines of a recording of Cursor's SDK: messages of a run, bare or each under the name of the call that told it. */
export function isFromSdk(line: Fields): boolean {
  return ("agent_id" in line && "run_id" in line) || wrappers.includes(text(line.dir) ?? "");
}

/** The same talk as the command line's, in the SDK's words. `delta` tells what `message` tells, and a little earlier. */
export function readSdk(pass: Pass<CursorState>, line: Fields, frame: unknown): void {
  if (line.dir === undefined) return message(pass, line, frame);
  pass.state.wrapped = true;
  if (line.dir === "message") return message(pass, fields(line.msg), frame);
  if (line.dir === "step") return step(pass, fields(line.step));
  if (line.dir === "result") return result(pass, fields(line.result));
}

function message(pass: Pass<CursorState>, said: Fields, frame: unknown): void {
  switch (said.type) {
    case "status":
      return status(pass, said);
    case "assistant":
      begin(pass);
      return piece(pass, "text", blocksText(fields(said.message).content) ?? "");
    case "thinking":
      begin(pass);
      return piece(pass, "reasoning", text(said.text) ?? "");
    case "tool_call":
      return called(pass, said);
    case "usage":
      pass.state.usage = readUsage(fields(said.usage), true);
      return;
    default:
      return pass.raw(frame, "unknown message");
  }
}

function status(pass: Pass<CursorState>, said: Fields): void {
  ready(pass, { handle: nonBlank(said.agent_id) });
  if (said.status === "RUNNING") return begin(pass);
  if (said.status === "ERROR") pass.state.failure = wordsFailure(text(said.message) ?? "");
  if (!pass.state.wrapped) over(pass, text(said.status)?.toLowerCase());
}

function called(pass: Pass<CursorState>, said: Fields): void {
  begin(pass);
  close(pass, "text", "reasoning");
  const native = text(said.call_id) ?? "";
  if (said.status === "running")
    return startTool(pass, native, { name: nonBlank(said.name) ?? "tool", input: said.args });
  const { value, error } = fields(said.result);
  const output = text(value) ?? text(fields(value).content) ?? text(fields(error).message);
  endTool(pass, native, compact({ status: said.status === "error" ? "error" : "ok", output } as const));
}

/** A step tells a text as a whole. */
function step(pass: Pass<CursorState>, said: Fields): void {
  const content = text(fields(said.message).text) ?? "";
  if (pass.state.turn !== "running" || content === "") return;
  if (said.type === "assistantMessage") complete(pass, "text", content);
  if (said.type === "thinkingMessage") complete(pass, "reasoning", content);
}

function result(pass: Pass<CursorState>, said: Fields): void {
  const model = nonBlank(fields(said.model).id);
  if (said.status === "error") pass.state.failure = wordsFailure(text(fields(said.error).message) ?? "");
  over(pass, text(said.status), compact({ servedModel: model, durationMs: number(said.durationMs) }));
}

function over(pass: Pass<CursorState>, how = "", more: { servedModel?: string; durationMs?: number } = {}): void {
  if (how === "error") fail(pass, pass.state.failure ?? wordsFailure(""), more);
  else finish(pass, { outcome: how === "cancelled" ? "interrupted" : "completed", ...more });
  Object.assign(pass.state, { open: undefined, pieces: undefined, last: undefined });
}
