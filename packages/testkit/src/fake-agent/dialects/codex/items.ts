import { randomBytes } from "node:crypto";
import { inFolder, previewChange, type ToolCall, type ToolOutcome } from "@gantry/scripted/agent";
import type { Json } from "@gantry/scripted/json";

/** Whether this call is a patch. All other calls are commands. */
export function isPatch({ step }: ToolCall): boolean {
  return step.do === "write" || step.do === "edit";
}

/** A tool call as Codex's item: a file change for writes and edits, a command for all else. */
export function toolItem(call: ToolCall, cwd: string, outcome: ToolOutcome | null): Json {
  const times = { startedAtMs: call.startedAt, completedAtMs: outcome ? Date.now() : null };
  return isPatch(call) ? patchItem(call, cwd, outcome, times) : commandItem(call, cwd, outcome, times);
}

export function commandLine({ step }: ToolCall): string {
  return `/bin/bash -lc '${step.do === "run" ? step.command : step.do === "read" ? `cat ${step.path}` : ""}'`;
}

export function commandActions(call: ToolCall): Json[] {
  const { step } = call;
  if (step.do === "read") return [{ type: "read", command: `cat ${step.path}`, name: step.path, path: step.path }];
  return [{ type: "unknown", command: step.do === "run" ? step.command : "" }];
}

/** One unified diff of all changes of a turn, in git's format. */
export function gitDiff(changes: Iterable<{ path: string; kind: string; diff: string }>, cwd: string): string {
  return [...changes].map((change) => fileDiff(change, cwd)).join("");
}

function fileDiff(change: { path: string; kind: string; diff: string }, cwd: string): string {
  const name = change.path.startsWith(`${cwd}/`) ? change.path.slice(cwd.length + 1) : change.path;
  const blob = randomBytes(20).toString("hex");
  const head =
    change.kind === "add"
      ? `new file mode 100644\nindex ${"0".repeat(40)}..${blob}\n`
      : `index ${blob}..${blob} 100644\n`;
  return `diff --git a/${name} b/${name}\n${head}${change.diff}`;
}

function patchItem(call: ToolCall, cwd: string, outcome: ToolOutcome | null, times: Json): Json {
  const { step } = call;
  const change = outcome?.change ?? previewChange(step, cwd);
  const path = step.do === "run" ? "" : inFolder(cwd, step.path);
  const added = change?.kind === "add" && step.do === "write";
  const kind = added ? { type: "add" } : { type: "update", move_path: null };
  const diff = added ? step.content : (change?.diff.split("\n").slice(2).join("\n") ?? "");
  return { type: "fileChange", id: call.item, changes: [{ path, kind, diff }], status: statusOf(outcome), ...times };
}

function commandItem(call: ToolCall, cwd: string, outcome: ToolOutcome | null, times: Json): Json {
  return {
    type: "commandExecution",
    id: call.item,
    pluginId: null,
    scriptPath: null,
    command: commandLine(call),
    cwd,
    processId: outcome ? "4242" : null,
    source: outcome ? "unifiedExecStartup" : "agent",
    status: statusOf(outcome),
    commandActions: commandActions(call),
    aggregatedOutput: outcome?.output ?? null,
    exitCode: outcome ? (outcome.exitCode ?? (outcome.status === "ok" ? 0 : null)) : null,
    durationMs: outcome?.durationMs ?? null,
    ...times,
  };
}

function statusOf(outcome: ToolOutcome | null): string {
  if (!outcome) return "inProgress";
  return { ok: "completed", error: "failed", denied: "declined", interrupted: "failed" }[outcome.status];
}
