import { compact, type Fields, fields, list, nonBlank, number, ownValue, text } from "../../fields.ts";
import { type CallEnd, endTool, startTool, toolOutput } from "../../json-lines/calls.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { diffChange, pathIn } from "../../json-lines/reading/changes.ts";
import { blocksText } from "../../json-lines/reading/content.ts";
import { readPlan } from "../../json-lines/reading/plan.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import { beginTurn, failTurn, finishTurn, reportReady } from "../../json-lines/turns.ts";
import { close, complete, piece } from "../texts.ts";
import { sdkFailure } from "./failures.ts";
import type { SdkState } from "./state.ts";

const wrappers = ["message", "delta", "step", "result"];

/** Whether the line is from a run of the SDK: its messages, bare or under the name of the call. */
export function isFromSdk(line: Fields): boolean {
  return ("agent_id" in line && "run_id" in line) || wrappers.includes(text(line.dir) ?? "");
}

/** Decodes a line of a run. `delta` repeats `message` slightly earlier, except for the output of commands. */
export function readSdk(pass: Pass<SdkState>, line: Fields, frame: unknown): void {
  if (line.dir === undefined) return message(pass, line, frame);
  pass.state.wrapped = true;
  if (line.dir === "message") return message(pass, fields(line.msg), frame);
  if (line.dir === "step") return step(pass, fields(line.step));
  if (line.dir === "delta") return delta(pass, fields(line.update));
  if (line.dir === "result") return result(pass, fields(line.result));
}

function message(pass: Pass<SdkState>, received: Fields, frame: unknown): void {
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
    // The prompt, known from the session; and the start of a run, known from its status.
    case "user":
    case "system":
      return;
    case "task":
      return void (nonBlank(received.text) && pass.emit({ kind: "activity", state: text(received.text) ?? "" }));
    default:
      return pass.raw(frame, "unknown message");
  }
}

function status(pass: Pass<SdkState>, received: Fields): void {
  reportReady(pass, { handle: nonBlank(received.agent_id) });
  const name = text(received.status) ?? "";
  if (!FINAL.includes(name)) return beginTurn(pass);
  if (name === "ERROR" || name === "EXPIRED") pass.state.failure = sdkFailure(received);
  if (!pass.state.wrapped) endRun(pass, name.toLowerCase());
}

/** The states of a run that has ended. In any other, such as `QUEUED`, it has not. */
const FINAL = ["FINISHED", "ERROR", "CANCELLED", "EXPIRED"];

function handleToolCall(pass: Pass<SdkState>, received: Fields): void {
  beginTurn(pass);
  close(pass, "text", "reasoning");
  const native = text(received.call_id) ?? "";
  const call = readCall(received);
  if (received.result === undefined && !ENDED.includes(text(received.status) ?? "")) {
    if (call.name === "shell") pass.state.shell = native;
    return startTool(pass, native, call);
  }
  if (!ownValue(pass.state.tools, native)) startTool(pass, native, call);
  if (pass.state.shell === native) pass.state.shell = undefined;
  endTool(pass, native, readEnd(received));
  const plan = call.name === "updateTodos" ? readPlan(fields(received.args)) : undefined;
  if (plan && received.status === "completed") pass.event("plan.updated", { entries: plan });
}

const ENDED = ["completed", "error", "failed", "cancelled"];

/** Tools of MCP servers share one name; the arguments name the server and the tool. */
function readCall(received: Fields): { name: string; input: unknown } {
  const name = nonBlank(received.name) ?? "tool";
  const args = fields(received.args);
  const [server, tool] = [nonBlank(args.providerIdentifier), nonBlank(args.toolName) ?? nonBlank(args.name)];
  if (name !== "mcp" || !tool) return { name, input: received.args };
  return { name: server ? `mcp__${server}__${tool}` : tool, input: args.args };
}

function readEnd(received: Fields): CallEnd {
  const result = fields(received.result);
  const value = fields(result.value);
  const failed = received.status === "error" || result.status === "error" || result.status === "failure";
  const exitCode = number(value.exitCode);
  const printed = [text(value.stdout), text(value.stderr)].filter(Boolean).join("\n");
  const stated = [result.value, value.content, value.message, result.error, fields(result.error).message].map(nonBlank);
  const output = nonBlank(printed) ?? stated.find((entry) => entry !== undefined) ?? contentText(value.content);
  const [path, diff] = [pathIn(fields(received.args)), nonBlank(value.diffString)];
  const change = path && diff ? diffChange(path, diff) : undefined;
  const status = failed || (exitCode ?? 0) !== 0 ? ("error" as const) : ("ok" as const);
  return compact({ status, output, exitCode, changes: change ? [change] : undefined });
}

/** The texts of an MCP server's answer: each below a field `text`. */
function contentText(content: unknown): string | undefined {
  const texts = list(content).map((item) => nonBlank(fields(item).text) ?? nonBlank(fields(fields(item).text).text));
  return nonBlank(texts.filter((entry) => entry !== undefined).join("\n"));
}

/** A chunk of a command's output. It does not name the command; the SDK runs one at a time. */
function delta(pass: Pass<SdkState>, update: Fields): void {
  if (update.type !== "shell-output-delta" || !pass.state.shell) return;
  const event = fields(update.event);
  const value = fields(event.value);
  const chunk = text(value.data) ?? text(fields(event.stdout).data) ?? text(fields(event.stderr).data) ?? "";
  toolOutput(pass, pass.state.shell, chunk);
}

/** A step contains a complete text. */
function step(pass: Pass<SdkState>, received: Fields): void {
  const content = text(fields(received.message).text) ?? "";
  if (pass.state.turn !== "running" || content === "") return;
  if (received.type === "assistantMessage") complete(pass, "text", content);
  if (received.type === "thinkingMessage") complete(pass, "reasoning", content);
}

function result(pass: Pass<SdkState>, received: Fields): void {
  const model = nonBlank(fields(received.model).id);
  if (received.status === "error") pass.state.failure = sdkFailure(received.error, pass.state.failure);
  endRun(pass, text(received.status), compact({ servedModel: model, durationMs: number(received.durationMs) }));
}

function endRun(pass: Pass<SdkState>, how = "", more: { servedModel?: string; durationMs?: number } = {}): void {
  const { stopping, failure } = pass.state;
  if (how === "cancelled" || (how === "error" && stopping)) finishTurn(pass, { outcome: "interrupted", ...more });
  else if (how === "error" || how === "expired") failTurn(pass, failure ?? sdkFailure({}), more);
  else finishTurn(pass, { outcome: "completed", ...more });
  const ended = { open: undefined, pieces: undefined, last: undefined, shell: undefined };
  Object.assign(pass.state, ended, { stopping: false, failure: undefined });
}
