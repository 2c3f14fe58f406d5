import { compact, fingerprint } from "../../fields.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { closeText, completeText, nextText, streamText } from "../../json-lines/texts.ts";
import type { CursorState } from "./state.ts";

type Channel = "text" | "reasoning";

/** A piece of the text or thought that is being told. A piece of the other kind ends the one before. */
export function piece(pass: Pass<CursorState>, channel: Channel, said: string): void {
  const { state } = pass;
  if (said === "") return;
  close(pass, channel === "text" ? "reasoning" : "text");
  const native = state.open?.[channel] ?? nextText(pass);
  state.open = { ...state.open, [channel]: native };
  if (channel === "text") state.pieces = true;
  streamText(pass, native, channel, said);
}

/** The whole of the text that was streamed, of one that was not, or of one that is whole already. */
export function complete(pass: Pass<CursorState>, channel: Channel, said: string): void {
  const { state } = pass;
  const native = state.open?.[channel];
  if (native === undefined && state.last === fingerprint(said)) return;
  state.open = compact({ ...state.open, [channel]: undefined });
  state.last = fingerprint(said);
  completeText(pass, native ?? nextText(pass), channel, said);
}

/** The text or thought ends where something else begins. */
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
