import { type Draft, draft, type PendingInput, type SessionView, type TurnOutcome } from "@gantry/protocol";
import { type DecoderEvent, MAX_OPEN_CALLS, type Output } from "../../agents/contract.ts";
import { storeRaw } from "./reading/unread.ts";
import type { SessionStep } from "./step.ts";
import { closeTexts, isInTask } from "./tasks/contents.ts";

/*
 * Law 3 for everything inside a turn: each tool, text and subagent has one start and one end, no matter what the agent
 * repeats or omits. Those that belong to a background task outlive the turn (`tasks/`).
 */

/** A piece of an item. Pieces of a closed item, or outside a turn, are late and dropped: the item's event has the text. */
export function streamDelta(step: SessionStep, delta: Extract<Output, { kind: "delta" }>): void {
  const { item, channel, text, parent } = delta;
  const isWanted = step.view.turn || isToolOpen(step, item) || isInTask(step.view, parent);
  if (!isWanted || step.hasClosed(item)) return;
  if (step.open.size >= MAX_OPEN_STREAMS && !step.open.has(`${item} ${channel}`))
    return storeRaw(step, draft("raw", { channel: "engine", frame: { type: "delta", item, text }, reason: TOO_MANY }));
  step.delta(item, channel, text, parent);
}

export function startTool(step: SessionStep, event: Draft<"tool.started">): void {
  const { item, title, input, locations, parent } = event.data;
  if (!mayStart(step, parent) || step.hasClosed(item)) return recordRaw(step, event);
  // Only a model that answered calls a tool.
  step.context.gate?.answered(step.view);
  if (!isToolOpen(step, item)) {
    return isFull(step.view.tools) ? recordRaw(step, event, TOO_MANY) : step.record(inTurn(step.view, event));
  }
  step.emit("tool.updated", { item, patch: { title, input, locations } });
}

export function updateTool(step: SessionStep, event: Draft<"tool.updated">): void {
  if (isToolOpen(step, event.data.item)) step.record(inTurn(step.view, event));
}

/** An end without an open start repeats an earlier end and is dropped, unless its start was too much. */
export function endTool(step: SessionStep, event: Draft<"tool.ended">): void {
  if (!isToolOpen(step, event.data.item)) {
    if (isFull(step.view.tools) && !step.hasClosed(event.data.item)) recordRaw(step, event, TOO_MANY);
    return;
  }
  // Without an output in the event, the streamed one is all that subscribers get.
  if (event.data.output === undefined) step.flushDelta(event.data.item, "output");
  step.closeItem(event.data.item);
  step.record(inTurn(step.view, event));
}

export function startSubagent(step: SessionStep, event: Draft<"subagent.started">): void {
  const { id, parent } = event.data;
  const isAllowed = mayStart(step, id) || mayStart(step, parent);
  if (!isAllowed || isSubagentOpen(step, id)) return recordRaw(step, event);
  if (isFull(step.view.subagents)) return recordRaw(step, event, TOO_MANY);
  step.record(inTurn(step.view, event));
}

export function changeSubagent(step: SessionStep, event: Draft<"subagent.updated" | "subagent.ended">): void {
  if (isSubagentOpen(step, event.data.id)) step.record(inTurn(step.view, event));
}

/**
 * Subscribers to the deltas get the whole text before the event that ends it. If the streamed part is not its beginning,
 * because a piece was lost or the agent changed the text, the part is retracted and the text gets another item.
 */
export function endText(step: SessionStep, event: Draft<"message.done" | "reasoning.done">): void {
  const { item, text } = event.data;
  if (step.hasClosed(item)) return recordRaw(step, event);
  const channel = event.type === "message.done" ? "text" : "reasoning";
  const streamed = step.open.get(`${item} ${channel}`)?.text;
  const isWanted = step.view.turn !== undefined || isInTask(step.view, event.data.parent);
  const isBeginning = streamed === undefined || text.startsWith(streamed);
  if (streamed !== undefined && isWanted && isBeginning) step.flushDelta(item, channel, text.slice(streamed.length));
  step.closeItem(item);
  if (isBeginning) return step.record(inTurn(step.view, event));
  const again = `${item}.again`;
  step.record(inTurn(step.view, draft("message.retracted", { items: [item], reason: "the completed text differs" })));
  step.closeItem(again);
  step.record(inTurn(step.view, { ...event, data: { ...event.data, item: again } } as typeof event));
}

