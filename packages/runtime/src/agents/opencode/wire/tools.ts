import {
  compact,
  type Fields,
  fields,
  fingerprint,
  nonBlank,
  number,
  ownValue,
  text,
  textBetween,
} from "../../fields.ts";
import { endTool, startTool, toolItem, toolProgress } from "../../json-lines/calls.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { diffChange } from "../../json-lines/reading/changes.ts";

/** Handles a tool part in one of its states: `pending`, `running`, `completed` or `error`. */
export function readTool(pass: Pass, part: Fields): void {
  const native = text(part.callID) ?? text(part.id) ?? "";
  const state = fields(part.state);
  const name = nonBlank(part.tool) ?? "tool";
  if (state.status === "pending" || native === "") return;
  announce(pass, native, name, state);
  if (state.status === "running") return toolProgress(pass, native, text(fields(state.metadata).output) ?? "");
  if (!ownValue(pass.state.tools, native)) return;
  endSubagent(pass, native, name, state);
  endTool(pass, native, endOf(state));
}

/** A running call is repeated for each bit of output; only a changed input is new. */
function announce(pass: Pass, native: string, name: string, state: Fields): void {
  const print = fingerprint(JSON.stringify(state.input ?? null));
  const known = ownValue(pass.state.tools, native);
  if (known?.input === print) return;
  startTool(pass, native, { name, input: state.input });
  const tool = ownValue(pass.state.tools, native);
  if (tool) pass.state.tools = { ...pass.state.tools, [native]: { ...tool, input: print } };
  if (!known && name === "task") startSubagent(pass, native, fields(state.input));
}

function endOf(state: Fields) {
  const metadata = fields(state.metadata);
  const { start, end } = fields(state.time);
  const exitCode = number(metadata.exit);
  const path = nonBlank(metadata.filepath) ?? nonBlank(fields(state.input).filePath);
  const diff = text(metadata.diff);
  const change = path && diff ? diffChange(path, diff, metadata.exists === false ? "add" : "update") : undefined;
  const failed = state.status === "error" || (exitCode ?? 0) !== 0;
  return compact({
    status: failed ? ("error" as const) : ("ok" as const),
    output: text(state.output) ?? text(state.error),
    exitCode,
    durationMs: number(start) === undefined || number(end) === undefined ? undefined : Number(end) - Number(start),
    changes: change ? [change] : undefined,
  });
}

function startSubagent(pass: Pass, native: string, input: Fields): void {
  const parent = toolItem(pass, native);
  const title = nonBlank(input.description) ?? "Subagent";
  pass.event("subagent.started", compact({ id: parent, parent, type: nonBlank(input.subagent_type), title }));
}

function endSubagent(pass: Pass, native: string, name: string, state: Fields): void {
  if (name !== "task") return;
  const status = state.status === "error" ? "error" : "ok";
  const summary = textBetween(text(state.output) ?? "", "<task_result>", "</task_result>")?.trim();
  pass.event("subagent.ended", compact({ id: toolItem(pass, native), status, summary } as const));
}
