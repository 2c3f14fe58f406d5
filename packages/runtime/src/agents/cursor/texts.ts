import { compact, fingerprint } from "../fields.ts";
import type { Pass } from "../json-lines/pass.ts";
import { closeText, completeText, nextText, streamText } from "../json-lines/texts.ts";
import type { CursorState } from "./state.ts";

type Channel = "text" | "reasoning";

/** Streams a chunk. A chunk of the other kind completes the open one. */
export function piece(pass: Pass<CursorState>, channel: Channel, content: string): void {
  const { state } = pass;
  if (content === "") return;
  close(pass, channel === "text" ? "reasoning" : "text");
  const native = state.open?.[channel] ?? nextText(pass);
  state.open = { ...state.open, [channel]: native };
  if (channel === "text") state.pieces = true;
  streamText(pass, native, channel, content);
}

/** Completes a text, streamed or not. Idempotent. */
export function complete(pass: Pass<CursorState>, channel: Channel, content: string): void {
  const { state } = pass;
  const native = state.open?.[channel];
  if (native === undefined && state.last === fingerprint(content)) return;
  state.open = compact({ ...state.open, [channel]: undefined });
  state.last = fingerprint(content);
  completeText(pass, native ?? nextText(pass), channel, content);
}

/** Completes the open text or thought, because something else begins. */
export function close(pass: Pass<CursorState>, ...channels: Channel[]): void {
  const { state } = pass;
  for (const channel of channels) {
    const native = state.open?.[channel];
    if (native === undefined) continue;
    const open = Object.values(state.texts).find((entry) => entry.channel === channel);
    if (open) state.last = fingerprint(open.text);
    state.open = compact({ ...state.open, [channel]: undefined });
    closeText(pass, native, channel);
  }
}
