import type { Output } from "../../contract.ts";
import { without } from "../../fields.ts";
import { notice } from "../outputs.ts";
import { MAIN, type Pass, type Sent } from "./state.ts";

/** Claude works. `named` are the UUIDs that it says the turn is about; older versions leave that to be concluded. */
export function begin(pass: Pass, named?: string[]): void {
  const { state } = pass;
  state.prompted = false;
  if (state.turn) return;
  const messages = named ?? presumed(state.sent);
  state.turn = { messages, said: false };
  pass.emit({ kind: "begin", messages: ids(state.sent, messages) });
  for (const entry of state.sent) if (entry.accepted && messages.includes(entry.uuid)) takenUp(pass, entry.uuid);
}

/** What Claude took up since the last turn, or else what has waited longest. */
function presumed(sent: Sent[]): string[] {
  const accepted = sent.filter((entry) => entry.accepted).map((entry) => entry.uuid);
  return accepted.length > 0 ? accepted : sent.slice(0, 1).map((entry) => entry.uuid);
}

function ids(sent: Sent[], uuids: string[]): string[] {
  return sent.flatMap((entry) => (uuids.includes(entry.uuid) && entry.message ? [entry.message] : []));
}

/** Claude has the frame, whatever it does with it. */
export function received(pass: Pass, uuid: string): void {
  change(pass, uuid, (entry) => acked(pass, entry));
}

/** Claude works on this message: in the running turn, or in the one that is about to begin. */
export function takenUp(pass: Pass, uuid: string): void {
  change(pass, uuid, (entry) => {
    const seen = acked(pass, entry);
    const { turn } = pass.state;
    if (!turn) return { ...seen, accepted: true };
    const inline = !turn.messages.includes(uuid);
    if (inline) pass.state.turn = { ...turn, messages: [...turn.messages, uuid] };
    return taken(pass, seen, inline);
  });
}

/**
 * Claude repeats a message to us. Outside of a turn that means that it is old to Claude, if it was in a turn before or
 * nothing but an earlier process can have sent it.
 */
export function replayed(pass: Pass, uuid: string): void {
  const { turn, turns, resumes, sent, done } = pass.state;
  const fresh = sent.some((entry) => entry.uuid === uuid && !entry.accepted);
  const old = done.includes(uuid) || (turns === 0 && resumes !== undefined);
  if (!turn && fresh && old) return alreadyHad(pass, uuid);
  takenUp(pass, uuid);
}

/** Claude is done with a message. If no turn told of it, it had been worked on before this process started. */
export function completed(pass: Pass, uuid: string): void {
  if (!pass.state.turn && pass.state.sent.some((entry) => entry.uuid === uuid)) alreadyHad(pass, uuid);
}

const ALREADY_HAD =
  "Claude Code has this message in its conversation already and does not work on it again. Send it anew to have it answered.";

function alreadyHad(pass: Pass, uuid: string): void {
  begin(pass, [uuid]);
  pass.emit(notice("repeated", "warning", ALREADY_HAD));
  finish(pass, { outcome: "completed", reason: "already_had" });
}

/** Claude threw a message away that it had not begun with. */
export function cancelled(pass: Pass, uuid: string): void {
  const entry = pass.state.sent.find((sent) => sent.uuid === uuid);
  if (!entry || entry.taken || pass.state.turn?.messages.includes(uuid)) return;
  acked(pass, entry);
  pass.state.sent = pass.state.sent.filter((sent) => sent !== entry);
  if (entry.message) pass.emit({ kind: "dropped", message: entry.message, reason: "the agent cancelled it" });
}

/** A frame is sent again soon or never. */
const REMEMBERED = 10;

/** Ends the running turn; without one, it is begun first. Subagents in the background may go on after it. */
export function finish(pass: Pass, end: Omit<Extract<Output, { kind: "finish" }>, "kind">): void {
  begin(pass);
  const { state } = pass;
  const over = state.turn?.messages ?? [];
  for (const entry of state.sent.filter((sent) => over.includes(sent.uuid))) taken(pass, acked(pass, entry), false);
  state.sent = state.sent.filter((sent) => !over.includes(sent.uuid));
  state.done = [...state.done.filter((uuid) => !over.includes(uuid)), ...over].slice(-REMEMBERED);
  state.turn = undefined;
  state.turns++;
  state.messages = without(state.messages, MAIN);
  pass.emit({ kind: "finish", ...end });
}

function change(pass: Pass, uuid: string, to: (entry: Sent) => Sent): void {
  pass.state.sent = pass.state.sent.map((entry) => (entry.uuid === uuid ? to(entry) : entry));
}

function acked(pass: Pass, entry: Sent): Sent {
  if (entry.acked) return entry;
  pass.emit({ kind: "ack", key: entry.message ?? entry.uuid });
  return { ...entry, acked: true };
}

function taken(pass: Pass, entry: Sent, inline: boolean): Sent {
  if (entry.taken) return entry;
  if (entry.message) pass.emit({ kind: "taken", message: entry.message, inline });
  return { ...entry, taken: true };
}
