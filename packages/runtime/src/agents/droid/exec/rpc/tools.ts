import type { FileChange } from "@gantry/protocol";
import { compact, type Fields, fields, nonBlank, own, text, without } from "../../../fields.ts";
import { type CallEnd, endTool, startTool, toolItem, toolOutput } from "../../../json-lines/calls.ts";
import type { Pass } from "../../../json-lines/pass.ts";
import { blocksText } from "../../../json-lines/reading/content.ts";
import { beginTurn } from "../../../json-lines/turns.ts";
import type { RpcState } from "./state.ts";

/** Announced first without an input, and then, at most twice, with it. */
export function called(pass: Pass<RpcState>, use: Fields): void {
  const native = text(use.id) ?? "";
  const empty = Object.keys(fields(use.input)).length === 0;
  const known = own(pass.state.tools, native);
  if (!native || (known && (empty || known.told))) return;
  beginTurn(pass);
  startTool(pass, native, { name: nonBlank(use.name) ?? "tool", input: use.input });
  const tool = own(pass.state.tools, native);
  if (tool && !empty) pass.state.tools = { ...pass.state.tools, [native]: { ...tool, told: true } };
}

export function progressed(pass: Pass<RpcState>, line: Fields): void {
  const update = fields(line.update);
  if (update.type === "status") toolOutput(pass, text(line.toolUseId) ?? "", text(update.text) ?? "");
}

export function returned(pass: Pass<RpcState>, line: Fields): void {
  const native = text(line.toolUseId) ?? "";
  const tool = own(pass.state.tools, native);
  const { output, exitCode } = printed(blocksText(line.content) ?? "", tool?.kind === "execute");
  const status = line.isError === true ? failedBy(pass, output) : "ok";
  const changes = tool?.name === CREATE && status === "ok" ? tool.changes?.map(added) : undefined;
  endTool(pass, native, compact({ status, output, exitCode, changes }));
  childEnded(pass, native, status, output);
}

const CREATE = "Create";

/** Droid has another tool for files that are there already. */
export function added(change: FileChange): FileChange {
  return { ...change, kind: "add" };
}

/** What Droid puts before and behind the output of a command is not the command's. */
function printed(line: string, command: boolean): { output: string; exitCode?: number } {
  const [, code] = /\n*\[Process exited with code (-?\d+)\]\s*$/.exec(line) ?? [];
  if (!command || code === undefined) return { output: line };
  const output = line
    .replace(/\n{0,2}\[Process exited with code -?\d+\]\s*$/, "")
    .replace(/^Error: Command failed \(exit code: -?\d+\)\n/, "");
  return { output, exitCode: Number(code) };
}

const FORBIDDEN = /Tool cancelled: Spec mode is active|Tool execution cancelled by user/;

/** Until the plan is approved Droid itself refuses what would change something. */
function failedBy({ state }: Pass<RpcState>, output: string): CallEnd["status"] {
  if (state.stopping) return "interrupted";
  return FORBIDDEN.test(output) ? "denied" : "error";
}

/** A subagent has a session of its own, whose talk stays there; it lasts as long as the call that started it. */
export function childStarted(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  const id = nonBlank(line.childSessionId);
  const call = nonBlank(line.toolUseId);
  if (!id || Object.values(state.children ?? {}).includes(id)) return;
  state.children = { ...state.children, [call ?? id]: id };
  const title = nonBlank(line.description) ?? nonBlank(line.subagentType) ?? "Subagent";
  const parent = call && own(state.tools, call) ? toolItem(pass, call) : undefined;
  pass.event("subagent.started", compact({ id, parent, type: nonBlank(line.subagentType), title }));
}

function childEnded(pass: Pass<RpcState>, call: string, status: CallEnd["status"], summary: string): void {
  const { state } = pass;
  const id = own(state.children ?? {}, call);
  if (!id) return;
  state.children = without(state.children ?? {}, call);
  const how = status === "ok" || status === "interrupted" ? status : "error";
  pass.event("subagent.ended", { id, status: how, summary });
}
