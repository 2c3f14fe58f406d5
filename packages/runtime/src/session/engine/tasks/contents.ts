import { runningTasks, type SessionView, type Task } from "@gantry/protocol";
import type { StreamingItem } from "../state.ts";
import type { SessionStep } from "../step.ts";

/** Long chains of tool calls in tool calls do not occur; a cycle must not hang the engine. */
const DEEPEST = 20;

/** Whether a tool call, subagent or item is a running task, or is part of one. */
export function isInTask(view: SessionView, id: string | undefined): boolean {
  return taskOf(view, runningTasks(view), id) !== undefined;
}

function taskOf(view: SessionView, running: readonly Task[], id: string | undefined): string | undefined {
  let at = id;
  for (let depth = 0; running.length > 0 && at !== undefined && depth < DEEPEST; depth++) {
    const found = running.find(({ task, item }) => task === at || item === at);
    if (found) return found.task;
    at = parentOf(view, at);
  }
  return undefined;
}

function parentOf(view: SessionView, id: string): string | undefined {
  const tool = view.tools.find(({ item }) => item === id);
  return tool ? tool.parent : view.subagents.find((subagent) => subagent.id === id)?.parent;
}

/** A text that was streamed and never ended is stored as far as it came. */
export function closeTexts(step: SessionStep, isClosed: (text: StreamingItem) => boolean): void {
  for (const open of [...step.open.values()].filter(isClosed)) {
    const { item, channel, parent } = open;
    const data = { item, text: step.flushDelta(item, channel) ?? "", ...(parent === undefined ? {} : { parent }) };
    if (channel === "text") step.emit("message.done", data, { synthetic: true });
    if (channel === "reasoning") step.emit("reasoning.done", data, { synthetic: true });
    if (channel === "text" || channel === "reasoning") step.closeItem(item);
  }
}

/** Ends what is open in a task, marked `synthetic`. */
export function closeContents(step: SessionStep, task: string): void {
  const { view } = step;
  const running = runningTasks(view);
  const isInside = (id: string | undefined) => taskOf(view, running, id) === task;
  for (const { id } of view.inputs.filter((input) => isInside(input.item))) {
    const reason = "the task that asked has ended";
    step.emit("input.resolved", { id, decision: "cancel", by: "gantry", reason }, { synthetic: true });
  }
  closeTexts(step, ({ parent }) => isInside(parent));
  for (const { item } of view.tools.filter((tool) => isInside(tool.item))) {
    const output = step.flushDelta(item, "output");
    step.closeItem(item);
    step.emit("tool.ended", { item, status: "interrupted", output }, { synthetic: true });
  }
  for (const { id } of view.subagents.filter((subagent) => isInside(subagent.id))) {
    step.emit("subagent.ended", { id, status: "interrupted" }, { synthetic: true });
  }
}
