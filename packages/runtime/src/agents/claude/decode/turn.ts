import type { Output } from "../../contract.ts";
import { withoutKey } from "../../fields.ts";
import { notice } from "../outputs.ts";
import { MAIN, type Pass, type Sent } from "./state.ts";

/** Begins a turn. `named` are the UUIDs that the turn is about; older versions do not report them. */
export function beginTurn(pass: Pass, named?: string[]): void {
  const { state } = pass;
  state.prompted = false;
  if (state.turn) return;
  const messages = named ?? presumedMessages(state.sent);
  state.turn = { messages, hasOutput: false };
  pass.emit({ kind: "begin", messages: ids(state.sent, messages) });
  for (const entry of state.sent) if (entry.accepted && messages.includes(entry.uuid)) takenUp(pass, entry.uuid);
}

/** The messages accepted since the last turn, or else the oldest one. */
function presumedMessages(sent: Sent[]): string[] {
  const accepted = sent.filter((entry) => entry.accepted).map((entry) => entry.uuid);
  return accepted.length > 0 ? accepted : sent.slice(0, 1).map((entry) => entry.uuid);
}

function ids(sent: Sent[], uuids: string[]): string[] {
  return sent.flatMap((entry) => (uuids.includes(entry.uuid) && entry.message ? [entry.message] : []));
}

/** Claude received the frame. */
export function recordReceived(pass: Pass, uuid: string): void {
  change(pass, uuid, (entry) => acknowledge(pass, entry));
}

/** Claude processes this message, in the running turn or the next one. */
export function takenUp(pass: Pass, uuid: string): void {
  change(pass, uuid, (entry) => {
    const seen = acknowledge(pass, entry);
    const { turn } = pass.state;
    if (!turn) return { ...seen, accepted: true };
    const inline = !turn.messages.includes(uuid);
    if (inline) pass.state.turn = { ...turn, messages: [...turn.messages, uuid] };
    return confirmTaken(pass, seen, inline);
  });
}

/**
 * Claude replayed a message. Outside a turn this means that Claude already processed it, if it was part of a turn or
 * was sent by an earlier process.
 */
export function recordReplayed(pass: Pass, uuid: string): void {
  const { turn, turns, resumes, sent, done } = pass.state;
  const fresh = sent.some((entry) => entry.uuid === uuid && !entry.accepted);
  const old = done.includes(uuid) || (turns === 0 && resumes !== undefined);
  if (!turn && fresh && old) return alreadyHad(pass, uuid);
  takenUp(pass, uuid);
}

/** Claude finished a message. Without a turn, it was processed before this process started. */
export function recordCompleted(pass: Pass, uuid: string): void {
  if (!pass.state.turn && pass.state.sent.some((entry) => entry.uuid === uuid)) alreadyHad(pass, uuid);
}

const ALREADY_HAD =
  "Claude Code already has this message in its conversation and does not process it again. Send it as a new message to get an answer.";

function alreadyHad(pass: Pass, uuid: string): void {
  beginTurn(pass, [uuid]);
  pass.emit(notice("repeated", "warning", ALREADY_HAD));
  finish(pass, { outcome: "completed", reason: "already_had" });
}

/** We asked Claude to give a message back; its removal from the queue is then the answer, not a loss. */
export function markRetracting(pass: Pass, uuid: string, retracting: boolean): void {
  change(pass, uuid, (entry) => ({ ...entry, retracting }));
}

/** Claude answered whether it gave the message back. Otherwise it has read the message, or is about to. */
export function recordRetracted(pass: Pass, uuid: string, ok: boolean): void {
  const entry = pass.state.sent.find((sent) => sent.uuid === uuid);
  if (ok) pass.state.sent = pass.state.sent.filter((sent) => sent !== entry);
  else markRetracting(pass, uuid, false);
  if (entry?.message) pass.emit({ kind: "retracted", message: entry.message, ok });
}

/** Claude discarded an unprocessed message. */
export function recordCancelled(pass: Pass, uuid: string): void {
  const entry = pass.state.sent.find((sent) => sent.uuid === uuid);
  if (!entry || entry.taken || entry.retracting || pass.state.turn?.messages.includes(uuid)) return;
  acknowledge(pass, entry);
  pass.state.sent = pass.state.sent.filter((sent) => sent !== entry);
  if (entry.message) pass.emit({ kind: "dropped", message: entry.message, reason: "the agent cancelled it" });
}

/** Frames are resent soon or not at all. */
const REMEMBERED = 10;

/** Ends the running turn, beginning one if necessary. Background subagents may continue. */
export function finish(pass: Pass, end: Omit<Extract<Output, { kind: "finish" }>, "kind">): void {
  beginTurn(pass);
  const { state } = pass;
  const over = state.turn?.messages ?? [];
  for (const entry of state.sent.filter((sent) => over.includes(sent.uuid)))
    confirmTaken(pass, acknowledge(pass, entry), false);
  state.sent = state.sent.filter((sent) => !over.includes(sent.uuid));
  state.done = [...state.done.filter((uuid) => !over.includes(uuid)), ...over].slice(-REMEMBERED);
  state.turn = undefined;
  state.turns++;
  state.messages = withoutKey(state.messages, MAIN);
  pass.emit({ kind: "finish", ...end });
}

function change(pass: Pass, uuid: string, to: (entry: Sent) => Sent): void {
  pass.state.sent = pass.state.sent.map((entry) => (entry.uuid === uuid ? to(entry) : entry));
}

function acknowledge(pass: Pass, entry: Sent): Sent {
  if (entry.acked) return entry;
  pass.emit({ kind: "ack", key: entry.message ?? entry.uuid });
  return { ...entry, acked: true };
}

function confirmTaken(pass: Pass, entry: Sent, inline: boolean): Sent {
  if (entry.taken) return entry;
  if (entry.message) pass.emit({ kind: "taken", message: entry.message, inline });
  return { ...entry, taken: true };
}
