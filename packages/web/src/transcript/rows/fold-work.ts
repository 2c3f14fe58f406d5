import type { Envelope, EventData } from "@gantry/protocol";
import type { SubagentRow, ToolRow } from "./row.ts";
import { itemKey, type RowTree } from "./row-tree.ts";

/**
 * A tool call is one row from start to end. A call that started before the window has no row: it would visibly move when
 * its start is loaded.
 */
export function foldTool(tree: RowTree, event: Envelope<"tool.started" | "tool.updated" | "tool.ended">): void {
  const key = itemKey(event.data.item);
  if (event.type === "tool.started") {
    tree.setRowFor(event.data.item, key);
    return tree.append(startedTool(key, event), event.data.parent);
  }
  if (event.type === "tool.ended" && event.data.changes?.length && event.turn)
    tree.turn(event.turn).changes.push(event);
  const delegated = tree.find("subagent", key);
  if (delegated) return tree.replace({ ...delegated, events: [...delegated.events, event] });
  const row = tree.find("tool", key);
  if (row) tree.replace({ ...updateTool(row, event), events: [...row.events, event] });
}

function startedTool(key: string, event: Envelope<"tool.started">): ToolRow {
  const { item, name, kind: tool, title, input, locations = [], mcp } = event.data;
  return { kind: "tool", key, events: [event], item, name, tool, title, input, locations, mcp, changes: [] };
}

function updateTool(row: ToolRow, event: Envelope<"tool.updated" | "tool.ended">): ToolRow {
  if (event.type === "tool.updated") return { ...row, ...withoutUndefined(event.data.patch) };
  const { status, output = row.output, exitCode, durationMs, changes = [] } = event.data;
  return { ...row, status, output, exitCode, durationMs, changes };
}

function withoutUndefined(patch: EventData<"tool.updated">["patch"]): Partial<ToolRow> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

/** A subagent replaces the row of the tool call that started it. */
export function foldSubagent(
  tree: RowTree,
  event: Envelope<"subagent.started" | "subagent.updated" | "subagent.ended">,
): void {
  const { id } = event.data;
  if (event.type === "subagent.started") return startSubagent(tree, event);
  const key = tree.rowFor(id);
  const row = key === undefined ? undefined : tree.find("subagent", key);
  if (!row) return;
  const { progress, status, summary, usage } = event.data as Partial<EventData<"subagent.ended">> & {
    progress?: unknown;
  };
  const more = event.type === "subagent.updated" ? { progress } : { status, summary, usage };
  tree.replace({ ...row, ...more, events: [...row.events, event] });
}

function startSubagent(tree: RowTree, event: Envelope<"subagent.started">): void {
  const { id, parent, type, title, model } = event.data;
  const call = parent === undefined ? undefined : tree.find("tool", itemKey(parent));
  const key = call?.key ?? `subagent:${id}`;
  const events = [...(call?.events ?? []), event];
  const row: SubagentRow = { kind: "subagent", key, events, id, title, type, model };
  tree.setRowFor(id, key);
  if (call) tree.replace(row);
  else tree.append(row, parent);
}

/** Updates of a plan with the same steps change its row; other steps start a new row. */
export function foldPlan(tree: RowTree, event: Envelope<"plan.updated">): void {
  const plan = event.data;
  const turn = tree.turn(event.turn ?? "");
  const last = turn.plan === undefined ? undefined : tree.find("plan", turn.plan);
  if (last && stepsOf(last.plan) === stepsOf(plan))
    return tree.replace({ ...last, plan, events: [...last.events, event] });
  turn.plan = `seq:${event.seq}`;
  tree.append({ kind: "plan", key: turn.plan, events: [event], plan });
}

function stepsOf({ entries }: EventData<"plan.updated">): string {
  return JSON.stringify(entries.map((entry) => entry.text));
}
