import type { EventData } from "@gantry/protocol";
import { compact, fields, fingerprint, newestEntries, ownValue, withoutKey } from "../fields.ts";
import type { OpenTool, Pass } from "./pass.ts";
import { plannedChanges, storableChanges } from "./reading/changes.ts";
import { readPlan } from "./reading/plan.ts";
import { commandOf, describeTool, exitCodeIn, type ToolDetails } from "./reading/tools.ts";

const MAX_OPEN = 40;
const MAX_COMMAND = 500;

/** A tool call as announced. Missing details are derived from its name and input. */
export type Call = Partial<ToolDetails> & { name: string; input: unknown; parent?: string };

export type CallEnd = Omit<EventData<"tool.ended">, "item">;

export function toolItem(pass: Pass, native: string): string {
  return pass.item(native);
}

/** Starts a tool call. A repeated announcement updates the running call. */
export function startTool(pass: Pass, native: string, { name, input, parent, ...details }: Call): void {
  const { state } = pass;
  const item = toolItem(pass, native);
  const known = ownValue(state.tools, native);
  const described = { ...describeTool(name, fields(input)), ...compact(details) };
  state.tools = newestEntries(
    { ...state.tools, [native]: { ...known, ...openTool(item, name, input, described) } },
    MAX_OPEN,
  );
  Object.assign(state, { worked: true, failure: undefined });
  if (!known) return pass.event("tool.started", compact({ item, name, input, parent, ...described }));
  const { title, locations } = described;
  pass.event("tool.updated", { item, patch: compact({ title, input, locations }) });
}

function openTool(item: string, name: string, input: unknown, { kind }: ToolDetails): OpenTool {
  const wanted = kind === "edit" ? plannedChanges(fields(input)) : undefined;
  const plan = kind === "think" ? readPlan(fields(input)) : undefined;
  const command = kind === "execute" ? commandOf(fields(input))?.slice(0, MAX_COMMAND) : undefined;
  return compact({ item, name, kind, command, changes: wanted && storableChanges(wanted), plan });
}

/** Publishes a chunk of a tool's output. */
export function toolOutput(pass: Pass, native: string, piece: string): void {
  const tool = ownValue(pass.state.tools, native);
  if (tool && piece !== "") pass.emit({ kind: "delta", item: tool.item, channel: "output", text: piece });
}

/** Publishes the growth of a tool's cumulative output. Output that was truncated at the front is ignored. */
export function toolProgress(pass: Pass, native: string, soFar: string): void {
  const { state } = pass;
  const tool = ownValue(state.tools, native);
  if (!tool) return;
  const { length, print } = tool.shown ?? { length: 0, print: fingerprint("") };
  if (soFar.length <= length || fingerprint(soFar.slice(0, length)) !== print) return;
  const shown = { length: soFar.length, print: fingerprint(soFar) };
  state.tools = { ...state.tools, [native]: { ...tool, shown } };
  toolOutput(pass, native, soFar.slice(length));
}

/** Publishes a chunk of a tool call's input while the model writes it. */
export function toolInput(pass: Pass, native: string, piece: string): void {
  if (piece !== "") pass.emit({ kind: "delta", item: toolItem(pass, native), channel: "input", text: piece });
}

/** Marks a call as denied by the user, for its end. */
export function denyTool(pass: Pass, native: string): void {
  const tool = ownValue(pass.state.tools, native);
  if (tool) pass.state.tools = { ...pass.state.tools, [native]: { ...tool, denied: true } };
}

const REFUSED =
  /denied by (the )?user|user (has )?(rejected|denied|declined)|rejected permission|\[Operation Cancelled\]|requires approval|permission denied because|tool call denied/i;
const ABORTED = /command aborted|user aborted|interrupted by user|request was aborted|session closed$/i;

/** Ends a tool call. A call that is not open has ended already. */
export function endTool(pass: Pass, native: string, end: CallEnd): void {
  const { state } = pass;
  const tool = ownValue(state.tools, native);
  if (!tool) return;
  state.tools = withoutKey(state.tools, native);
  const output = typeof end.output === "string" ? end.output : undefined;
  const status = end.status === "ok" ? "ok" : failedStatus(tool, end.status, output);
  const exitCode = end.exitCode ?? exitCodeIn(output);
  const changes = end.changes ?? (status === "ok" ? tool.changes : undefined);
  pass.event("tool.ended", compact({ item: tool.item, ...end, status, exitCode, changes }));
  if (status === "ok" && tool.plan) pass.event("plan.updated", { entries: tool.plan });
}

function failedStatus(tool: OpenTool, status: CallEnd["status"], output = ""): CallEnd["status"] {
  if (status !== "error") return status;
  if (tool.denied || REFUSED.test(output)) return "denied";
  return ABORTED.test(output) ? "interrupted" : "error";
}
