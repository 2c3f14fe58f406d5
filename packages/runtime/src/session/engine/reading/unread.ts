import { type Draft, type Failure, failure } from "@gantry/protocol";
import type { Frame } from "../../../agents/contract.ts";
import type { Conversation } from "../state.ts";
import type { SessionStep } from "../step.ts";

/*
 * Output that the decoder cannot read. Each line becomes a `raw` event up to a limit; after it they are counted and
 * summarised. If a deadline passes later, the unread lines are the reason that the user gets.
 */

/** Raw events of one turn that are stored one by one. */
const MAX_RAW = 200;
/** A summary is written at the latest after this many lines. */
const MAX_COLLAPSED = 10_000;
const PREVIEW = 160;

/** A frame had a raw event as its result. A message of an unknown kind was read: newer versions send others. */
export function noteUnread(step: SessionStep, frame: Frame): void {
  const { conversation } = step;
  if (!conversation || frame.dir !== "out" || isNamed(frame) || isEmptyBatch(frame)) return;
  const { lines = 0, first = "" } = conversation.unread ?? {};
  // Noise such as a log message does not suggest that a message was lost.
  const isMessage = !("text" in frame) || isJson(frame.text);
  const isFirst = lines === 0 || (isMessage && !isJson(first));
  conversation.unread = { lines: lines + 1, first: isFirst ? preview(textOf(frame)) : first };
  if (isMessage) step.signals.unread = true;
}

function isJson(line: string): boolean {
  return /^[\s\ufeff]*[[{]/.test(line);
}

/** The fields in which messages of the dialects name their kind. A response of JSON-RPC has none of them. */
const KINDS = ["method", "type", "role"];

function isNamed(frame: Frame): boolean {
  if (!("msg" in frame)) return false;
  const message = (frame.msg ?? {}) as Record<string, unknown>;
  return KINDS.some((name) => typeof message[name] === "string");
}

/** An array without messages: nothing is lost if it is not read. */
function isEmptyBatch(frame: Frame): boolean {
  return "msg" in frame && Array.isArray(frame.msg) && frame.msg.length === 0;
}

function textOf(frame: Frame): string {
  if ("text" in frame) return frame.text;
  if ("oversize" in frame) return frame.head;
  return "msg" in frame ? JSON.stringify(frame.msg) : "";
}

/** A line that no decoder could process. The decoder's state is the one before the line. */
export function quarantineLine(step: SessionStep, line: { text: string; reason: string; end: number }): void {
  const { text, reason, end } = line;
  storeRaw(step, { type: "raw", data: { channel: "engine", frame: text.slice(0, 4096), reason } });
  noteUnread(step, { dir: "out", text });
  step.signals.received = true;
  step.signals.unread = true;
  step.needsMark = true;
  if (step.conversation) step.conversation.offset = end;
}

/** Stores a raw event, or counts it when the turn has many of them. */
export function storeRaw(step: SessionStep, event: Draft<"raw">): void {
  const { conversation, view } = step;
  const { stored, collapsed } = conversation?.rawCount ?? { stored: 0 };
  if (!conversation || stored < MAX_RAW) {
    if (conversation) conversation.rawCount = { stored: stored + 1, ...(collapsed ? { collapsed } : {}) };
    return step.record(view.turn && event.turn === undefined ? { ...event, turn: view.turn.id } : event);
  }
  const { frame } = event.data;
  const text = typeof frame === "string" ? frame : JSON.stringify(frame);
  const { lines = 0, bytes = 0, first = preview(text) } = collapsed ?? {};
  const next = { lines: lines + 1, bytes: bytes + text.length, first, last: preview(text) };
  conversation.rawCount = { stored, collapsed: next };
  if (next.lines >= MAX_COLLAPSED) summariseRaw(step);
}

/** Writes the summary of the raw events that were counted only. The spool holds their lines. */
export function summariseRaw(step: SessionStep): void {
  const { conversation } = step;
  const { stored = 0, collapsed } = conversation?.rawCount ?? {};
  if (!conversation || !collapsed) return;
  conversation.rawCount = { stored };
  step.emit("raw", {
    channel: "engine",
    frame: collapsed,
    reason: `${collapsed.lines} more lines, not stored one by one`,
  });
}

/** A prompt was sent: what the process printed before is not the reason for what follows. */
export function forgetUnread(conversation: Conversation): void {
  conversation.unread = undefined;
  conversation.unfinished = undefined;
  conversation.rawCount = conversation.rawCount?.collapsed
    ? { stored: 0, collapsed: conversation.rawCount.collapsed }
    : undefined;
}

/** The failure of a wait during which the process printed something that could not be read. */
export function unreadFailure(conversation: Conversation | undefined, wait: string): Failure | undefined {
  const { unread, unfinished } = conversation ?? {};
  const remedy =
    "The agent does not follow its protocol. Check its version and its command; its output is in the raw events.";
  if (unread) {
    const lines = unread.lines === 1 ? "one line" : `${unread.lines} lines`;
    return failure("protocol", `${wait} It printed ${lines} that Gantry cannot read, such as: ${unread.first}`, remedy);
  }
  if (!unfinished) return undefined;
  const half = `It printed ${unfinished.bytes} bytes of a line that has no end: ${preview(unfinished.head)}`;
  return failure("protocol", `${wait} ${half}`, remedy);
}

function preview(line: string): string {
  const start = line.trim().slice(0, PREVIEW);
  return line.length > PREVIEW ? `${start}…` : start;
}
