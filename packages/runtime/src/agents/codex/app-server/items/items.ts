import { itemId, MAX_OPEN_CALLS, type Step } from "../../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  firstLine,
  nonBlank,
  ownValue,
  text,
  texts,
  withoutKey,
} from "../../../fields.ts";
import { runSteps } from "../../../steps.ts";
import { event, notice, raw } from "../../outputs.ts";
import { patchChanges, withoutLongDiffs } from "../../wire/changes.ts";
import { unwrapShell } from "../../wire/shell.ts";
import { type Tool, tools } from "../../wire/tools.ts";
import { CHANNEL, type State } from "../state.ts";
import { backgroundEnded } from "../terminals.ts";
import { turnStarted, userMessage } from "../turns.ts";
import { endCompaction, startCompaction } from "./compaction.ts";
import { collabCall, subagentActivity } from "./subagents.ts";
import { messageDone, reasoningDone } from "./texts.ts";

const COMMAND = 200;

/** Item types whose start is ignored. */
const silentStarts = ["agentMessage", "plan", "reasoning", "hookPrompt", "subAgentActivity", "exitedReviewMode"];

export function itemStarted(state: State, params: Fields, subagent: string | undefined, frame: unknown): Step<State> {
  const item = fields(params.item);
  const type = text(item.type) ?? "";
  const tool = ownValue(tools, type);
  const turn = text(params.turnId);
  return runSteps(
    state,
    (current) =>
      subagent || !turn || current.turn || isLate(current, params) ? [current, []] : turnStarted(current, turn),
    (current) => {
      if (tool && isFull(current.tools, item.id, MAX_OPEN_CALLS))
        return [current, [raw(CHANNEL, frame, "too many open tool calls")]];
      if (tool) return toolStarted(current, tool, item, subagent);
      if (type === "userMessage") return subagent ? [current, []] : userMessage(current, item);
      if (type === "contextCompaction") return startCompaction(current);
      if (type === "enteredReviewMode")
        return [current, [notice("review", "info", `Review: ${text(item.review) ?? ""}`)]];
      if (silentStarts.includes(type)) return [current, []];
      return [current, [raw(CHANNEL, frame, "unknown item type")]];
    },
  );
}

export function itemCompleted(state: State, params: Fields, subagent: string | undefined, frame: unknown): Step<State> {
  const item = fields(params.item);
  const type = text(item.type) ?? "";
  const running = ownValue(tools, type);
  const ended = running && backgroundEnded(state, item, (current) => toolEnded(current, running, item, subagent));
  if (ended) return ended;
  if (!subagent && isLate(state, params)) {
    const expected = state.stopped.includes(text(item.id) ?? "");
    return [state, expected ? [] : [raw(CHANNEL, frame, "item of a turn that has ended")]];
  }
  const tool = ownValue(tools, type);
  if (tool) return toolEnded(state, tool, item, subagent);
  switch (type) {
    case "agentMessage":
    case "plan":
      return messageDone(state, item, subagent);
    case "reasoning":
      return reasoningDone(state, item, subagent);
    case "userMessage":
    case "enteredReviewMode":
      return [state, []];
    case "contextCompaction":
      return subagent ? [state, []] : endCompaction(state, text(params.turnId));
    case "subAgentActivity":
      return subagentActivity(state, item);
    case "exitedReviewMode":
      return [state, [notice("review", "info", text(item.review) ?? "The review has ended.")]];
    case "hookPrompt":
      return [state, [notice("hook", "info", hookText(item))]];
    default:
      return [state, [raw(CHANNEL, frame, "unknown item type")]];
  }
}

/** Whether another entry would exceed the limit. */
export function isFull(open: object, native: unknown, limit: number): boolean {
  return !Object.hasOwn(open, text(native) ?? "") && Object.keys(open).length >= limit;
}

/** Whether the item belongs to an ended turn, such as a background command. */
export function isLate(state: State, params: Fields): boolean {
  const turn = text(params.turnId);
  if (turn === undefined || state.lastTurn === undefined) return false;
  return turn === state.lastTurn || (state.turn !== undefined && turn !== state.turn);
}

/** Handles a patch that changed while the model was writing it. */
export function patchUpdated(state: State, params: Fields): Step<State> {
  const native = text(params.itemId) ?? "";
  const changes = patchChanges(params.changes);
  const isOpen = Object.hasOwn(state.tools, native);
  const patches = isOpen ? { ...state.patches, [native]: withoutLongDiffs(changes) } : state.patches;
  const next = { ...state, patches };
  const input = { changes: changes.map(({ path, kind, to }) => compact({ path, kind, to })) };
  return [next, [event("tool.updated", { item: itemId(native), patch: { input } })]];
}

function toolStarted(state: State, tool: Tool, item: Fields, subagent?: string): Step<State> {
  const native = text(item.id) ?? "";
  if (Object.hasOwn(state.tools, native)) return [state, []];
  const terminal = text(item.processId);
  const terminals = terminal ? { ...state.terminals, [native]: terminal } : state.terminals;
  const command = terminal ? text(item.command) : undefined;
  const commands = command ? { ...state.commands, [native]: firstLine(unwrapShell(command), COMMAND) } : state.commands;
  const opened: State = {
    ...state,
    terminals,
    ...(commands ? { commands } : {}),
    tools: { ...state.tools, [native]: subagent ?? "" },
  };
  const next =
    item.type === "fileChange" ? { ...opened, patches: { ...state.patches, [native]: storedChanges(item) } } : opened;
  const started = event("tool.started", compact({ item: itemId(native), ...tool.start(item), parent: subagent }));
  if (item.type !== "collabAgentToolCall") return [next, [started]];
  return runSteps(
    next,
    (current) => [current, [started]],
    (current) => collabCall(current, item),
  );
}

function toolEnded(state: State, tool: Tool, item: Fields, subagent?: string): Step<State> {
  const native = text(item.id) ?? "";
  return runSteps(
    state,
    (current) => toolStarted(current, tool, item, subagent),
    (current) => (item.type === "collabAgentToolCall" ? collabCall(current, item) : [current, []]),
    (current) => {
      const [tools, terminals] = [withoutKey(current.tools, native), withoutKey(current.terminals, native)];
      const commands = current.commands && { commands: withoutKey(current.commands, native) };
      const next = { ...current, tools, terminals, ...commands, patches: withoutKey(current.patches, native) };
      const ended = event("tool.ended", { item: itemId(native), ...tool.end(item) });
      if (item.type !== "webSearch") return [next, [ended]];
      // The search terms are often known only at the end.
      const { title, input } = tool.start(item);
      return [next, [event("tool.updated", { item: itemId(native), patch: { title, input } }), ended]];
    },
  );
}

function storedChanges(item: Fields) {
  return withoutLongDiffs(patchChanges(item.changes));
}

function hookText(item: Fields): string {
  const fragments = Array.isArray(item.fragments)
    ? item.fragments.map((entry) => nonBlank(fields(entry).text) ?? "")
    : [];
  return [...texts(item.fragments), ...fragments].filter(Boolean).join("\n");
}