export function retractMessages(step: SessionStep, event: Draft<"message.retracted">): void {
  for (const item of event.data.items) step.closeItem(item);
  step.record(inTurn(step.view, event));
}

/** The key of a plan that the engine asks about after the turn, followed by the item. */
export const PROPOSAL = "gantry:plan:";

export function isProposal({ native }: PendingInput): boolean {
  return native?.startsWith(PROPOSAL) === true;
}

/**
 * Ends every open tool, text, subagent and input that is not part of a running task, marked `synthetic`. A proposed plan
 * outlives the turn and the process.
 */
export function closeOpenItems(step: SessionStep, reason: string): void {
  const { view } = step;
  for (const input of view.inputs.filter((entry) => !isInTask(view, entry.item) && !isProposal(entry))) {
    step.emit("input.resolved", { id: input.id, decision: "cancel", by: "gantry", reason }, { synthetic: true });
  }
  const texts = [...step.open.values()].filter(({ parent }) => isInTask(view, parent));
  const tools = view.tools.filter(({ item }) => isInTask(view, item));
  const inTask = new Set([...texts, ...tools].map(({ item }) => item));
  closeTexts(step, ({ item }) => !inTask.has(item));
  for (const tool of view.tools.filter(({ item }) => !inTask.has(item))) {
    const output = step.flushDelta(tool.item, "output");
    step.closeItem(tool.item);
    step.emit("tool.ended", { item: tool.item, status: "interrupted", output }, { synthetic: true });
  }
  for (const { id } of view.subagents.filter((subagent) => !isInTask(view, subagent.id))) {
    step.emit("subagent.ended", { id, status: "interrupted" }, { synthetic: true });
  }
  for (const [key, { item }] of [...step.open]) if (!inTask.has(item)) step.open.delete(key);
}

/** An event that belongs to the running turn, unless it names another. */
export function inTurn<T extends Draft>(view: SessionView, event: T): T {
  return view.turn && event.turn === undefined ? { ...event, turn: view.turn.id } : event;
}

/** A repeated event, or one after the end of its turn, is stored as raw. */
function recordRaw(
  step: SessionStep,
  { type, data }: Draft<DecoderEvent>,
  reason = step.view.turn ? "repeated" : "after the end of the turn",
): void {
  storeRaw(step, draft("raw", { channel: "engine", frame: { type, data }, reason }));
}

const TOO_MANY = "too many are open";
/** A text is one stream, a tool call up to two. */
const MAX_OPEN_STREAMS = 2 * MAX_OPEN_CALLS;

function isFull(open: readonly unknown[]): boolean {
  return open.length >= MAX_OPEN_CALLS;
}

/** Work starts in a turn, or as part of a running task. */
function mayStart({ view }: SessionStep, parent: string | undefined): boolean {
  return view.turn !== undefined || isInTask(view, parent);
}

function isToolOpen(step: SessionStep, item: string): boolean {
  return step.view.tools.some((tool) => tool.item === item);
}

function isSubagentOpen(step: SessionStep, id: string): boolean {
  return step.view.subagents.some((subagent) => subagent.id === id);
}

/** Messages that were sent and that the agent never started on go back to the head of the queue, in their order. */
export function requeueUndelivered(step: SessionStep): void {
  for (const { message } of [...step.view.sent].reverse()) {
    step.emit("message.delivery", { message, state: "queued", position: 0, reason: "the agent had not started on it" });
  }
}

/**
 * The agent has the message: `inline` in the running turn, else in another turn. A message that was withdrawn counts if
 * the agent read it in the turn; otherwise it stays queued.
 */
export function confirmDelivery(step: SessionStep, message: string, inline: boolean): void {
  const { sent, queue, turn } = step.view;
  const isRead = inline && turn !== undefined && queue.some((entry) => entry.message === message);
  if (!isRead && !sent.some((entry) => entry.message === message)) return;
  step.emit("message.delivery", { message, state: inline ? "inline" : "delivered" });
}

/** Ends the messages of a turn that the agent never confirmed: a completed turn shows that it had them. */
export function settleDeliveries(
  step: SessionStep,
  turn: string,
  end: { outcome: TurnOutcome; reason?: string; error?: { message: string } },
): void {
  for (const { message } of step.view.sent.filter((entry) => entry.turn === turn)) {
    if (end.outcome === "completed") {
      step.emit("message.delivery", { message, state: "delivered" });
      continue;
    }
    const state = end.outcome === "interrupted" ? "cancelled" : "failed";
    step.emit("message.delivery", { message, state, reason: end.error?.message ?? end.reason });
  }
}
