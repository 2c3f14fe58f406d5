import { compact, newest, own, without } from "../fields.ts";
import type { OpenText, Pass } from "./talk.ts";

type Channel = OpenText["channel"];

const OPEN = 30;
const DONE = 40;

/** A name for a text that the agent gives none. */
export function nextText(pass: Pass): string {
  pass.state.count += 1;
  return String(pass.state.count);
}

/** A piece of a text. `native` names it among the texts of this process. */
export function stream(pass: Pass, native: string, channel: Channel, piece: string, parent?: string): void {
  const { state } = pass;
  const item = textItem(pass, native, channel);
  if (piece === "" || state.done.includes(item)) return;
  const before = own(state.texts, item) ?? compact({ item, channel, text: "", parent });
  state.texts = newest({ ...state.texts, [item]: { ...before, text: before.text + piece } }, OPEN);
  Object.assign(state, { worked: true, failure: undefined });
  pass.say({ kind: "delta", item, channel, text: piece });
}

/**
 * The whole of a text, streamed before or not. Said twice it counts once. A whole that does not go on from what was
 * streamed takes that back and stands under another name.
 */
export function whole(pass: Pass, native: string, channel: Channel, text: string, parent?: string): void {
  const { state } = pass;
  const item = textItem(pass, native, channel);
  if (state.done.includes(item)) return;
  const streamed = own(state.texts, item)?.text ?? "";
  if (text === "" && streamed === "") return;
  if (text.startsWith(streamed)) {
    stream(pass, native, channel, text.slice(streamed.length), parent);
    return settle(pass, item);
  }
  retractItems(pass, [item], "the finished text is another one");
  whole(pass, `${native}.again`, channel, text, parent);
}

/** Every open text ends here, as far as it came. */
export function closeTexts(pass: Pass): void {
  for (const item of Object.keys(pass.state.texts)) settle(pass, item);
}

/** What was streamed of a text that has this name is all of it. */
export function closeText(pass: Pass, native: string, channel: Channel): void {
  settle(pass, textItem(pass, native, channel));
}

/** The texts that are open, as items: for taking them back. */
export function openItems(pass: Pass): string[] {
  return Object.keys(pass.state.texts);
}

/** The agent threw these texts away. */
export function retractItems(pass: Pass, items: readonly string[], reason: string): void {
  const { state } = pass;
  const known = items.filter((item) => own(state.texts, item) || state.done.includes(item));
  for (const item of known) state.texts = without(state.texts, item);
  state.done = [...state.done.filter((item) => !known.includes(item)), ...known].slice(-DONE);
  if (known.length > 0) pass.event("message.retracted", { items: known, reason });
}

export function textItem(pass: Pass, native: string, channel: Channel): string {
  return pass.item(channel === "reasoning" ? `${native}.thought` : native);
}

function settle(pass: Pass, item: string): void {
  const { state } = pass;
  const open = own(state.texts, item);
  if (!open) return;
  state.texts = without(state.texts, item);
  state.done = [...state.done, item].slice(-DONE);
  const data = compact({ item, text: open.text, parent: open.parent });
  if (open.channel === "text") pass.event("message.done", data);
  else pass.event("reasoning.done", data);
}
