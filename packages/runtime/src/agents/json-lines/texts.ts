import { compact, newestEntries, ownValue, withoutKey } from "../fields.ts";
import type { OpenText, Pass } from "./pass.ts";

type Channel = OpenText["channel"];

const MAX_OPEN = 30;
const MAX_DONE = 40;

/** A name for a text without a native id. */
export function nextText(pass: Pass): string {
  pass.state.count += 1;
  return String(pass.state.count);
}

/** Streams a chunk of a text. `native` identifies it within the process. */
export function streamText(pass: Pass, native: string, channel: Channel, piece: string, parent?: string): void {
  const { state } = pass;
  const item = textItem(pass, native, channel);
  if (piece === "" || state.done.includes(item)) return;
  const before = ownValue(state.texts, item) ?? compact({ item, channel, text: "", parent });
  state.texts = newestEntries({ ...state.texts, [item]: { ...before, text: before.text + piece } }, MAX_OPEN);
  Object.assign(state, { worked: true, failure: undefined });
  pass.emit({ kind: "delta", item, channel, text: piece });
}

/**
 * Completes a text, streamed or not. Idempotent. If the streamed part is not a prefix of the complete text, it is
 * retracted and the text gets a new item.
 */
export function completeText(pass: Pass, native: string, channel: Channel, text: string, parent?: string): void {
  const { state } = pass;
  const item = textItem(pass, native, channel);
  if (state.done.includes(item)) return;
  const streamed = ownValue(state.texts, item)?.text ?? "";
  if (text === "" && streamed === "") return;
  if (text.startsWith(streamed)) {
    streamText(pass, native, channel, text.slice(streamed.length), parent);
    return settleText(pass, item);
  }
  retractItems(pass, [item], "the completed text differs");
  completeText(pass, `${native}.again`, channel, text, parent);
}

/** Completes every open text with what was streamed. */
export function closeTexts(pass: Pass): void {
  for (const item of Object.keys(pass.state.texts)) settleText(pass, item);
}

/** Completes the text with what was streamed. */
export function closeText(pass: Pass, native: string, channel: Channel): void {
  settleText(pass, textItem(pass, native, channel));
}

/** The items of the open texts, for retraction. */
export function openItems(pass: Pass): string[] {
  return Object.keys(pass.state.texts);
}

/** Retracts texts that the agent discarded. */
export function retractItems(pass: Pass, items: readonly string[], reason: string): void {
  const { state } = pass;
  const known = items.filter((item) => ownValue(state.texts, item) || state.done.includes(item));
  for (const item of known) state.texts = withoutKey(state.texts, item);
  state.done = [...state.done.filter((item) => !known.includes(item)), ...known].slice(-MAX_DONE);
  if (known.length > 0) pass.event("message.retracted", { items: known, reason });
}

export function textItem(pass: Pass, native: string, channel: Channel): string {
  return pass.item(channel === "reasoning" ? `${native}.thought` : native);
}

function settleText(pass: Pass, item: string): void {
  const { state } = pass;
  const open = ownValue(state.texts, item);
  if (!open) return;
  state.texts = withoutKey(state.texts, item);
  state.done = [...state.done, item].slice(-MAX_DONE);
  const data = compact({ item, text: open.text, parent: open.parent });
  if (open.channel === "text") pass.event("message.done", data);
  else pass.event("reasoning.done", data);
}
