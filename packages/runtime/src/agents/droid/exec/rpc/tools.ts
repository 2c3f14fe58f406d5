import type { FileChange } from "@gantry/protocol";
import {
  compact,
  type Fields,
  fields,
  firstLine,
  nonBlank,
  ownValue,
  taskId,
  text,
  withoutKey,
} from "../../../fields.ts";
import { type CallEnd, endTool, startTool, toolItem, toolOutput } from "../../../json-lines/calls.ts";
import type { OpenTool, Pass } from "../../../json-lines/pass.ts";
import { blocksText } from "../../../json-lines/reading/content.ts";
import { beginTurn } from "../../../json-lines/turns.ts";
import type { RpcState } from "./state.ts";

/** Handles a tool call, announced first without input and then, at most twice, with it. */
export function startCall(pass: Pass<RpcState>, use: Fields): void {
  const native = text(use.id) ?? "";
  const empty = Object.keys(fields(use.input)).length === 0;
  const known = ownValue(pass.state.tools, native);
  if (!native || (known && (empty || known.hasInput))) return;
  beginTurn(pass);
  startTool(pass, native, { name: nonBlank(use.name) ?? "tool", input: use.input });
  const tool = ownValue(pass.state.tools, native);
  if (tool && !empty) pass.state.tools = { ...pass.state.tools, [native]: { ...tool, hasInput: true } };
}

export function updateCall(pass: Pass<RpcState>, line: Fields): void {
  const update = fields(line.update);
  if (update.type === "status") toolOutput(pass, text(line.toolUseId) ?? "", text(update.text) ?? "");
}

export function endCall(pass: Pass<RpcState>, line: Fields): void {
  const native = text(line.toolUseId) ?? "";
  const tool = ownValue(pass.state.tools, native);
  const { output, exitCode } = stripRemarks(blocksText(line.content) ?? "", tool?.kind === "execute");
  const status = line.isError === true ? failedBy(pass, output) : "ok";
  const changes = tool?.name === CREATE && status === "ok" ? tool.changes?.map(asAddition) : undefined;
  if (status === "ok" && tool?.command !== undefined) leaveRunning(pass, native, tool, output);
  endTool(pass, native, compact({ status, output, exitCode, changes }));
  childEnded(pass, native, status, output);
}

/** Droid starts a command with `fireAndForget` and never mentions it again: Gantry watches its process. */
function leaveRunning(pass: Pass<RpcState>, native: string, { item, command = "" }: OpenTool, output: string): void {
  const [, pid] = /^Background process started \(PID: (\d{1,9})\)\n/.exec(output) ?? [];
  if (pid === undefined || Number(pid) === 0) return;
  const [, file] = /^Output: (\/.+)$/m.exec(output) ?? [];
  const title = firstLine(command, LINE);
  const task = { task: taskId(native), kind: "command" as const, title, command, pid: Number(pid), item, file };
  pass.event("task.started", compact(task));
}

const LINE = 200;
const CREATE = "Create";

/** Marks a change as an addition: Droid has a separate tool for existing files. */
export function asAddition(change: FileChange): FileChange {
  return { ...change, kind: "add" };
}

/** Strips Droid's text around a command's output. */
function stripRemarks(line: string, command: boolean): { output: string; exitCode?: number } {
  const [, code] = /\[Process exited with code (-?\d+)\]\s*$/.exec(line) ?? [];
  if (!command || code === undefined) return { output: line };
  const output = line
    .replace(/\n{0,2}\[Process exited with code -?\d+\]\s*$/, "")
    .replace(/^Error: Command failed \(exit code: -?\d+\)\n/, "");
  return { output, exitCode: Number(code) };
}

const FORBIDDEN = /Tool cancelled: Spec mode is active|Tool execution cancelled by user/;

/** Droid rejects changes until the plan is approved. */
function failedBy({ state }: Pass<RpcState>, output: string): CallEnd["status"] {
  if (state.stopping) return "interrupted";
  return FORBIDDEN.test(output) ? "denied" : "error";
}

/** A subagent has a separate session and ends with its call. */
export function childStarted(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  const id = nonBlank(line.childSessionId);
  const call = nonBlank(line.toolUseId);
  if (!id || Object.values(state.children ?? {}).includes(id)) return;
  state.children = { ...state.children, [call ?? id]: id };
  const title = nonBlank(line.description) ?? nonBlank(line.subagentType) ?? "Subagent";
  const parent = call && ownValue(state.tools, call) ? toolItem(pass, call) : undefined;
  pass.event("subagent.started", compact({ id, parent, type: nonBlank(line.subagentType), title }));
}

function childEnded(pass: Pass<RpcState>, call: string, status: CallEnd["status"], summary: string): void {
  const { state } = pass;
  const id = ownValue(state.children ?? {}, call);
  if (!id) return;
  state.children = withoutKey(state.children ?? {}, call);
  const how = status === "ok" || status === "interrupted" ? status : "error";
  pass.event("subagent.ended", { id, status: how, summary });
}
